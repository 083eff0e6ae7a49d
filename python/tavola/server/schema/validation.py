"""What was wrong with what a client sent: complaints of libraries, as refusals of ours."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tavola.server.schema.errors import FAULTS, Refused

_PLACED = re.compile(r"(?P<what>.*?)(?: - at (?:`key` in )?`(?P<path>[^`]*)`)?", re.DOTALL)
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


def invalid(complaint: str, path: str = "$") -> Refused:
    """The refusal of what can be read, but is not what was expected.

    Args:
        complaint: As msgspec or the framework, or a struct of ours by a key of `FAULTS`, has it.
        path: Where, if the complaint does not say it: `$` is the whole.
    """
    placed = _PLACED.fullmatch(complaint)
    assert placed is not None, "the pattern fits every text"
    what, path = placed["what"], placed["path"] or path
    for pattern, fault in _FAULTS:
        if found := pattern.fullmatch(what):
            params: dict[str, Any] = found.groupdict()
            if "expected" in params:
                params["expected"] = params["expected"].split(" | ")
            return Refused("invalid", path=path, fault=fault, **params)
    return Refused("invalid", path=path, fault=what if what in FAULTS else "other")


def malformed(text: bytes | str, error: Exception) -> Refused:
    """The refusal of what is not JSON; it names the byte up to which it could be."""
    byte = _BYTE.search(str(error))
    if byte is not None:
        return Refused("malformed", byte=int(byte[1]))
    whole = text.encode() if isinstance(text, str) else text
    try:
        whole.decode()
    except UnicodeDecodeError as undecoded:
        return Refused("malformed", byte=undecoded.start)
    return Refused("malformed", byte=len(whole))


def refusal(text: bytes | str, error: Exception) -> Refused:
    """The refusal of a text that msgspec could not decode."""
    if isinstance(error, msgspec.ValidationError):
        return invalid(str(error))
    if isinstance(error, RecursionError):
        return invalid("too-deep")
    return malformed(text, error)
