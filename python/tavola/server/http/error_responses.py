"""Refusals as the wire carries them, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog
from litestar import MediaType, Response
from litestar.exceptions import HTTPException
from sqlalchemy.exc import DBAPIError

from tavola.server.http.authentication import AnyRequest
from tavola.server.ops.metrics import REFUSALS
from tavola.server.ops.rate_limits import BODY
from tavola.server.schema import games
from tavola.server.schema.errors import Refused, told
from tavola.server.schema.locale import Language, preferred
from tavola.server.schema.responses import ErrorAnswer
from tavola.server.schema.validation import invalid

_log = structlog.get_logger("tavola.server")

BROKEN_OFF = "client disconnected prematurely"
"""What the framework says of a request that ended within its body: no fault of the server's."""


def answer(error: Refused, language: Language) -> ErrorAnswer:
    """The refusal in a reader's language; where the game gives the reason, in the game's words.

    It is counted.
    """
    REFUSALS.labels(error.code).inc()
    if error.refusal is None:
        message = told(error, language)
    else:
        message = games.say(error.in_game, language, error.refusal.text)
    return ErrorAnswer(error.code, error.params, message, error.refusal)


def _answer(request: AnyRequest, error: Refused) -> Response[ErrorAnswer]:
    language = preferred(request.headers.get("accept-language", ""))
    return Response(
        answer(error, language),
        status_code=error.status,
        media_type=MediaType.JSON,
        headers={"content-language": language},
    )


def _on_http_error(request: AnyRequest, error: HTTPException) -> Response[ErrorAnswer]:
    """What the framework refuses, in our words."""
    match error.status_code:
        case 404:
            refused = Refused("not-found", path=request.url.path[:200])
        case 405:
            refused = Refused("method", method=request.method)
        case 413:
            refused = Refused("too-large", limit=BODY)
        case status if 400 <= status < 500:
            refused = _invalid(error)
        case _ if error.detail == BROKEN_OFF:
            refused = invalid("no-body")
        case _:
            return _on_error(request, error)
    return _answer(request, refused)


def _invalid(error: HTTPException) -> Refused:
    """What is wrong with a request, from the framework's own account."""
    if isinstance(error.extra, list) and error.extra and isinstance(error.extra[0], dict):
        fault = error.extra[0]
        if fault.get("key") == "data":
            return invalid("no-body")
        return invalid(fault.get("message", error.detail), fault.get("key", "$"))
    return invalid(error.detail)


def _on_error(
    request: AnyRequest, error: Exception, code: str = "internal"
) -> Response[ErrorAnswer]:
    _log.error("request failed", method=request.method, path=request.url.path, exc_info=error)
    return _answer(request, Refused(code))


def _on_database_error(request: AnyRequest, error: DBAPIError) -> Response[ErrorAnswer]:
    """The disk is full, say: nothing was stored, and it can be tried again."""
    return _on_error(request, error, "storage")


HANDLERS: dict[int | type[Exception], Callable[[AnyRequest, Any], Response[ErrorAnswer]]] = {
    Refused: _answer,
    HTTPException: _on_http_error,
    DBAPIError: _on_database_error,
    Exception: _on_error,
}
"""What is answered when something is raised."""
