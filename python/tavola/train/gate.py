"""The gate: a new network plays against the best one, or against the compiled search."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import NamedTuple

import tavola
from tavola._core import Game, Network, Outcome, Stop
from tavola.executors import Executor, run_in_order
from tavola.match import Match
from tavola.self_play import play_out
from tavola.tournament import Pairing, Schedule, Scores, Sprt

__all__ = ["Player", "play_schedule", "score_network"]

TOGETHER = 16
"""The number of games of a task: one process plays and searches them together."""

GameScore = tuple[int, tuple[float, ...]]
"""The number of the group of a game, and the share of each player."""


class Player(NamedTuple):
    """A side of a gate.

    Attributes:
        evaluate: The network, or `None` for the compiled search.
        nodes: The simulations of an action.
        c_puct: The exploration constant of a network; `None` is the default of the search.
    """

    evaluate: Network | None
    nodes: int
    c_puct: float | None = None


def play_schedule(
    schedule: Schedule, players: Sequence[Player], *, executor: Executor | None = None
) -> Generator[GameScore]:
    """Play the games of a schedule, many at once. The result does not depend on the executor.

    Closing the generator stops the running games.

    Args:
        schedule: The schedule, with one engine for each player.
        players: The players.
        executor: Runs the tasks; `None` runs them in this process.

    Yields:
        The number of the group of each game, and the share of each player.

    Raises:
        WorkerProcessDied: If three processes exit during the same task.
    """
    begin = partial(_begin, schedule, tuple(players))
    with closing(run_in_order(begin, _tasks(schedule, len(players)), executor)) as playing:
        for scores in playing:
            yield from scores


def _tasks(schedule: Schedule, parties: int) -> Iterator[tuple[int, tuple[Pairing, ...]]]:
    """Yield the games of each task, with the number of the first one."""
    pairings = schedule.pairings()
    size = max(1, TOGETHER // parties) * parties
    while chunk := tuple(itertools.islice(pairings, size)):
        yield chunk[0].number, chunk


@contextmanager
def _begin(
    schedule: Schedule, players: Sequence[Player], stop: Stop
) -> Iterator[Callable[[Sequence[Pairing]], list[GameScore] | None]]:
    """Yield a function that plays the games of a task."""
    yield partial(_play, schedule.load(), players, stop)


def _play(
    game: Game, players: Sequence[Player], stop: Stop, pairings: Sequence[Pairing]
) -> list[GameScore] | None:
    """Play the games of a task; return `None` if they were stopped."""
    matches = []
    for pairing in pairings:
        match = Match(game, seed=pairing.chance_seed)
        for token in pairing.opening:
            match.play(token)
        matches.append(match)
    lineups = {id(match): one.lineup for match, one in zip(matches, pairings, strict=True)}
    seeds = itertools.count(pairings[0].seeds[0])

    def choose(playing: Sequence[Match]) -> list[str]:
        turns: dict[int, list[Match]] = defaultdict(list)
        for match in playing:
            assert match.state.to_act is not None
            turns[lineups[id(match)][match.state.to_act]].append(match)
        seed, tokens = next(seeds) % 2**32, dict[int, str]()
        for place, mine in sorted(turns.items()):
            player = players[place]
            policies, _ = tavola.search_batch(
                [match.state for match in mine],
                player.nodes,
                evaluate=player.evaluate,
                c_puct=player.c_puct,
                temperature=0.0,
                threads=1,
                seed=seed,
            )
            for match, policy in zip(mine, policies, strict=True):
                tokens[id(match)] = game.actions[int(policy.argmax())]
        return [tokens[id(match)] for match in playing]

    if not play_out(matches, choose, stop):
        return None
    scores = []
    for pairing, match in zip(pairings, matches, strict=True):
        got = [0.0] * len(players)
        outcome = match.state.outcome or Outcome((), "limit")
        for player, share in zip(pairing.lineup, outcome.shares(game.seats), strict=True):
            got[player] += share
        scores.append((pairing.group, tuple(got)))
    return scores


def score_network(
    schedule: Schedule,
    players: Sequence[Player],
    sprt: Sprt | None,
    *,
    executor: Executor | None = None,
    tell: Callable[[int], None] = lambda done: None,
) -> tuple[Scores, bool | None]:
    """Play until the sequential test is decided, or all games are played.

    Args:
        schedule: The schedule, in which the first engine is the new network.
        players: The players.
        sprt: The sequential test; `None` plays all games.
        executor: Runs the games; `None` plays them in this process.
        tell: Gets the number of played games.

    Returns:
        The scores of the new network by group, and the verdict: `None` if undecided.
    """
    scores, parties, verdict = Scores(), len(players), None
    waiting: dict[int, list[float]] = defaultdict(list)
    with closing(play_schedule(schedule, players, executor=executor)) as playing:
        for done, (group, got) in enumerate(playing, 1):
            waiting[group].append(got[0])
            if len(waiting[group]) == parties:
                scores.add(sum(waiting.pop(group)) / parties)
                verdict = None if sprt is None else sprt.verdict(scores, parties)
            tell(done)
            if verdict is not None:
                break
    return scores, verdict
