"""Names of accounts: what may be one, and when two are the same."""

from __future__ import annotations

import unicodedata

from tavola.server.wire.errors import Refused

FEWEST = 2
MOST = 24


def tidy(name: str) -> str:
    """A name as it is kept and shown: in composed form, with single spaces.

    Raises:
        Refused: `name-length`, `name-characters`.

    >>> tidy("  Ａｄａ   Ｌ ")
    'Ada L'
    """
    spaced = " ".join(unicodedata.normalize("NFKC", name).split())
    # Controls, invisible signs, halves of characters, and what is no character at all.
    if any(unicodedata.category(sign).startswith("C") for sign in spaced):
        raise Refused("name-characters")
    if not FEWEST <= len(spaced) <= MOST:
        raise Refused("name-length", fewest=FEWEST, most=MOST)
    if not any(sign.isalnum() for sign in spaced):
        raise Refused("name-characters")
    return spaced


def folded(name: str) -> str:
    """What two names have in common that nobody should have to tell apart.

    >>> folded("STRASSE") == folded("Straße")
    True
    """
    composed = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", composed).split())
