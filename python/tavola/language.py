"""The languages, and the choice of a reader's language."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Literal


def _languages() -> tuple[str, ...]:
    """Return the languages that have a file of messages, English first."""
    folder = files("tavola").joinpath("messages", "locales")
    found = (file.name.partition(".")[0] for file in folder.iterdir())
    return ("en", *sorted(language for language in found if language != "en"))


LANGUAGES = _languages()

if TYPE_CHECKING:
    Language = str
else:
    # A closed set, so that requests and parameters are checked against it.
    Language = Literal[LANGUAGES]


def negotiate(accepted: str) -> Language:
    """Return the language for an `Accept-Language` header, English by default.

    >>> negotiate("de, ja;q=0.8, en;q=0.5")
    'ja'
    >>> negotiate("ja;q=0, *")
    'en'
    """
    best: Language = "en"
    best_weight = 0.0
    for part in accepted[:500].split(","):
        tag, _, parameters = part.partition(";")
        primary = tag.strip().lower().partition("-")[0]
        weight = _weight(parameters)
        for language in LANGUAGES:
            if primary == language and weight > best_weight:
                best, best_weight = language, weight
    return best


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if 0.0 <= weight <= 1.0 else 0.0
