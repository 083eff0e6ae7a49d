"""Cleaning of names and chat lines, and the form in which names are compared."""

from __future__ import annotations

import unicodedata

_CONTROL_CATEGORIES = frozenset(("Cc", "Cs", "Co", "Cn", "Zl", "Zp"))
# Marks that turn the direction of what is written around them.
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

# Nothing of these is seen without another beside it: joiners, marks, spaces.
_INVISIBLE_CATEGORIES = frozenset(("Cf", "Mn", "Me", "Zs"))

BLANK_CHARACTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are blank."""


def sanitize_line(text: str) -> str:
    r"""Return a text on one line, without invisible characters and direction marks.

    >>> sanitize_line("  Ada\n\u202e  L ")
    'Ada L'
    """
    seen = "".join(
        " " if unicodedata.category(sign) in _CONTROL_CATEGORIES else sign for sign in text
    )
    line = " ".join("".join(sign for sign in seen if sign not in _BIDI_CONTROLS).split())
    return line if any(map(_is_visible, line)) else ""


def fold(name: str) -> str:
    """Return the form in which names are compared and searched: without case and width.

    >>> fold("STRASSE") == fold("Straße")
    True
    """
    composed = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", composed).split())


def _is_visible(sign: str) -> bool:
    return unicodedata.category(sign) not in _INVISIBLE_CATEGORIES and sign not in BLANK_CHARACTERS
