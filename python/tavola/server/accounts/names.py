"""Names of accounts: what may be one, and when two are the same."""

from __future__ import annotations

import re
import unicodedata

from tavola.server.errors import RequestError
from tavola.server.schema.sanitize import BLANK_CHARACTERS, fold

_ALPHABETS = frozenset(("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"))
"""Scripts with letters that look like those of another."""

_RESERVED = re.compile(r"(?:computer|engine|コンピューター?|エンジン)(?:[\W\d].*)?")
"""How the computer is named."""

MIN_LENGTH = 2
MAX_LENGTH = 24

# Marks that show nothing, or choose how the sign before them is drawn: joiners, inherent vowels,
# selectors of variants.
_INVISIBLE_MARKS = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0xFE00, 0xFE0F),
        (0xE0100, 0xE01EF),
    )
    for code in range(first, last + 1)
)


def normalize(name: str) -> str:
    """Return a name as it is stored and shown: in composed form, with single spaces.

    Raises:
        RequestError: `name-length`, `name-characters`, `name-taken`.

    >>> normalize("  Ａｄａ   Ｌ ")
    'Ada L'
    """
    spaced = " ".join(unicodedata.normalize("NFKC", name).split())
    # With one of them two names could look the same.
    if any(map(_is_invisible, spaced)):
        raise RequestError("name-characters")
    if not MIN_LENGTH <= len(spaced) <= MAX_LENGTH:
        raise RequestError("name-length", fewest=MIN_LENGTH, most=MAX_LENGTH)
    if not any(sign.isalnum() for sign in spaced) or _is_deceptive(spaced):
        raise RequestError("name-characters")
    if _RESERVED.fullmatch(fold(spaced)):
        raise RequestError("name-taken", name=spaced)
    return spaced


def _is_deceptive(name: str) -> bool:
    """Return whether a name mixes alphabets, or has strokes or circles over its letters."""
    scripts = {unicodedata.name(sign, "").partition(" ")[0] for sign in name}
    return len(scripts & _ALPHABETS) > 1 or any(
        unicodedata.combining(sign) == 1 or unicodedata.category(sign) == "Me" for sign in name
    )


def _is_invisible(sign: str) -> bool:
    """Return whether a character is a control, blank, half of one, or not assigned."""
    return (
        unicodedata.category(sign).startswith("C")
        or sign in BLANK_CHARACTERS
        or sign in _INVISIBLE_MARKS
    )
