"""The plan of a contest: which games are played, by whom, from which openings and seeds."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import msgspec

from tavola._core import Game, load
from tavola.match import Match

__all__ = ["Pairing", "Schedule"]

ATTEMPTS = 100


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """One game that is to be played.

    Attributes:
        number: Its number, the first is 1.
        group: The number of its group: all games from one opening.
        opening: The actions of seats that it begins with.
        lineup: For each seat, the engine that has it.
        chance_seed: What chance follows from, the same for a whole group.
        seeds: What each engine's choices follow from.
    """

    number: int
    group: int
    opening: tuple[str, ...]
    lineup: tuple[int, ...]
    chance_seed: int
    seeds: tuple[int, ...]


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """A contest between engines. Everything in it follows from these values.

    From each opening as many games are played as there are engines, so that each engine has every
    seat once. With fewer engines than seats they take turns around the table.

    Attributes:
        game: The game's name.
        options: All of its options.
        engines: The engines' names, at least two, at most as many as seats.
        games: How many games, a multiple of the number of engines.
        plies: With how many random actions an opening begins.
        seed: What openings, chance and the engines' choices follow from.
    """

    game: str
    options: Mapping[str, str | int]
    engines: tuple[str, ...]
    games: int
    plies: int
    seed: int

    def load(self) -> Game:
        """The game."""
        return load(self.game, **self.options)

    def lineup(self, number: int) -> tuple[int, ...]:
        """For each seat, the engine that has it in a game, by the number of the game."""
        parties = len(self.engines)
        return tuple((seat + number - 1) % parties for seat in range(self.load().seats))

    def pairings(self) -> Iterator[Pairing]:
        """The games in their order."""
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
        """Random actions to a position that is not over and, if there is one, was not there yet."""
        found: tuple[str, ...] = ()
        for attempt in range(ATTEMPTS):
            choices = random.Random(self._seed("opening", group, attempt))
            match, tokens = Match(game, seed=chance_seed), list[str]()
            while len(tokens) < self.plies and match.state.legal_actions:
                tokens.append(choices.choice(match.state.legal_actions))
                match.play(tokens[-1])
            if match.state.to_act is None:
                continue
            found = tuple(tokens)
            if match.state.key not in seen:
                seen.add(match.state.key)
                break
        return found
