"""Strong tags of the bytes sent, and 304 where the asker has them already."""

from hashlib import blake2b

from flask import Response, request

from kg.web.edition import Edition

__all__ = ["conditional"]


def conditional(response: Response, edition: Edition | None = None) -> Response:
    """Tag a complete response with the hash of its bytes; answer 304 to who names that tag."""
    response.set_etag(blake2b(response.get_data(), digest_size=16).hexdigest())
    if edition is not None:
        response.headers["Last-Modified"] = edition.last_modified
    response.make_conditional(request)
    return response
