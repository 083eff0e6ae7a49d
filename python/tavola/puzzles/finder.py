"""Finds puzzles in a position: proofs by exhaustive lookahead, and searches with a clear gap."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterator, Mapping

import msgspec

from tavola import _core
from tavola._core import CHANCE, State, Stop, prove, search
from tavola.puzzles.puzzle import Goal, LaterTurn, Puzzle, Try
from tavola.puzzles.turns import (
    Line,
    choices,
    end_of,
    is_turn_over,
    meets_chance,
    settle,
    turns,
)
from tavola.tournament.game import shares

__all__ = [
    "FEWEST_TURNS",
    "GAP",
    "MOST_WRONG",
    "NODES",
    "SAVED",
    "counter",
    "find",
    "gaps",
    "value",
    "wins",
]

FEWEST_TURNS = 6
"""The least number of turns that a puzzle offers."""
MOST_ACTIONS = 20_000
"""The greatest number of actions to enumerate in a turn."""
MOST_SEARCHED = 150
"""The greatest number of turns of a position that is searched for its best turn."""
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


def _puzzle(first: State, theme: str, line: Line, **more: object) -> Puzzle:
    text = first.text
    name = hashlib.blake2b(f"{theme} {text}".encode(), digest_size=3).hexdigest()
    seat = first.to_act
    assert seat is not None
    fields = {"level": 0, **more}
    made = {"id": name, "theme": theme, "position": text, "seat": seat, "play": " ".join(line)}
    return msgspec.convert({**made, **fields}, Puzzle)


def wins(state: State, seat: int, plies: int, stop: Stop | None = None) -> bool:
    """Return whether a seat has won, or forces a win within a number of actions."""
    if state.outcome is not None:
        return state.outcome.winners == (seat,)
    if plies <= 0:
        return False
    proof = prove(state, plies, stop=stop)
    return proof is not None and proof.winner == seat


def _loses(state: State, seat: int, plies: int) -> bool:
    """Return whether another seat has won, or forces a win within a number of actions."""
    if state.outcome is not None:
        return state.outcome.winners != () and seat not in state.outcome.winners
    proof = prove(state, plies)
    return proof is not None and proof.winner != seat


def _forced(first: State, ends: Mapping[State, Line], stop: Stop) -> Puzzle | None:
    """Return a puzzle with a forced result, if exactly one turn wins in time, or is not lost."""
    seat = first.to_act
    assert seat is not None
    winning = [line for end, line in ends.items() if wins(end, seat, 0)]
    if winning:
        (line, *more) = winning
        sure = not more and not meets_chance(first, line) and wins(end_of(first, line), seat, 1)
        return _puzzle(first, "win-1", line, plies=len(line)) if sure else None
    if first.game.has_chance:
        return None
    length = max(map(len, ends.values()))
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


def _save(first: State, ends: Mapping[State, Line], length: int, stop: Stop) -> Puzzle | None:
    """Return a puzzle if all turns but one lose by force."""
    seat = first.to_act
    assert seat is not None
    for plies in (length, 3 * length):
        safe = [(end, line) for end, line in ends.items() if not _loses(end, seat, plies)]
        if len(safe) == 1:
            end, line = safe[0]
            if all(value(end, seat, nodes, nodes, stop) >= SAVED for nodes in (NODES, 4 * NODES)):
                return _puzzle(first, "save", line, plies=plies, nodes=4 * NODES)
            return None
        if not safe:
            return None
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
    if state.returns is not None:
        return float(shares(state.returns)[seat])
    found = search(state, nodes=nodes, threads=1, seed=seed, method="tree", stop=stop)
    if state.to_act != CHANCE:
        # The value of the best line: a proven result counts as it is.
        return found.lines[0].shares[seat] if found.lines[0].proven else found.shares[seat]
    weights = dict(state.chance_outcomes)
    total = sum(weights.values())
    return sum(weights[line.action] * line.shares[seat] for line in found.lines) / total


def gaps(
    first: State, nodes: int, seed: int, stop: Stop | None = None
) -> tuple[Line, float, float] | None:
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
    line: Line | None = None
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


def _goal(first: State, ends: Mapping[State, Line], goal: Goal) -> Puzzle | None:
    """Return a puzzle if one turn alone brings the counter farthest, whatever chance does."""
    seat = first.to_act
    assert seat is not None
    before = counter(first, seat, goal.counter)
    gains = {end: goal.sign * (counter(end, seat, goal.counter) - before) for end in ends}
    most = max(gains.values())
    best = [end for end, gain in gains.items() if gain == most]
    if most < goal.gain or len(best) > 1:
        return None
    line = ends[best[0]]
    reached = set(_reached(first, line, seat, goal.counter))
    if reached != {before + goal.sign * most}:
        return None
    near = sorted(
        (end for end in ends if end != best[0] and gains[end] > 0),
        key=lambda end: gains[end],
        reverse=True,
    )
    if not near:
        return None
    rivals = sum(2 * gains[end] > most for end in near)
    return _puzzle(
        first,
        goal.id,
        line,
        # Engines do not play for a goal. The number of similar turns rates it.
        level=min(8, 1 + int(math.log(1 + rivals, 3))),
        plies=max(map(len, ends.values())),
        value=most,
        wrong=tuple(Try(" ".join(ends[end]), value=gains[end]) for end in near[:MOST_WRONG]),
    )


def _reached(state: State, line: Line, seat: int, name: str) -> Iterator[int | None]:
    """Yield the counter after a line for all chance outcomes; `None` where it is not legal."""
    if state.to_act == CHANCE:
        for token, _ in state.chance_outcomes:
            yield from _reached(state.play(token), line, seat, name)
    elif not line:
        yield counter(state, seat, name)
    elif line[0] not in state.legal_actions:
        yield None
    else:
        yield from _reached(state.play(line[0]), line[1:], seat, name)
