"""Self-play: matches are played to their ends, an action of each at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from tavola._core import Stop
from tavola.match import Match

__all__ = ["MAX_ACTIONS", "is_terminal", "play_out"]

MAX_ACTIONS = 2000
"""The maximum number of actions and chance outcomes of a game that no player watches."""

M = TypeVar("M", bound=Match)
"""The matches."""


def is_terminal(match: Match) -> bool:
    """Return whether a match has come to its end by the rules."""
    return match.state.is_terminal


def play_out(
    matches: Iterable[M],
    choose: Callable[[Sequence[M]], Iterable[str]],
    stop: Stop,
    is_over: Callable[[M], bool] = is_terminal,
) -> bool:
    """Play matches to their ends; longer ones stay unfinished after `MAX_ACTIONS`.

    Args:
        matches: The matches.
        choose: Returns the next action of each match that is being played.
        stop: Ends the matches when another thread sets it.
        is_over: Returns whether a match need not be played on.

    Returns:
        Whether the matches were played out; false if they were stopped.
    """
    playing = list(matches)
    while True:
        playing = [one for one in playing if not is_over(one) and len(one.actions) < MAX_ACTIONS]
        if not playing:
            return True
        tokens = list(choose(playing))
        if stop.is_set():
            return False
        for match, token in zip(playing, tokens, strict=True):
            match.play(token)
