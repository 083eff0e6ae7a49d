"""Analysis of a record: evaluates every position and compares every action with the best."""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec

import tavola
from tavola.analysis.evaluator import Evaluator, Value, summarize
from tavola.analysis.types import Action, AnalysisError, GameAnalysis, Limits, Position
from tavola.engines.spec import analysis_network
from tavola.errors import Message
from tavola.match import Match
from tavola.record import Record, read_records

__all__ = ["analyse"]

LINES = 8
"""The number of lines of a position in the result."""


def analyse(
    record: Record | Match,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    engine: str | None = None,
    resume: GameAnalysis | None = None,
    stop: tavola.Stop | None = None,
) -> Iterator[GameAnalysis]:
    """Analyse a game: the value of every position, and the effect of every action.

    An action is compared with the best one by searching the positions after both with the same
    limits. It has a cost only if the difference exceeds the margin of error, see
    `docs/explanation/analysis.md`.

    Args:
        record: A record, or a match with its actions so far.
        seconds: The time for each position in seconds, and the same again for a better action.
            Default: 1.0 if `nodes` is not given.
        nodes: The number of nodes for each position, and the same again for a better action.
        threads: The number of threads; None for all cores. With one thread and only `nodes` as a
            limit, the same seed gives the same analysis.
        seed: The random seed.
        engine: `classic`, `net` or `net:file=PATH`, as for `tavola.engine`. `None` is the best one
            of the game: `net` if it has a network for its options, otherwise `classic`.
        resume: An unfinished analysis of the same record with the same limits and network.
        stop: Ends the analysis when another thread sets it.

    Yields:
        The analysis so far: first with one position and no action, then with one more of each.

    Raises:
        TypeError: If `record` is not a `Record` or a `Match`; `read_records` reads a text or file.
        IllegalAction: If the record contains an illegal action; raised immediately.
        RecordError: If the record has no game, or another version of the rules.
        PositionError: If the tag `Position` is not a position.
        EngineError: If there is no such engine or network.
        AnalysisError: If `resume` is of another record, or has other limits or another network.
        ValueError: If a limit is not positive.

    >>> match = tavola.Match(tavola.load("potlatch")).play("Pnw")
    >>> [len(study.actions) for study in analyse(match, nodes=20, threads=1)]
    [0, 1]
    """
    record = _record(record)
    limits = _limits(seconds, nodes, threads, seed)
    states = tuple(record.states())
    network = analysis_network(engine, record.game)
    about = None if network is None else network.about
    begun = resume or GameAnalysis(
        game=record.game.name,
        options={name: str(value) for name, value in record.game.options.items()},
        rules_version=record.game.rules_version,
        limits=limits,
        network=about,
        length=len(record.actions),
        positions=(),
        actions=(),
        balances=(),
        decisive=(),
    )
    if resume is not None:
        _check_same(resume, record, states, limits)
        if resume.network != about:
            raise AnalysisError(Message("the analysis was made with another network"))
    stop = stop or tavola.Stop()
    evaluator = Evaluator(limits, stop, network=network)
    return _walk(begun, record.actions, states, evaluator, stop)


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
    resume: GameAnalysis, record: Record, states: tuple[tavola.State, ...], limits: Limits
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
        raise AnalysisError(Message("the analysis is of another record"))
    if resume.rules_version != record.game.rules_version:
        raise AnalysisError(Message("the analysis was made under another version of the rules"))
    if resume.limits != limits:
        raise AnalysisError(Message("the analysis was made with other limits"))


def _walk(
    study: GameAnalysis,
    tokens: tuple[str, ...],
    states: tuple[tavola.State, ...],
    evaluator: Evaluator,
    stop: tavola.Stop,
) -> Iterator[GameAnalysis]:
    positions, actions = list(study.positions), list(study.actions)
    done = len(actions)
    value = evaluator.value(states[done], done)
    if stop.is_set():
        return
    if positions:
        # Resume from the stored values, because another search may find different ones.
        value = _stored(value, positions[-1])
    else:
        positions.append(_position(states[0], value))
    yield _so_far(study, positions, actions)
    for place in range(done, len(tokens)):
        action, after = evaluator.judge(states[place], tokens[place], value, place)
        if stop.is_set():
            return
        actions.append(action)
        positions.append(_position(states[place + 1], after))
        value = after
        yield _so_far(study, positions, actions)


def _stored(value: Value, position: Position) -> Value:
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


def _so_far(study: GameAnalysis, positions: list[Position], actions: list[Action]) -> GameAnalysis:
    summary = summarize([position.shares for position in positions], actions)
    return msgspec.structs.replace(
        study,
        positions=tuple(positions),
        actions=tuple(actions),
        balances=summary.balances,
        decisive=summary.decisive,
    )
