"""The turns that a player can choose between, by the position in which they end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tavola._core import CHANCE, State

__all__ = [
    "TurnActions",
    "all_ends",
    "choices",
    "end_of",
    "is_turn_over",
    "play_fixed",
    "settle",
    "turns",
]

TurnActions = tuple[str, ...]
"""The actions of a player in one turn."""


def is_turn_over(first: State, state: State) -> bool:
    """Return whether the turn that begins in `first` is over in `state`.

    Chance within the turn does not end it: `settle` passes it.
    """
    return state.outcome is not None or (state.to_act, state.turn) != (first.to_act, first.turn)


def settle(state: State) -> State:
    """Return the state after the chance outcomes that a puzzle uses: the first possible ones."""
    while state.to_act == CHANCE:
        state = state.play(state.chance_outcomes[0][0])
    return state


def play_fixed(state: State, line: TurnActions) -> State:
    """Return the state after actions of a player, each with the chance outcomes after it.

    Raises:
        IllegalAction: If an action is illegal.
    """
    for token in line:
        state = settle(state.play(token))
    return state


def turns(first: State, limit: int) -> Mapping[State, TurnActions] | None:
    """Return the ends of all turns of the seat to act, each with one line of actions to it.

    An end is a state in which another seat acts, or the game is over. Of chance only the first
    possible outcomes are used, as a puzzle does.

    Args:
        first: The state at the start of the turn.
        limit: The greatest number of actions to try.

    Returns:
        The lines by their ends; `None` if there are too many.
    """
    return _ends(first, limit, settle)


def choices(first: State, limit: int) -> Mapping[State, TurnActions] | None:
    """Return the choices of the seat to act up to the end of the turn, or to chance.

    Args:
        first: The state at the start of the turn.
        limit: The greatest number of actions to try.

    Returns:
        One line of actions for each state at the end; `None` if there are too many.
    """
    return _ends(first, limit, lambda state: state)


def _ends(
    first: State, limit: int, follow: Callable[[State], State]
) -> Mapping[State, TurnActions] | None:
    """Return the ends of a turn, each state followed by the chance outcomes to use, if any."""
    ends: dict[State, TurnActions] = {}
    seen = {first}
    open_: list[tuple[State, TurnActions]] = [(first, ())]
    for state, line in open_:
        for token in state.legal_actions:
            limit -= 1
            if limit < 0:
                return None
            after = follow(state.play(token))
            if after in seen:
                continue
            seen.add(after)
            if after.to_act == CHANCE or is_turn_over(first, after):
                ends[after] = (*line, token)
            else:
                open_.append((after, (*line, token)))
    return ends


def end_of(first: State, line: TurnActions) -> State:
    """Return the state directly after the last action of a line, with chance still to act.

    Raises:
        IllegalAction: If an action is illegal.
    """
    return play_fixed(first, line[:-1]).play(line[-1])


def all_ends(state: State, line: TurnActions) -> Iterator[State | None]:
    """Yield the states after a line for all chance outcomes; `None` where it is not legal."""
    if state.to_act == CHANCE:
        for token, _ in state.chance_outcomes:
            yield from all_ends(state.play(token), line)
    elif not line:
        yield state
    elif line[0] not in state.legal_actions:
        yield None
    else:
        yield from all_ends(state.play(line[0]), line[1:])
