"""The schedule of a match between engines: pairings, openings and seeds."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import msgspec

from tavola._core import Game, load
from tavola.match import Match

__all__ = ["Pairing", "Schedule"]

ATTEMPTS = 100


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """One game of the schedule.

    Attributes:
        number: The number of the game, from 1.
        group: The number of its group, from 0: all games from one opening.
        opening: The actions of the opening, without chance outcomes.
        lineup: The index of the engine by seat.
        chance_seed: The random seed of chance, equal for the whole group.
        seeds: The random seed by engine.
    """

    number: int
    group: int
    opening: tuple[str, ...]
    lineup: tuple[int, ...]
    chance_seed: int
    seeds: tuple[int, ...]


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """The schedule of a match between engines. Equal values give equal games.

    Each opening is played once per engine, so that each engine plays every seat once. With fewer
    engines than seats the engines take the seats in turn.

    Attributes:
        game: The name of the game.
        options: All options of the game.
        engines: The specifications of the engines, at least two, at most one per seat.
        games: The number of games, a multiple of the number of engines.
        plies: The number of random actions of an opening.
        seed: The random seed of openings, chance and engines.
    """

    game: str
    options: Mapping[str, str | int]
    engines: tuple[str, ...]
    games: int
    plies: int
    seed: int

    def load(self) -> Game:
        """Return the game with its options."""
        return load(self.game, **self.options)

    def lineup(self, number: int) -> tuple[int, ...]:
        """Return the index of the engine by seat, in the game with this number."""
        parties = len(self.engines)
        return tuple((seat + number - 1) % parties for seat in range(self.load().seats))

    def pairings(self) -> Iterator[Pairing]:
        """Yield the games in their order."""
        game, parties = self.load(), len(self.engines)
        seen: set[int] = set()
        for group in range(self.games // parties):
            chance_seed = self._seed("chance", group)
            opening = self._opening(game, group, chance_seed, seen)
            for turn in range(parties):
                number = group * parties + turn + 1
                yield Pairing(
                    number=number,
                    group=group,
                    opening=opening,
                    lineup=self.lineup(number),
                    chance_seed=chance_seed,
                    seeds=tuple(self._seed("engine", number, place) for place in range(parties)),
                )

    def _seed(self, *names: str | int) -> int:
        return random.Random("/".join(map(str, [self.seed, *names]))).getrandbits(63)

    def _opening(self, game: Game, group: int, chance_seed: int, seen: set[int]) -> tuple[str, ...]:
        """Return random actions to a position that is not over and, if possible, new."""
        opening: tuple[str, ...] = ()
        for attempt in range(ATTEMPTS):
            choices = random.Random(self._seed("opening", group, attempt))
            match, tokens = Match(game, seed=chance_seed), list[str]()
            while len(tokens) < self.plies and match.state.legal_actions:
                tokens.append(choices.choice(match.state.legal_actions))
                match.play(tokens[-1])
            if match.state.to_act is None:
                continue
            opening = tuple(tokens)
            if match.state.key not in seen:
                seen.add(match.state.key)
                break
        return opening
