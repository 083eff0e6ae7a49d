"""The gate: a new network plays against the best one, or against the compiled search."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import tavola
from tavola._core import Game, Network
from tavola.match import Match
from tavola.tournament import Schedule, Scores, Sprt
from tavola.tournament.game import shares

__all__ = ["Player", "play_schedule", "score_network"]

LONGEST = 2000
"""The maximum number of actions of a game; after it the game is a draw."""

TOGETHER = 64
"""The number of games that are searched together."""


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
    schedule: Schedule, players: Sequence[Player], *, threads: int = 1
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Play the games of a schedule, many at once.

    Args:
        schedule: The schedule, with one engine for each player.
        players: The players.
        threads: The number of threads of the search.

    Yields:
        The number of the group of each game, and the share of each player.
    """
    game = schedule.load()
    pairings = iter(schedule.pairings())
    size = max(1, TOGETHER // len(players)) * len(players)
    while chunk := list(itertools.islice(pairings, size)):
        matches = []
        for pairing in chunk:
            match = Match(game, seed=pairing.chance_seed)
            for token in pairing.opening:
                match.play(token)
            matches.append(match)
        _play_out(game, matches, [one.lineup for one in chunk], players, chunk[0].seeds[0], threads)
        for pairing, match in zip(chunk, matches, strict=True):
            got = [0.0] * len(players)
            returns = match.state.returns or (0.0,) * game.seats
            for player, share in zip(pairing.lineup, shares(returns), strict=True):
                got[player] += share
            yield pairing.group, tuple(got)


def _play_out(
    game: Game,
    matches: Sequence[Match],
    lineups: Sequence[tuple[int, ...]],
    players: Sequence[Player],
    seed: int,
    threads: int,
) -> None:
    """Play matches to their ends."""
    for step in range(LONGEST):
        turns: dict[int, list[Match]] = defaultdict(list)
        for match, lineup in zip(matches, lineups, strict=True):
            if match.state.to_act is not None:
                turns[lineup[match.state.to_act]].append(match)
        if not turns:
            return
        for place, mine in sorted(turns.items()):
            player = players[place]
            policies, _ = tavola.search_batch(
                [match.state for match in mine],
                player.nodes,
                evaluate=player.evaluate,
                c_puct=player.c_puct,
                temperature=0.0,
                threads=threads,
                seed=(seed + step) % 2**32,
            )
            for match, policy in zip(mine, policies, strict=True):
                match.play(game.actions[int(policy.argmax())])


def score_network(
    schedule: Schedule,
    players: Sequence[Player],
    sprt: Sprt | None,
    *,
    threads: int = 1,
    tell: Callable[[int], None] = lambda done: None,
) -> tuple[Scores, bool | None]:
    """Play until the sequential test is decided, or all games are played.

    Args:
        schedule: The schedule, in which the first engine is the new network.
        players: The players.
        sprt: The sequential test; `None` plays all games.
        threads: The number of threads of the search.
        tell: Gets the number of played games.

    Returns:
        The scores of the new network by group, and the verdict: `None` if undecided.
    """
    scores, parties, verdict = Scores(), len(players), None
    waiting: dict[int, list[float]] = defaultdict(list)
    for done, (group, got) in enumerate(play_schedule(schedule, players, threads=threads), 1):
        waiting[group].append(got[0])
        if len(waiting[group]) == parties:
            scores.add(sum(waiting.pop(group)) / parties)
            verdict = None if sprt is None else sprt.verdict(scores, parties)
        tell(done)
        if verdict is not None:
            break
    return scores, verdict
