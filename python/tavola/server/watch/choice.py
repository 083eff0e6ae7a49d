"""The rules of the Live page: which matches it shows, the best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BOARDS = 12
"""The most boards of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A match that can be shown.

    Attributes:
        strength: The mean rating of its seats.
        at: When its last shown event happened; texts that are ordered as the times are.
        over: Whether it has ended.
    """

    match: str
    game: str
    strength: float
    at: str
    over: bool = False


def best(
    candidates: Sequence[Candidate],
    count: int = BOARDS,
    *,
    shown: Sequence[str] = (),
    since: str = "",
) -> list[Candidate]:
    """Return the best matches that are being played: the strongest, and of equals the liveliest.

    Args:
        candidates: The matches.
        count: How many to return at most.
        shown: The matches shown now. They stay before equals, so boards neither jump nor vanish.
        since: Shown matches whose last event is older do not stay.
    """
    places = {match: -place for place, match in enumerate(shown)}

    def rank(one: Candidate) -> tuple[float, bool, int, str, str]:
        stays = one.match in places and one.at >= since
        return one.strength, stays, places[one.match] if stays else 0, one.at, one.match

    return sorted((one for one in candidates if not one.over), key=rank, reverse=True)[:count]


def channel(candidates: Sequence[Candidate], game: str, shown: str | None) -> str | None:
    """Return the match that the channel of a game shows.

    Args:
        candidates: The matches.
        game: The game.
        shown: The match that it has shown so far.

    Returns:
        The same match as long as there is something to see, even its end for a while. Then the best
        one; `None` if no match is being played.
    """
    own = [one for one in candidates if one.game == game]
    current = next((one for one in own if one.match == shown), None)
    if current is not None:
        return current.match
    return next((one.match for one in best(own, 1)), None)
