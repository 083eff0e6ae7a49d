"""Finds puzzles in a position: proofs by exhaustive lookahead, and searches with a clear gap."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterator, Mapping
from itertools import islice

import msgspec

from tavola import _core
from tavola._core import CHANCE, State, Stop, prove, search
from tavola.puzzles.puzzle import Goal, LaterTurn, Puzzle, Try
from tavola.puzzles.turns import (
    TurnActions,
    all_ends,
    choices,
    end_of,
    is_turn_over,
    settle,
    turns,
)

__all__ = [
    "FEWEST_TURNS",
    "GAP",
    "MOST_WRONG",
    "NODES",
    "SAVED",
    "counter",
    "find",
    "gaps",
    "price",
    "value",
    "wins",
]

FEWEST_TURNS = 6
"""The least number of turns that a puzzle offers."""
MOST_ACTIONS = 20_000
"""The greatest number of actions to enumerate in a turn."""
MOST_SEARCHED = 150
"""The greatest number of turns of a position that is searched for its best turn."""
MOST_LINES = 1_000_000
"""The greatest number of lines of a turn and the last one after it."""
MOST_WRONG = 3
"""The greatest number of wrong turns with an answer of their own."""
MOST_ACCEPTED = 30
"""The greatest number of solutions of a later turn."""
NODES = 4000
"""The nodes of a search for the value of a turn."""
GAP = 0.2
"""The least distance of the best turn from the second in the share of the game."""
SAVED = 0.2
"""The least share of the game after a turn that saves."""


def find(
    first: State, goals: tuple[Goal, ...], themes: Collection[str], stop: Stop
) -> list[Puzzle]:
    """Find the puzzles of a position.

    Args:
        first: A state at the start of a turn.
        goals: The goals of the game.
        themes: The themes to look for.
        stop: Ends the search early; the result is then incomplete.

    Returns:
        At most one puzzle of the themes of all games, still without a level (0) and wrong turns,
        and one for each goal.
    """
    ends = turns(first, MOST_ACTIONS)
    if ends is None or len(ends) < FEWEST_TURNS:
        return []
    found = [_goal(first, ends, goal) for goal in goals if goal.id in themes]
    found.append(_forced(first, ends, stop))
    if not any(found) and "best" in themes:
        found.append(_best(first, stop))
    return [one for one in found if one is not None and one.theme in themes]


def _puzzle(first: State, theme: str, line: TurnActions, **more: object) -> Puzzle:
    text = first.text
    name = hashlib.blake2b(f"{theme} {text}".encode(), digest_size=3).hexdigest()
    seat = first.to_act
    assert seat is not None
    fields = {"level": 0, **more}
    given = {"id": name, "theme": theme, "position": text, "seat": seat, "play": " ".join(line)}
    return msgspec.convert({**given, **fields}, Puzzle)


def wins(state: State, seat: int, plies: int, stop: Stop | None = None) -> bool:
    """Return whether a seat has won, or forces a win within a number of actions."""
    if state.outcome is not None:
        return state.outcome.winners == (seat,)
    if plies <= 0:
        return False
    proof = prove(state, plies, stop=stop)
    return proof is not None and proof.winner == seat


def _won(state: State | None, seat: int) -> bool:
    """Return whether a seat has won; false for `None`."""
    return state is not None and wins(state, seat, 0)


def _loses(state: State, seat: int, plies: int) -> bool:
    """Return whether another seat has won, or forces a win within a number of actions."""
    if state.outcome is not None:
        return state.outcome.winners != () and seat not in state.outcome.winners
    proof = prove(state, plies)
    return proof is not None and proof.winner != seat


def _forced(first: State, ends: Mapping[State, TurnActions], stop: Stop) -> Puzzle | None:
    """Return a puzzle with a forced result, if exactly one turn wins in time, or is not lost."""
    seat = first.to_act
    assert seat is not None
    winning = [line for end, line in ends.items() if wins(end, seat, 0)]
    if winning:
        (line, *more) = winning
        sure = not more and all(_won(end, seat) for end in all_ends(first, line))
        return _puzzle(first, "win-1", line, plies=len(line)) if sure else None
    length = max(map(len, ends.values()))
    if first.game.has_chance:
        return _before_the_last_turn(first, ends, 4 * length, stop)
    for count in (2, 3):
        proof = prove(first, (2 * count - 1) * length, stop=stop)
        if proof is None:
            continue
        if proof.winner != seat:
            return None
        plies = (2 * count - 2) * length
        winning = [line for end, line in ends.items() if wins(end, seat, plies, stop)]
        if len(winning) != 1 or stop.is_set():
            return None
        later = tuple(_later(end_of(first, winning[0]), seat, count, length))
        whole = plies + len(winning[0])
        return _puzzle(first, f"win-{count}", winning[0], plies=whole, later=later)
    return _save(first, ends, length, stop)


def _later(state: State, seat: int, count: int, length: int) -> Iterator[LaterTurn]:
    """Yield the later turns of a forced win, each after the longest defence.

    They end before a turn with several solutions, unless it is the last one.
    """
    for left in range(count - 1, 0, -1):
        defences: list[tuple[int, int, str, tuple[str, ...], State]] = []
        for end, line in (turns(state, MOST_ACTIONS) or {}).items():
            if end.outcome is not None or end.to_act != seat:
                continue
            plies = (2 * left - 2) * length
            own = turns(end, MOST_ACTIONS) or {}
            accept = {after: play for after, play in own.items() if wins(after, seat, plies)}
            proof = prove(end, (2 * left - 1) * length)
            if proof is not None and accept:
                held = (proof.plies, -len(accept), " ".join(line))
                lines = tuple(" ".join(play) for play in accept.values())
                defences.append((*held, lines, next(iter(accept))))
        if not defences:
            return
        _, ways, reply, lines, state = max(defences, key=lambda one: one[:3])
        if -ways > (MOST_ACCEPTED if left == 1 else 1):
            return
        yield LaterTurn(reply, lines)


def _before_the_last_turn(
    first: State, ends: Mapping[State, TurnActions], plies: int, stop: Stop
) -> Puzzle | None:
    """Return a puzzle if the next turn is the last one, and one turn alone wins or is not lost.

    Then the proofs end with the game, although chance acts within them.
    """
    seat = first.to_act
    assert seat is not None
    after = next(iter(ends))
    last = turns(after, MOST_ACTIONS) if after.to_act != seat else None
    if not last or len(ends) * len(last) > MOST_LINES or any(one.outcome is None for one in last):
        return None
    winning = list(islice((end for end in ends if wins(end, seat, plies, stop)), 2))
    safe = winning or list(islice((end for end in ends if not _loses(end, seat, plies)), 2))
    if len(safe) != 1 or stop.is_set():
        return None
    (end,) = safe
    line = ends[end]
    for one in all_ends(first, line):
        if one is None or (winning and not wins(one, seat, plies)) or _loses(one, seat, plies):
            return None
    if winning:
        return _puzzle(first, "secure", line, plies=plies + len(line))
    return _saved(first, end, line, plies, stop)


def _save(
    first: State, ends: Mapping[State, TurnActions], length: int, stop: Stop
) -> Puzzle | None:
    """Return a puzzle if all turns but one lose by force."""
    seat = first.to_act
    assert seat is not None
    for plies in (length, 3 * length):
        safe = [(end, line) for end, line in ends.items() if not _loses(end, seat, plies)]
        if len(safe) == 1:
            return _saved(first, *safe[0], plies, stop)
        if not safe:
            return None
    return None


def _saved(first: State, end: State, line: TurnActions, plies: int, stop: Stop) -> Puzzle | None:
    """Return a puzzle if the only turn that is not proven lost has a fair share of the game."""
    seat = first.to_act
    assert seat is not None
    if all(value(end, seat, nodes, nodes, stop) >= SAVED for nodes in (NODES, 4 * NODES)):
        return _puzzle(first, "save", line, plies=plies, nodes=4 * NODES)
    return None


def value(state: State, seat: int, nodes: int, seed: int, stop: Stop | None = None) -> float:
    """Return the expected share of the game of a seat, by a search.

    Args:
        state: The state; chance may act, or the game may be over.
        seat: The seat.
        nodes: The nodes of the search.
        seed: The random seed.
        stop: Ends the search early.

    Returns:
        The share from 0 to 1.
    """
    if state.outcome is not None:
        return state.outcome.shares(state.game.seats)[seat]
    result = search(
        state,
        nodes=nodes,
        threads=1,
        seed=seed,
        method="tree",
        evaluate=state.game.network,
        stop=stop,
    )
    if state.to_act != CHANCE:
        # The value of the best line: a proven result counts as it is.
        return result.lines[0].shares[seat] if result.lines[0].proven else result.shares[seat]
    weights = dict(state.chance_outcomes)
    total = sum(weights.values())
    return sum(weights[line.action] * line.shares[seat] for line in result.lines) / total


def gaps(
    first: State, nodes: int, seed: int, stop: Stop | None = None
) -> tuple[TurnActions, float, float] | None:
    """Search for the best turn, with more and more nodes for fewer and fewer turns.

    Args:
        first: A state at the start of a turn.
        nodes: The nodes of the last searches.
        seed: The random seed.
        stop: Ends the search early; there is then no result.

    Returns:
        The best turn, its value, and the value of the second; `None` if the turns are too few or
        too many, or the gap closes before the last searches.
    """
    seat = first.to_act
    found = choices(first, MOST_ACTIONS)
    if found is None or not FEWEST_TURNS <= len(found) <= MOST_SEARCHED or seat is None:
        return None
    ranked = [(0.0, state) for state in found]
    for kept, part in ((8, 25), (4, 4), (3, 1)):
        values = [
            (value(state, seat, max(nodes // part, 1), seed + place, stop), state)
            for place, (_, state) in enumerate(ranked)
        ]
        ranked = sorted(values, key=lambda one: one[0], reverse=True)[:kept]
        if stop is not None and stop.is_set():
            return None
        if part < 25 and ranked[0][0] - ranked[1][0] < GAP / 2:
            return None
    (best, state), (second, _) = ranked[:2]
    return found[state], best, second


def _best(first: State, stop: Stop) -> Puzzle | None:
    """Return a puzzle if one turn is clearly the best, also with four times the nodes."""
    line: TurnActions | None = None
    best = 0.0
    for nodes in (NODES, 4 * NODES):
        found = gaps(first, nodes, nodes, stop)
        if found is None or found[1] - found[2] < GAP or (line is not None and found[0] != line):
            return None
        line, best = found[0], found[1]
    assert line is not None
    end = end_of(first, line)
    if not 0.25 <= best <= 0.97 or not is_turn_over(first, settle(end)):
        return None
    return _puzzle(first, "best", line, nodes=4 * NODES, value=round(100 * best))


def counter(state: State, seat: int, name: str) -> int:
    """Return a counter of a seat; 0 if the seat does not have it now."""
    return _core._counters(state, seat).get(name, 0)


def price(first: State, end: State, seat: int, goal: Goal) -> int:
    """Return the cost of a turn; 0 for a goal without cost.

    Args:
        first: The state before the turn.
        end: The state after the turn.
        seat: The seat of the player.
        goal: The goal.
    """
    return sum(
        weight * (counter(first, seat, name) - counter(end, seat, name))
        for name, weight in goal.cost.items()
    )


def _goal(first: State, ends: Mapping[State, TurnActions], goal: Goal) -> Puzzle | None:
    """Return a puzzle if one turn alone reaches a goal, whatever chance does."""
    seat = first.to_act
    assert seat is not None
    before = counter(first, seat, goal.counter)

    def score(end: State) -> tuple[int, int]:
        gain = goal.sign * (counter(end, seat, goal.counter) - before)
        return gain, -price(first, end, seat, goal)

    scores = {end: score(end) for end in ends}
    ranked = sorted(ends, key=lambda end: scores[end], reverse=True)
    (best, *others), (gain, cost) = ranked, scores[ranked[0]]
    if gain < goal.gain or scores[others[0]] == (gain, cost) or (goal.cost and cost >= 0):
        return None
    if any(end is None or score(end) != (gain, cost) for end in all_ends(first, ends[best])):
        return None
    # At a cost, only turns that reach as far are plausible.
    near = [end for end in others if (scores[end][0] == gain if goal.cost else scores[end][0] > 0)]
    if not near:
        return None
    rivals = sum(2 * scores[end][0] > gain for end in near)
    return _puzzle(
        first,
        goal.id,
        ends[best],
        # Engines do not play for a goal. The number of similar turns rates it.
        level=min(8, 1 + int(math.log(1 + rivals, 3))),
        plies=max(map(len, ends.values())),
        value=-cost if goal.cost else gain,
        aim=gain if goal.cost else None,
        wrong=tuple(
            Try(" ".join(ends[end]), value=-scores[end][1] if goal.cost else scores[end][0])
            for end in near[:MOST_WRONG]
        ),
    )
