"""Validation errors: problems reported by libraries, as errors of the API."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tavola.server.errors import RequestError
from tavola.server.schema.errors import VALIDATION_FAULTS

LONGEST_PARAM = 200
"""How much of a client's text an error repeats."""

_PLACE = re.compile(r" - at (?:`key` in )?`([^`]*)`\Z")
_AT = " - at `"
_BYTE = re.compile(r"\(byte (\d+)\)")

_FAULTS = [
    (re.compile(pattern, re.DOTALL), fault)
    for pattern, fault in (
        (r"Object missing required field `(?P<field>.*)`", "missing"),
        (r"Missing required query parameter '(?P<field>\w+)' for path .*", "missing"),
        (r"Object contains unknown field `(?P<field>.*)`", "unknown-field"),
        (r"Invalid (?:enum )?value '?(?P<value>.*?)'?", "unknown-value"),
        (r"Expected `\w+` of length >= (?P<limit>\d+)", "shortest"),
        (r"Expected `\w+` of length <= (?P<limit>\d+)", "longest"),
        (r"Expected `\w+` >= (?P<limit>\S+)", "least"),
        (r"Expected `\w+` <= (?P<limit>\S+)", "most"),
        (r"Expected `\w+` matching regex '(?P<form>.*)'", "form"),
        (r"Expected `(?P<expected>[^`]*)`(?:, got `[^`]*`)?", "kind"),
        (r"Number out of range", "range"),
    )
]


def invalid_request(problem: str, path: str = "$") -> RequestError:
    """Return the error for a readable but invalid request.

    Args:
        problem: The message of msgspec or the framework, or a key of `VALIDATION_FAULTS`.
        path: Where, if the complaint does not say it: `$` is the whole.
    """
    what, place = _split_place(problem)
    path = place or path
    for pattern, fault in _FAULTS:
        if found := pattern.fullmatch(what):
            params: dict[str, Any] = {
                name: text[:LONGEST_PARAM] for name, text in found.groupdict().items()
            }
            if "expected" in params:
                params["expected"] = params["expected"].split(" | ")
            return RequestError("invalid", path=path, fault=fault, **params)
    return RequestError("invalid", path=path, fault=what if what in VALIDATION_FAULTS else "other")


def _split_place(problem: str) -> tuple[str, str]:
    """Return a message of msgspec and the place at its end, in time that grows with its length."""
    found = _PLACE.search(problem, max(problem.rfind(_AT), 0))
    if found is None:
        return problem, ""
    return problem[: found.start()], found[1]


def malformed_request(text: bytes | str, error: Exception) -> RequestError:
    """Return the error for invalid JSON, with the position of the first invalid byte."""
    byte = _BYTE.search(str(error))
    if byte is not None:
        return RequestError("malformed", byte=int(byte[1]))
    whole = text.encode() if isinstance(text, str) else text
    try:
        whole.decode()
    except UnicodeDecodeError as undecoded:
        return RequestError("malformed", byte=undecoded.start)
    return RequestError("malformed", byte=len(whole))


def decode_error(text: bytes | str, error: Exception) -> RequestError:
    """Return the error for a text that msgspec could not decode."""
    if isinstance(error, msgspec.ValidationError):
        return invalid_request(str(error))
    if isinstance(error, RecursionError):
        return invalid_request("too-deep")
    return malformed_request(text, error)
