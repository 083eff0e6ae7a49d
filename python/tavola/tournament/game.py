"""Plays games between engines, from the opening to the record."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

import msgspec

from tavola._core import Outcome, State, Stop
from tavola.engines import Choice, Engine, Info, engine
from tavola.errors import EngineFailed, Message
from tavola.executors import Executor
from tavola.match import Match
from tavola.options_text import options_text
from tavola.record import Record, read_records
from tavola.self_play import MAX_ACTIONS
from tavola.tournament.schedule import Pairing, Schedule

__all__ = [
    "Comment",
    "EngineUsage",
    "GameResult",
    "play",
    "play_games",
    "tags",
]

LONGEST_ENDING = 400

Comment = Callable[[Sequence[State], Choice], Sequence[str | None]]
"""Returns comments on an action and on the chance outcomes after it, in their order. It gets the
states from the one before the action to the one after the last outcome."""


class EngineUsage(msgspec.Struct, frozen=True, kw_only=True):
    """The resources that an engine used.

    Attributes:
        actions: The number of actions it chose.
        seconds: The time it used for them, in seconds.
        nodes: The number of nodes it reported.
    """

    actions: int = 0
    seconds: float = 0.0
    nodes: int = 0

    def __add__(self, other: EngineUsage) -> EngineUsage:
        return EngineUsage(
            actions=self.actions + other.actions,
            seconds=self.seconds + other.seconds,
            nodes=self.nodes + other.nodes,
        )


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a game.

    Attributes:
        number: The number of the game in the schedule, from 1.
        shares: The share of the win by seat, 1 in sum.
        ending: The reason of the end: a code of the game, or a message.
        forfeit: The seat that lost because its engine failed, or None.
        record: The record text.
        usage: The resources by engine; empty if the game was read from a file.
    """

    number: int
    shares: tuple[float, ...]
    ending: str
    forfeit: int | None
    record: str
    usage: tuple[EngineUsage, ...] = ()


def play_games(
    schedule: Schedule, pairings: Iterable[Pairing], executor: Executor
) -> Generator[GameResult]:
    """Play games in the processes of an executor.

    Closing the generator ends the processes and their engines.

    Args:
        schedule: The schedule.
        pairings: The games of the schedule to play.
        executor: Runs the games.

    Yields:
        The results, in the order in which the games end.

    Raises:
        WorkerProcessDied: If three processes exit during the same game.
        EngineError: If an engine cannot be created.
    """
    numbered = ((pairing.number, pairing) for pairing in pairings)
    return executor.run(partial(_engines, schedule), numbered)


@contextmanager
def _engines(schedule: Schedule, stop: Stop) -> Iterator[Callable[[Pairing], GameResult | None]]:
    """Create the engines of a schedule; yield a function that plays a game."""
    game = schedule.load()
    with ExitStack() as stack:
        engines = [stack.enter_context(engine(text, game)) for text in schedule.engines]
        yield partial(play, schedule, engines=engines, stop=stop)


def play(
    schedule: Schedule,
    pairing: Pairing,
    engines: Sequence[Engine],
    stop: Stop,
    comment: Comment | None = None,
) -> GameResult | None:
    """Play a game. If an engine fails, its seat loses and the game ends.

    Args:
        schedule: The schedule.
        pairing: The game of the schedule to play.
        engines: The engines of the schedule.
        stop: Ends the game when another thread sets it.
        comment: Writes the comments of the record in place of the report of the engine.

    Returns:
        The result; `None` if the game was stopped.
    """
    match = Match(schedule.load(), seed=pairing.chance_seed)
    for token in pairing.opening:
        match.play(token)
    comments: dict[int, str] = {}
    usage = [EngineUsage() for _ in engines]
    failed: tuple[int, str] | None = None
    seat = 0
    try:
        # An engine that cannot be started loses on the first of its seats.
        for seat in range(len(pairing.lineup)):
            place = pairing.lineup[seat]
            if place not in pairing.lineup[:seat]:
                engines[place].new_game(pairing.seeds[place], stop=stop)
        while match.state.to_act is not None and len(match.actions) < MAX_ACTIONS:
            seat = match.state.to_act
            place = pairing.lineup[seat]
            began = time.perf_counter()
            choice = engines[place].choose(match.state, moves=match.actions, stop=stop)
            seconds = time.perf_counter() - began
            if stop.is_set():
                return None
            usage[place] += EngineUsage(actions=1, seconds=seconds, nodes=choice.info.nodes or 0)
            place_of_action = len(match.actions)
            match.play(choice.token)
            if comment is None:
                written: Sequence[str | None] = [_comment(choice.info)]
            else:
                written = comment(match.states[place_of_action:], choice)
            for offset, text in enumerate(written):
                if text:
                    comments[place_of_action + offset] = text
    except EngineFailed as error:
        if stop.is_set():
            return None
        failed = seat, error.details
    return _result(schedule, pairing, match, comments=comments, failed=failed, usage=usage)


def tags(schedule: Schedule, number: int) -> tuple[tuple[str, str], ...]:
    """Return the tags that identify a game of a schedule in its record."""
    return (
        ("Game", schedule.game),
        ("Options", options_text(schedule.options)),
        ("Round", str(number)),
        *((f"Seat{seat}", schedule.engines[at]) for seat, at in enumerate(schedule.lineup(number))),
        ("Seed", str(schedule.seed)),
        ("Opening", str(schedule.plies)),
    )


def _result(
    schedule: Schedule,
    pairing: Pairing,
    match: Match,
    *,
    comments: dict[int, str],
    failed: tuple[int, str] | None,
    usage: list[EngineUsage],
) -> GameResult:
    forfeit, seats = None if failed is None else failed[0], len(pairing.lineup)
    if failed is not None:
        seat, reason = failed
        ending: str = Message("seat {seat} forfeits: its engine {reason}", seat=seat, reason=reason)
        outcome = Outcome.lost_by(seat, seats, "forfeit")
    else:
        outcome = match.state.outcome or Outcome((), f"draw after {MAX_ACTIONS} actions")
        ending = outcome.reason
    (plain,) = read_records(match.record)
    line = tuple(
        msgspec.structs.replace(step, comments=(comments[place],)) if place in comments else step
        for place, step in enumerate(plain.line)
    )
    record = Record(
        tags=(
            *tags(schedule, pairing.number),
            ("Rules", str(match.game.rules_version)),
            ("Date", plain.tag("Date") or "?"),
            ("Result", " ".join(f"{value:.6g}" for value in outcome.returns(seats))),
            ("Termination", " ".join(ending.split())[:LONGEST_ENDING]),
            ("Actions", str(len(line))),
        ),
        line=line,
    )
    return GameResult(
        number=pairing.number,
        shares=outcome.shares(seats),
        ending=ending,
        forfeit=forfeit,
        record=record.text,
        usage=tuple(usage),
    )


def _comment(info: Info) -> str | None:
    """Format the report of an engine as a comment of the record."""
    words = []
    if info.shares is not None:
        words.append(" ".join(f"{share:.3f}" for share in info.shares))
    if info.proven:
        words.append("proven")
    if info.depth is not None:
        words.append(f"depth {info.depth}")
    if info.nodes is not None:
        words.append(f"nodes {info.nodes}")
    return ", ".join(words) or None
