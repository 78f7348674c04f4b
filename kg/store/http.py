"""Writing to a server over HTTP: credentials that are shown nowhere, Basic, Digest and bearer tokens, patience with busy servers."""

import base64
import os
import re
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.request import HTTPDigestAuthHandler, HTTPPasswordMgr, Request, parse_http_list, parse_keqv_list

from kg import __version__
from kg.store.errors import StoreError
from kg.store.patience import BUSY, Broken, Busy, Patience, retry_after

__all__ = ["AGENT", "Account", "Answered", "Client", "first_line", "split_account"]

AGENT = f"silsila-kg/{__version__}"
USER, PASSWORD, TOKEN = "KG_STORE_USER", "KG_STORE_PASSWORD", "KG_STORE_TOKEN"
"""The environment variables that hold the credentials of a store."""
_TAG = re.compile(r"<!?/?\w[^>]*>")
_PATIENCE = 120  # seconds of Retry-After that are waited for


@dataclass(frozen=True, slots=True)
class Account:
    """A user of a store and the password, or a bearer token; the secrets are never printed."""

    user: str = ""
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)

    @property
    def header(self) -> str:
        """What stands in the header Authorization, where the server does not want a digest.

        >>> Account("amr", "secret").header, Account(token="abc").header
        ('Basic YW1yOnNlY3JldA==', 'Bearer abc')
        """
        if self.token:
            return f"Bearer {self.token}"
        return "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode()


@dataclass(frozen=True, slots=True)
class Answered:
    """What a server answered: its status, its headers by small-lettered name, its body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def words(self) -> str:
        """The first line of the body that says something, without tags, for a message."""
        return first_line(self.body[:2_000])


def first_line(data: bytes | str) -> str:
    """The first line of an answer that says something, without tags.

    >>> first_line("<html><head><title>Failed</title></head>")
    'Failed'
    """
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    lines = [line for line in (_TAG.sub(" ", line).strip() for line in text.splitlines()) if line]
    return lines[0][:200] if lines else "nothing"


def split_account(url: str, user: str | None = None, password: str | None = None) -> tuple[str, Account | None]:
    """An address without credentials, and the credentials: those given, else those in the address, else those of the environment,
    where a bearer token (``KG_STORE_TOKEN``) goes before a user.

    >>> split_account("https://amr:secret@example.org:8890/sparql")
    ('https://example.org:8890/sparql', Account(user='amr'))

    Raises:
        StoreError: the address is none of http or https.
    """
    parts = urlsplit(url)
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if parts.scheme not in ("http", "https") or not host:
        raise StoreError(f"{_without_account(url)} is no address of a server: write one like http://localhost:7878/")
    named, token = user or (unquote(parts.username) if parts.username else None), os.environ.get(TOKEN)
    found = named or os.environ.get(USER)
    secret = password or (unquote(parts.password) if parts.password else None) or os.environ.get(PASSWORD)
    shown = f"[{host}]" if ":" in host else host
    clean = urlunsplit((parts.scheme, shown + (f":{port}" if port else ""), parts.path or "/", parts.query, ""))
    if token and not named:
        return clean, Account(token=token)
    return clean, Account(found, secret or "") if found else None


def _without_account(url: str) -> str:
    head, sep, tail = url.rpartition("@")
    return (head.partition("//")[0] + "//" + tail) if sep else url


class Client:
    """Requests to one server over a connection that stays open. ``attempts`` are made where it is busy or the connection breaks:
    what is sent here may be sent twice."""

    def __init__(self, account: Account | None = None, *, timeout: float = 300, attempts: int = 5) -> None:
        self.account, self.timeout = account, timeout
        self.patience = Patience(attempts, longest=_PATIENCE)
        self._connection: HTTPConnection | None = None
        self._host = ("", "")
        self._challenges: dict[str, dict[str, str]] = {}  # path -> what its digest needs; empty where Basic will do
        self._digest = HTTPDigestAuthHandler(_Known(account)) if account and not account.token else None

    def close(self) -> None:
        """Let the connection go."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def send(self, method: str, url: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Answered:
        """The server's answer, whatever its status.

        Raises:
            StoreError: the server cannot be reached.
        """
        last: list[Answered] = []
        try:
            return self.patience.ask(lambda: self._unless_busy(method, url, body, headers or {}, last))
        except Busy as busy:
            if last:
                return last[0]
            raise StoreError(busy.said) from busy

    def _unless_busy(self, method: str, url: str, body: bytes, headers: dict[str, str], last: list[Answered]) -> Answered:
        """One answer; an answer that says "later" is put into ``last``."""
        last.clear()
        try:
            answered = self._authorised(method, url, body, headers)
        except (OSError, HTTPException) as error:
            self.close()
            said = f"{url} cannot be reached ({error}): check the address, and that the server runs"
            if isinstance(error, ConnectionRefusedError):
                raise StoreError(said) from error
            raise Broken(said) from error
        if answered.status in BUSY:
            last.append(answered)
            raise Busy(f"{url} answered {answered.status}", retry_after(answered.headers.get("retry-after", "")))
        return answered

    def _authorised(self, method: str, url: str, body: bytes, headers: dict[str, str]) -> Answered:
        """Asks a path without a body first where it may want a digest: the server would close the connection while the body is sent."""
        path = urlsplit(url).path
        if self._digest is not None and path not in self._challenges:
            asked = self._once(method, url, b"", headers)
            self._learn(path, asked)
            if asked.status != 401 and not body:
                return asked
        answered = self._once(method, url, body, self._with_account(method, url, headers))
        if answered.status == 401 and self._digest is not None:
            self._learn(path, answered)  # the number that the server gave is used up
            answered = self._once(method, url, body, self._with_account(method, url, headers))
        return answered

    def _learn(self, path: str, answered: Answered) -> None:
        kind, _, rest = answered.headers.get("www-authenticate", "").partition(" ")
        wanted = answered.status == 401 and kind.lower() == "digest"
        self._challenges[path] = parse_keqv_list(parse_http_list(rest)) if wanted else {}

    def _with_account(self, method: str, url: str, headers: dict[str, str]) -> dict[str, str]:
        if self.account is None:
            return headers
        if self._digest is not None and (challenge := self._challenges.get(urlsplit(url).path)):
            given = self._digest.get_authorization(Request(url, method=method), challenge)
            return {**headers, "Authorization": f"Digest {given}"}
        return {**headers, "Authorization": self.account.header}

    def _once(self, method: str, url: str, body: bytes, headers: dict[str, str]) -> Answered:
        parts = urlsplit(url)
        if self._connection is None or self._host != (parts.scheme, parts.netloc):
            self.close()
            kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
            self._connection = kind(parts.netloc, timeout=self.timeout)
            self._host = (parts.scheme, parts.netloc)
        path = urlunsplit(("", "", parts.path or "/", parts.query, ""))
        self._connection.request(method, path, body, {"User-Agent": AGENT, **headers})
        response = self._connection.getresponse()
        data = response.read()
        if response.will_close:
            self.close()
        return Answered(response.status, {name.lower(): value for name, value in response.getheaders()}, data)


class _Known(HTTPPasswordMgr):
    """One account for every realm of a server."""

    def __init__(self, account: Account) -> None:
        super().__init__()
        self._account = account

    def find_user_password(self, realm: str, authuri: str) -> tuple[str | None, str | None]:
        return self._account.user, self._account.password
