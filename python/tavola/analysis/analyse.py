"""The walk through a record: every position valued, every action held against the best."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import tavola
from tavola.analysis.evaluator import Value, Valuer
from tavola.analysis.types import (
    Action,
    Balance,
    Grade,
    Limits,
    Position,
    Shares,
    Study,
    StudyError,
)
from tavola.errors import Message
from tavola.match import Match
from tavola.record import Record, read_records

__all__ = ["analyse"]

MISTAKE = 0.08
BLUNDER = 0.2
"""What part of a game an action costs to be called so."""

DECISIVE = 5
SWING = 0.1
"""How many actions are called decisive at most, and how much each changed at least."""

LINES = 8
"""How many actions of a position are kept."""


def analyse(
    record: Record | Match,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    resume: Study | None = None,
    stop: tavola.Stop | None = None,
) -> Iterator[Study]:
    """Finds out what every position of a record was worth and what every action changed.

    An action that is not the best is compared with the best by searching the positions after both
    alike; it costs nothing unless the difference is greater than its margin
    (`docs/explanation/analysis.md`).

    Args:
        record: The record, or a match with what was played so far.
        seconds: How long to think about each position, and as long again about the better action
            where there was one; 1.0 if neither this nor `nodes` is given.
        nodes: How many nodes to look at, likewise.
        threads: How many threads think; all cores if None. With one thread, `nodes` and no
            `seconds`, the same seed gives the same study.
        seed: What all random choices follow from.
        resume: A study of the same record under the same limits, to go on from.
        stop: Ends the study from another thread: the last one that was yielded is what there is.

    Yields:
        The study so far: first with one position and no action, then with one more of each.

    Raises:
        IllegalAction: At once, if an action of the record is not legal where it stands.
        RecordError: If the record names no game, or was played under other rules.
        PositionError: If its tag `Position` is no position.
        StudyError: If `resume` is of another record or of other limits.
        ValueError: If a limit makes no sense.
        TypeError: If it is neither a record nor a match: a text is read by `read_records`.

    >>> match = tavola.Match(tavola.load("potlatch")).play("Pnw")
    >>> [len(study.actions) for study in analyse(match, nodes=20, threads=1)]
    [0, 1]
    """
    record = _record(record)
    limits = _limits(seconds, nodes, threads, seed)
    states = tuple(record.states())
    begun = resume or Study(
        game=record.game.name,
        options={name: str(value) for name, value in record.game.options.items()},
        rules_version=record.game.rules_version,
        limits=limits,
        length=len(record.actions),
        positions=(),
        actions=(),
        balances=(),
        decisive=(),
    )
    if resume is not None:
        _check_same(resume, record, states, limits)
    return _walk(begun, record.actions, states, stop or tavola.Stop())


def _record(given: object) -> Record:
    if isinstance(given, Match):
        (record,) = read_records(given.record)
        return record
    if isinstance(given, Record):
        return given
    kind = type(given).__name__
    raise TypeError(
        f"analyse takes a Record or a Match, not {kind}: read_records(...) reads a text"
    )


def _limits(seconds: float | None, nodes: int | None, threads: int | None, seed: int) -> Limits:
    if seconds is not None and not 0.0 < seconds < math.inf:
        raise ValueError(f"seconds must be more than 0, not {seconds}")
    if nodes is not None and nodes < 1:
        raise ValueError(f"nodes must be 1 or more, not {nodes}")
    if threads is not None and threads < 1:
        raise ValueError(f"threads must be 1 or more, not {threads}")
    if seed < 0:
        raise ValueError(f"seed must be 0 or more, not {seed}")
    if seconds is None and nodes is None:
        seconds = 1.0
    return Limits(seconds=seconds, nodes=nodes, threads=threads, seed=seed)


def _check_same(
    resume: Study, record: Record, states: tuple[tavola.State, ...], limits: Limits
) -> None:
    played = tuple(action.token for action in resume.actions)
    texts = tuple(position.text for position in resume.positions)
    same = (
        resume.game == record.game.name
        and resume.length == len(record.actions)
        and played == record.actions[: len(played)]
        and texts == tuple(state.text for state in states[: len(texts)])
    )
    if not same:
        raise StudyError(Message("the study to go on from is of another record"))
    if resume.rules_version != record.game.rules_version:
        raise StudyError(Message("the study to go on from was made under other rules"))
    if resume.limits != limits:
        raise StudyError(Message("the study to go on from was made with other limits"))


def _walk(
    study: Study, tokens: tuple[str, ...], states: tuple[tavola.State, ...], stop: tavola.Stop
) -> Iterator[Study]:
    valuer = Valuer(study.limits, stop)
    positions, actions = list(study.positions), list(study.actions)
    done = len(actions)
    value = valuer.value(states[done], done)
    if stop.is_set():
        return
    if positions:
        # Gone on from: the position stays as it was told, whatever another search may say.
        value = _as_told(value, positions[-1])
    else:
        positions.append(_position(states[0], value))
    yield _so_far(study, positions, actions)
    for place in range(done, len(tokens)):
        after = valuer.after(states[place], value, tokens[place], place + 1)
        action = _judge(valuer, states[place], place, tokens[place], value, after)
        if stop.is_set():
            return
        actions.append(action)
        positions.append(_position(states[place + 1], after))
        value = after
        yield _so_far(study, positions, actions)


def _as_told(value: Value, position: Position) -> Value:
    return Value(
        shares=position.shares,
        margins=position.margins,
        lines=position.lines or value.lines,
        certain=position.certain,
        nodes=position.nodes,
    )


def _position(state: tavola.State, value: Value) -> Position:
    return Position(
        text=state.text,
        turn=state.turn,
        to_act=state.to_act,
        shares=value.shares,
        margins=value.margins,
        lines=value.lines if state.to_act == tavola.CHANCE else value.lines[:LINES],
        certain=value.certain,
        nodes=value.nodes,
    )


def _judge(
    valuer: Valuer, state: tavola.State, place: int, token: str, value: Value, after: Value
) -> Action:
    """What an action changed, from what the position before it and the one after it are worth."""
    seat, turn = state.to_act, state.turn
    assert seat is not None, "an action was played"
    nothing = (0.0,) * len(value.shares)
    best, cost, margin, grade, effect = None, 0.0, 0.0, None, nothing
    if seat == tavola.CHANCE:
        effect = _difference(value.line(token).shares, value.shares)
    else:
        best = value.lines[0].action
        if best == token:
            grade = _grade(0.0, is_best=True)
        else:
            instead = valuer.after(state, value, best, place + 1)
            cost = instead.shares[seat] - after.shares[seat]
            margin = math.hypot(instead.margins[seat], after.margins[seat])
            if cost > margin:
                effect = _difference(after.shares, instead.shares)
            else:
                # Not to be told from what the search would have played, or even better.
                best = token if cost < -margin else best
                cost = 0.0
            grade = _grade(cost, is_best=best == token)
    change = _difference(after.shares, value.shares)
    return Action(
        token=token,
        seat=seat,
        turn=turn,
        best=best,
        cost=cost,
        margin=margin,
        grade=grade,
        effect=effect,
        unforeseen=_difference(change, effect),
    )


def _grade(cost: float, *, is_best: bool) -> Grade:
    if is_best:
        return "best"
    if cost >= BLUNDER:
        return "blunder"
    return "mistake" if cost >= MISTAKE else "good"


def _difference(after: Shares, before: Shares) -> Shares:
    return tuple(one - other for one, other in zip(after, before, strict=True))


def _so_far(study: Study, positions: list[Position], actions: list[Action]) -> Study:
    return Study(
        game=study.game,
        options=study.options,
        rules_version=study.rules_version,
        limits=study.limits,
        length=study.length,
        positions=tuple(positions),
        actions=tuple(actions),
        balances=_balances(positions, actions),
        decisive=_decisive(positions),
    )


def _balances(positions: list[Position], actions: list[Action]) -> tuple[Balance, ...]:
    return tuple(
        Balance(
            seat=seat,
            start=positions[0].shares[seat],
            luck=sum(a.effect[seat] for a in actions if a.seat == tavola.CHANCE),
            own=sum(a.effect[seat] for a in actions if a.seat == seat),
            others=sum(a.effect[seat] for a in actions if a.seat not in (seat, tavola.CHANCE)),
            unforeseen=sum(a.unforeseen[seat] for a in actions),
            end=positions[-1].shares[seat],
        )
        for seat in range(len(positions[0].shares))
    )


def _decisive(positions: list[Position]) -> tuple[int, ...]:
    """The places of the actions that changed the shares most, the greatest first."""
    swings = [
        max(map(abs, _difference(after.shares, before.shares)))
        for before, after in pairwise(positions)
    ]
    order = sorted(range(len(swings)), key=lambda place: -swings[place])
    return tuple(place for place in order[:DECISIVE] if swings[place] >= SWING)
