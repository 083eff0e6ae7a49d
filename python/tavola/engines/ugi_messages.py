"""Formats and parses UGI lines with arguments (docs/reference/ugi.md)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tavola.engines.engine import Info, Limits

__all__ = ["go_line", "info_line", "position_line", "read_info"]

_KEYWORDS = {"depth", "multipv", "nodes", "nps", "pv", "score", "string", "time", "worth"}


def position_line(position: str | None, moves: Sequence[str]) -> str:
    """Format the line that sets a position.

    Args:
        position: The text of the first position; `None` for the start of the game.
        moves: The actions and chance outcomes after it.
    """
    words = ["position", "startpos" if position is None else f"fen {position}"]
    return " ".join([*words, "moves", *moves] if moves else words)


def go_line(limits: Limits) -> str:
    """Format the line that starts a search with limits."""
    words = ["go"]
    if limits.seconds is not None:
        words.append(f"movetime {max(1, round(limits.seconds * 1000))}")
    if limits.nodes is not None:
        words.append(f"nodes {limits.nodes}")
    if limits.depth is not None:
        words.append(f"depth {limits.depth}")
    return " ".join(words if len(words) > 1 else [*words, "infinite"])


def info_line(info: Info, *, rank: int | None = None) -> str:
    """Format the line that reports a search.

    Args:
        info: The report.
        rank: The rank among several lines, from 1.
    """
    words = ["info"]
    if info.depth is not None:
        words.append(f"depth {info.depth}")
    if rank is not None:
        words.append(f"multipv {rank}")
    if info.nodes is not None:
        words.append(f"nodes {info.nodes}")
    if info.seconds is not None:
        words.append(f"time {round(info.seconds * 1000)}")
        if info.nodes is not None and info.seconds > 0:
            words.append(f"nps {round(info.nodes / info.seconds)}")
    if info.shares is not None:
        words.append(
            f"score shares {_format_shares(info.shares)}" + (" proven" if info.proven else "")
        )
    if info.worth is not None:
        words.append(f"worth {_format_shares(info.worth)}")
    if info.variation:
        words.append(f"pv {' '.join(info.variation)}")
    return " ".join(words)


def read_info(line: str, *, seats: int) -> Info | None:
    """Parse a line `info ...`. Unknown and invalid parts are ignored.

    Args:
        line: The line.
        seats: The number of seats of the game.

    Returns:
        The report; `None` if the line contains no known part.
    """
    parts = _parts(line.split()[1:])
    if "string" in parts or parts.get("multipv", ["1"])[:1] != ["1"]:
        return None
    score, worth = parts.get("score", []), parts.get("worth", [])
    shares = _shares(score[1 : seats + 1], seats) if score[:1] == ["shares"] else None
    time = _natural(parts.get("time", []))
    info = Info(
        shares=shares,
        proven=shares is not None and score[seats + 1 :] == ["proven"],
        worth=_shares(worth, seats),
        variation=tuple(parts.get("pv", [])),
        nodes=_natural(parts.get("nodes", [])),
        depth=_natural(parts.get("depth", [])),
        seconds=None if time is None else time / 1000,
    )
    return None if info == Info() else info


def _parts(words: Sequence[str]) -> dict[str, list[str]]:
    """Return the words after each keyword; `pv` and `string` extend to the end of the line."""
    parts: dict[str, list[str]] = {}
    current: list[str] = []
    for place, word in enumerate(words):
        if word in ("pv", "string"):
            parts[word] = list(words[place + 1 :])
            break
        if word in _KEYWORDS:
            current = parts[word] = []
        else:
            current.append(word)
    return parts


def _natural(words: Sequence[str]) -> int | None:
    if len(words) != 1 or not (words[0].isascii() and words[0].isdigit() and len(words[0]) < 19):
        return None
    return int(words[0])


def _format_shares(shares: Sequence[float]) -> str:
    return " ".join(f"{share:.4f}" for share in shares)


def _shares(words: Sequence[str], seats: int) -> tuple[float, ...] | None:
    """Parse shares by seat; return `None` if the words are not shares."""
    try:
        shares = tuple(float(word) for word in words)
    except ValueError:
        return None
    fair = len(shares) == seats and all(0.0 <= share <= 1.0 for share in shares)
    return shares if fair and math.isclose(sum(shares), 1.0, abs_tol=0.01) else None
