"""The plan of a report: the settings to compare, and the games that engines play for them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from statistics import median_low

import msgspec

from tavola._core import Game, describe, load
from tavola.engines import levels
from tavola.match import Match
from tavola.tournament import Schedule

__all__ = ["Plan", "Series", "option_values", "round_length"]

LONGEST_OPENING = 16
SAMPLED_OPENINGS = 9


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """Games of one setting between fixed engines.

    Attributes:
        name: The name of its results file, without a suffix.
        setting: The index of the setting, from 0.
        level: The higher level of a step of the skill ladder; `None` for the main games.
        schedule: The schedule of the games.
        measured: Whether the comments of the records contain values of positions.
    """

    name: str
    setting: int
    level: int | None
    schedule: Schedule
    measured: bool = True


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The plan of a report. Equal plans give equal reports.

    Attributes:
        game: The name of the game.
        settings: All options of the game, for each setting.
        levels: The levels of the engines. A single level plays at every seat.
        engines: Engine specifications in place of the levels, such as agents; none: the levels.
        games: The number of games for each setting.
        openings: The number of random actions of an opening; `None` for one round, in which every
            seat completes its first turn.
        skill_games: The number of games of each step of the skill ladder; 0 for no ladder.
        skill_levels: The highest level of the ladder.
        seed: The random seed.
    """

    game: str
    settings: tuple[Mapping[str, str | int], ...]
    levels: tuple[int, ...] = (4,)
    engines: tuple[str, ...] = ()
    games: int = 600
    openings: int | None = None
    skill_games: int = 20
    skill_levels: int = 6
    seed: int = 0

    def series(self) -> tuple[Series, ...]:
        """Return all games to play: for each setting the main games, then the steps of skill."""
        return tuple(self._series())

    def _series(self) -> Iterator[Series]:
        for number, options in enumerate(self.settings):
            game = load(self.game, **options)
            opening = round_length(game) if self.openings is None else self.openings
            prefix = "" if len(self.settings) == 1 else f"{number + 1}-"
            engines = self.engines or _levels(self.levels)
            chosen = engines if len(engines) > 1 else engines * game.seats
            yield Series(
                name=f"{prefix}games",
                setting=number,
                level=None,
                schedule=self._schedule(game, chosen, self.games, opening),
            )
            if self.skill_games:
                for level in range(2, min(self.skill_levels, len(levels(game.name))) + 1):
                    yield Series(
                        name=f"{prefix}skill-{level}",
                        setting=number,
                        level=level,
                        schedule=self._schedule(
                            game, _levels((level, level - 1)), self.skill_games, opening
                        ),
                        measured=False,
                    )

    def _schedule(self, game: Game, chosen: tuple[str, ...], games: int, opening: int) -> Schedule:
        return Schedule(
            game=game.name,
            options=game.options,
            engines=chosen,
            games=games + -games % len(chosen),
            plies=opening,
            seed=self.seed,
        )


def _levels(chosen: tuple[int, ...]) -> tuple[str, ...]:
    """Return the engines of levels."""
    return tuple(f"level:{level}" for level in chosen)


class _Option(msgspec.Struct, frozen=True):
    name: str
    values: tuple[str, ...]


class _Described(msgspec.Struct, frozen=True):
    options: tuple[_Option, ...]


def option_values(game: str) -> dict[str, tuple[str, ...]]:
    """Return the values of each option of a game, the default first.

    >>> option_values("potlatch")["actions"]
    ('2', '3')
    """
    described = msgspec.json.decode(describe(game), type=_Described)
    return {option.name: option.values for option in described.options}


def round_length(game: Game) -> int:
    """Return the usual number of actions until every seat has completed its first turn.

    Random actions of whole rounds are fair: no seat makes more of them than another.

    Args:
        game: The game.

    Returns:
        The lower median over nine random games, at most 16.

    >>> round_length(load("potlatch")), round_length(load("potlatch", actions=3))
    (4, 6)
    """
    return median_low(_round_length(game, seed) for seed in range(SAMPLED_OPENINGS))


def _round_length(game: Game, seed: int) -> int:
    match, choices = Match(game, seed=seed), random.Random(seed)
    first, acted, count = match.state.to_act, set[int | None](), 0
    while match.state.legal_actions and count < LONGEST_OPENING:
        if match.state.to_act == first and len(acted) == game.seats:
            return count
        acted.add(match.state.to_act)
        match.play(choices.choice(match.state.legal_actions))
        count += 1
    return count
