"""What to do about an error of the system: one sentence with the path, what was seen, and the remedy."""

import errno

__all__ = ["sentence"]

_SPACE, _PERMISSIONS, _PATH = (
    "free space there, or choose another place",
    "change its permissions, or choose another path",
    "check the path",
)
_REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), _SPACE),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), _PERMISSIONS),
    errno.ENOENT: "check the path; a folder must be there before a file is written into it",
    **dict.fromkeys((errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG), _PATH),
    errno.EADDRINUSE: "another program uses the port: stop it, or give another one with --port",
    errno.EMFILE: "too many files are open: raise the limit (ulimit -n)",
}


def sentence(error: OSError) -> str:
    """Where, what, and what to do.

    >>> sentence(FileNotFoundError(2, "No such file or directory", "out/a.nq"))
    'out/a.nq: No such file or directory: check the path; a folder must be there before a file is written into it'
    """
    where = f"{error.filename}: " if error.filename else ""
    remedy = _REMEDIES.get(error.errno or 0, "free space, or change the path or its permissions")
    return f"{where}{error.strerror or error}: {remedy}"
