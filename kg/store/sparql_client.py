"""One question to a SPARQL server, and what may go wrong with it, told apart: who is busy, who broke off, who refuses, who is somebody else.

SPARQLWrapper raises 429, 403 and 503 as raw ``HTTPError`` and takes HTML with status 200 for an answer: both are looked at here.
"""

import warnings
from collections.abc import Sequence
from http.client import HTTPException
from urllib.error import HTTPError, URLError

from SPARQLWrapper import JSON, POST, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import EndPointNotFound, SPARQLWrapperException, Unauthorized

from kg.store.errors import StoreError
from kg.store.http import Account, first_line
from kg.store.patience import Broken, Busy, retry_after

__all__ = ["answered_with", "results", "unanswered"]

_RESULTS = ("application/sparql-results+json", "application/json")
_LATER = frozenset({429, 502, 503, 504})


def results(
    endpoint: str, query: str, *, agent: str, timeout: int, account: Account | None = None, graphs: Sequence[str] = ()
) -> bytes:
    """The answer to a query as SPARQL results in JSON; ``graphs`` are the named graphs that are read (none: all).

    Raises:
        Busy: the server may answer later.
        Broken: it broke off, or gave no answer within ``timeout`` seconds.
        StoreError: it refuses, cannot be reached, or answers with anything but SPARQL results.
    """
    wrapper = SPARQLWrapper(endpoint, agent=agent)
    wrapper.setQuery(query)
    wrapper.setMethod(POST)
    wrapper.setTimeout(timeout)
    wrapper.setReturnFormat(JSON)
    wrapper.setOnlyConneg(True)
    for graph in graphs:
        wrapper.addNamedGraph(graph)
    if account is not None:
        wrapper.addCustomHttpHeader("Authorization", account.header)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a content type it did not expect: looked at below
            response = wrapper.query().response
        with response:
            media_type = response.headers.get_content_type()
            data: bytes = response.read()
    except HTTPError as error:
        raise answered_with(endpoint, error) from error
    except Unauthorized as error:
        raise StoreError(
            f"{endpoint} wants an account (401): give one with KG_STORE_USER and KG_STORE_PASSWORD, or KG_STORE_TOKEN"
        ) from error
    except EndPointNotFound as error:
        raise StoreError(f"{endpoint} answered 404: check the address") from error
    except SPARQLWrapperException as error:
        raise StoreError(f"{endpoint} refused the query: {first_line(str(error))}") from error
    except (URLError, OSError, HTTPException) as error:
        raise unanswered(endpoint, error, timeout) from error
    if media_type not in _RESULTS:
        raise StoreError(
            f"{endpoint} answered with {media_type} instead of SPARQL results ({first_line(data[:500])}):"
            " check the address; it must be that of the SPARQL service itself"
        )
    return data


def answered_with(address: str, error: HTTPError) -> Exception:
    """What a status means that is none of success: ``Busy`` where asking again may help, else ``StoreError``."""
    with error:
        said = f"{address} answered {error.code} {error.reason}"
        if error.code in _LATER:
            return Busy(said, retry_after(error.headers.get("Retry-After", "") if error.headers else ""))
        if error.code == 403:
            return StoreError(
                f"{said}: it refuses this User-Agent or address; say who asks, with a contact, and wait before asking again"
            )
        return StoreError(f"{said}: {first_line(error.read(500))}")


def unanswered(address: str, error: Exception, timeout: int) -> Exception:
    """What a failure below HTTP means: ``Broken`` where asking again may help, else ``StoreError``."""
    reason = getattr(error, "reason", None)
    if isinstance(error, (TimeoutError, HTTPException)) or isinstance(reason, TimeoutError):
        return Broken(f"{address} broke off or gave no answer within {timeout} seconds ({error})")
    return StoreError(f"{address} cannot be reached ({error}): check the address and the network")
