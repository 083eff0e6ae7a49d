"""Games between engines, each from its opening to its record."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

import msgspec

from tavola import executor
from tavola._core import State, Stop
from tavola.engines import Engine, Info, engine
from tavola.errors import EngineFailed, Message
from tavola.match import Match
from tavola.record import Record, read_records
from tavola.tournament.schedule import Pairing, Schedule

__all__ = ["LONGEST", "EngineUsage", "GameResult", "play", "results", "shares", "tags"]

LONGEST = 2000
"""After how many actions a game is broken off as a draw."""

LONGEST_ENDING = 400


class EngineUsage(msgspec.Struct, frozen=True, kw_only=True):
    """What an engine spent on a game.

    Attributes:
        actions: How many actions it chose.
        seconds: How long it took for them.
        nodes: How many nodes it says it has looked at.
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
    """A game that was played.

    Attributes:
        number: Its number in the plan.
        shares: What each seat got of it: 1 for a win alone, 1 in sum.
        ending: How it ended: a code of the game's own, or a sentence, as long as it may be.
        forfeit: The seat that lost it because its engine failed.
        record: Its record text.
        thoughts: What each engine of the plan spent; empty if the game was read from a file.
    """

    number: int
    shares: tuple[float, ...]
    ending: str
    forfeit: int | None
    record: str
    thoughts: tuple[EngineUsage, ...] = ()


def results(plan: Schedule, pairings: Iterable[Pairing], processes: int) -> Generator[GameResult]:
    """Plays games in several processes, and gives them as they end.

    Closing the iterator, or an error in its user, ends the processes and their engines.

    Args:
        plan: The plan.
        pairings: The games of it to play.
        processes: How many at the same time.

    Raises:
        WorkerProcessDied: If a process dies.
        EngineError: If an engine cannot be made.
    """
    numbered = ((pairing.number, pairing) for pairing in pairings)
    return executor.run_parallel(partial(_engines, plan), numbered, processes)


@contextmanager
def _engines(plan: Schedule, stop: Stop) -> Iterator[Callable[[Pairing], GameResult | None]]:
    """The engines of a plan, which play its games."""
    game = plan.load()
    with ExitStack() as stack:
        engines = [stack.enter_context(engine(text, game)) for text in plan.engines]
        yield partial(play, plan, engines=engines, stop=stop)


def play(
    plan: Schedule, pairing: Pairing, engines: Sequence[Engine], stop: Stop
) -> GameResult | None:
    """Plays a game.

    An engine that fails loses; the game of the others ends with it.

    Args:
        plan: The plan.
        pairing: Which game of it.
        engines: The engines of the plan.
        stop: Set by another thread, it ends the game.

    Returns:
        What came of it; `None` if it was stopped.
    """
    match = Match(plan.load(), seed=pairing.chance_seed)
    for token in pairing.opening:
        match.play(token)
    said: dict[int, str] = {}
    spent = [EngineUsage() for _ in engines]
    failed: tuple[int, str] | None = None
    seat = 0
    try:
        # Whose program cannot even be started, loses at the first of its seats.
        for seat in range(len(pairing.lineup)):
            place = pairing.lineup[seat]
            if place not in pairing.lineup[:seat]:
                engines[place].new_game(pairing.seeds[place], stop=stop)
        while match.state.to_act is not None and len(match.actions) < LONGEST:
            seat = match.state.to_act
            place = pairing.lineup[seat]
            began = time.perf_counter()
            choice = engines[place].choose(match.state, moves=match.actions, stop=stop)
            took = time.perf_counter() - began
            if stop.is_set():
                return None
            spent[place] += EngineUsage(actions=1, seconds=took, nodes=choice.info.nodes or 0)
            if comment := _comment(choice.info):
                said[len(match.actions)] = comment
            match.play(choice.token)
    except EngineFailed as error:
        if stop.is_set():
            return None
        failed = seat, error.reason
    return _played(plan, pairing, match, said=said, failed=failed, spent=spent)


def tags(plan: Schedule, number: int) -> tuple[tuple[str, str], ...]:
    """The tags that tell in a record which game of which plan it is."""
    return (
        ("Game", plan.game),
        ("Options", " ".join(f"{name}={value}" for name, value in plan.options.items())),
        ("Round", str(number)),
        *((f"Seat{seat}", plan.engines[at]) for seat, at in enumerate(plan.lineup(number))),
        ("Seed", str(plan.seed)),
        ("Opening", str(plan.plies)),
    )


def shares(returns: Sequence[float]) -> tuple[float, ...]:
    """What each seat got of a game: those with the highest returns share it.

    >>> shares((1, -1)), shares((0, 0))
    ((1.0, 0.0), (0.5, 0.5))
    """
    best = max(returns)
    winners = sum(value == best for value in returns)
    return tuple(1.0 / winners if value == best else 0.0 for value in returns)


def _played(
    plan: Schedule,
    pairing: Pairing,
    match: Match,
    *,
    said: dict[int, str],
    failed: tuple[int, str] | None,
    spent: list[EngineUsage],
) -> GameResult:
    forfeit = None if failed is None else failed[0]
    if failed is not None:
        seat, reason = failed
        ending: str = Message("seat {seat} forfeits: its engine {reason}", seat=seat, reason=reason)
        returns = _without(failed[0], len(pairing.lineup))
    else:
        ending, returns = _ending(match.state)
    (plain,) = read_records(match.record)
    line = tuple(
        msgspec.structs.replace(step, comments=(said[place],)) if place in said else step
        for place, step in enumerate(plain.line)
    )
    record = Record(
        tags=(
            *tags(plan, pairing.number),
            ("Rules", str(match.game.rules_version)),
            ("Date", plain.tag("Date") or "?"),
            ("Result", " ".join(f"{value:.6g}" for value in returns)),
            ("Termination", " ".join(ending.split())[:LONGEST_ENDING]),
            ("Actions", str(len(line))),
        ),
        line=line,
    )
    return GameResult(
        number=pairing.number,
        shares=shares(returns),
        ending=ending,
        forfeit=forfeit,
        record=record.text,
        thoughts=tuple(spent),
    )


def _ending(state: State) -> tuple[str, tuple[float, ...]]:
    """How a game ended, and its returns."""
    if state.outcome is None or state.returns is None:
        return f"broken off after {LONGEST} actions", (0.0,) * state.game.seats
    return state.outcome.reason, state.returns


def _without(seat: int, seats: int) -> tuple[float, ...]:
    """The returns when one seat has lost and all others have won."""
    won, lost = 1.0 / (seats - 1) ** 2, -1.0 / (seats - 1)
    return tuple(lost if number == seat else won for number in range(seats))


def _comment(info: Info) -> str | None:
    """An engine's thoughts as a comment in the record."""
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
