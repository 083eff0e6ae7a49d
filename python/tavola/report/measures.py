"""The measures of a report. docs/explanation/measures.md defines them with their sources."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from tavola.report.course import Course, course, decisiveness, drama, lead_changes, luck_share
from tavola.report.course import Part as Part
from tavola.report.data import PlayedGame
from tavola.report.usage import Opening, Usage, kinds, openings, parts
from tavola.tournament.elo import elo
from tavola.tournament.statistics import (
    Estimate,
    mean,
    mean_count,
    mean_share,
    proportion,
    seat_shares,
)

__all__ = ["Branching", "Distribution", "Ending", "Measures", "SkillStep", "measure", "skill_step"]

PHASES = 3
"""The number of phases: equal parts of the actions of a game."""

BINS = 20
"""The number of points of a curve over the course of a game."""


class Distribution(msgspec.Struct, frozen=True, kw_only=True):
    """The distribution of a number over games.

    Attributes:
        mean: The mean with its interval.
        deviation: The standard deviation.
        quantiles: The minimum, the 10 %, 50 % and 90 % quantiles, and the maximum.
        counts: The number of games by value.
    """

    mean: Estimate
    deviation: float
    quantiles: tuple[float, float, float, float, float]
    counts: dict[str, int]


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """A way in which games end.

    Attributes:
        code: The code of the reason.
        shared: Whether it is a draw or a shared win.
        part: The part of the games.
        first: The mean share of the first seat in these games.
    """

    code: str
    shared: bool
    part: Estimate
    first: float


class Branching(msgspec.Struct, frozen=True, kw_only=True):
    """The number of legal actions.

    Attributes:
        mean: The mean over all actions, of the means of games.
        phases: The mean in each third of the game.
        most: The maximum.
        decisions: The part of the actions with more than one legal action.
        complexity: The decimal logarithm of the number of action sequences of a typical game.
        curve: The mean by the progress of the game, at equal distances from 0 to 1.
    """

    mean: Estimate
    phases: tuple[float, ...]
    most: int
    decisions: float
    complexity: float
    curve: tuple[float, ...]


class SkillStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the skill ladder: a level against the level below.

    Attributes:
        level: The higher level.
        share: Its share of the win.
        elo: The Elo difference; `None` if it is infinite.
    """

    level: int
    share: Estimate
    elo: float | None


class Measures(msgspec.Struct, frozen=True, kw_only=True):
    """All measures of one setting.

    Attributes:
        options: The options of the game.
        engines: The specifications of the engines.
        games: The number of games.
        opening: The number of random actions of each opening.
        seats: The share of the win by seat.
        draws: The part of the games without a single winner.
        endings: The ways in which games end, the most frequent first.
        actions: The number of actions of a game, without chance outcomes.
        turns: The number of turns of a game.
        chance: The number of chance outcomes of a game.
        branching: The number of legal actions.
        lead_changes: The number of lead changes of a game.
        lead_change_rate: The part of the actions that change the lead.
        drama: The drama of the games with a single winner.
        comebacks: The part of the won games whose winner was behind at half time.
        decisiveness: The part of a won game that remains after its decision.
        luck: The parts of the result that the start, chance and choices explain.
        course: The share of the later winner over the course of won games.
        skill: The steps of the skill ladder.
        kinds: How often each kind of action is played, and how much it matters.
        components: The same for pieces and other components that actions name.
        places: The same for cells and other places that actions name.
        openings: The result of the first seat by its first action.
    """

    options: dict[str, str | int]
    engines: tuple[str, ...]
    games: int
    opening: int
    seats: tuple[Estimate, ...]
    draws: Estimate
    endings: tuple[Ending, ...]
    actions: Distribution
    turns: Distribution
    chance: Distribution
    branching: Branching
    lead_changes: Estimate
    lead_change_rate: float
    drama: Estimate
    comebacks: Estimate
    decisiveness: Estimate
    luck: tuple[Part, ...]
    course: Course
    skill: tuple[SkillStep, ...]
    kinds: tuple[Usage, ...]
    components: tuple[Usage, ...]
    places: tuple[Usage, ...]
    openings: tuple[Opening, ...]

    @property
    def skill_depth(self) -> float | None:
        """The sum of the Elo differences of the ladder; `None` without finite steps."""
        steps = [step.elo for step in self.skill if step.elo is not None]
        return math.fsum(steps) if steps else None


def measure(
    games: Sequence[PlayedGame],
    *,
    options: Mapping[str, str | int],
    engines: Sequence[str],
    opening: int,
    skill: Iterable[SkillStep] = (),
) -> Measures:
    """Compute all measures of one setting.

    Args:
        games: The games, at least one.
        options: The options of the game.
        engines: The specifications of the engines.
        opening: The number of random actions of each opening.
        skill: The steps of the skill ladder.

    Returns:
        The measures.
    """
    seats = len(games[0].shares)
    won = [game for game in games if game.winner is not None]
    changes = [lead_changes(game.values) for game in games if game.values]
    chances = sum(max(0, len(game.values) - 1) for game in games)
    return Measures(
        options=dict(options),
        engines=tuple(engines),
        games=len(games),
        opening=opening,
        seats=seat_shares(((game.group, game.shares) for game in games), seats),
        draws=proportion(len(games) - len(won), len(games)),
        endings=_endings(games),
        actions=_distribution([len(game.actions) for game in games]),
        turns=_distribution([game.turns for game in games]),
        chance=_distribution([sum(one.chance for one in game.actions) for game in games]),
        branching=_branching(games),
        lead_changes=mean_count(changes),
        lead_change_rate=sum(changes) / chances if chances else 0.0,
        drama=mean_share([drama(game) for game in won if game.values]),
        comebacks=_comebacks(won),
        decisiveness=mean_share([decisiveness(game) for game in won if game.values]),
        luck=luck_share(games),
        course=course(won, BINS),
        skill=tuple(skill),
        kinds=kinds(games),
        components=parts(games, components=True),
        places=parts(games, components=False),
        openings=openings(games),
    )


def skill_step(level: int, games: Iterable[PlayedGame]) -> SkillStep:
    """Measure a step of the skill ladder.

    Args:
        level: The higher level.
        games: The games between the two levels.

    Returns:
        The step.
    """
    upper = f"level:{level}"
    got = [
        (
            game.group,
            (
                math.fsum(
                    share
                    for share, engine in zip(game.shares, game.lineup, strict=True)
                    if engine == upper
                ),
            ),
        )
        for game in games
    ]
    (share,) = seat_shares(got, 1)
    difference = elo(share.value)
    return SkillStep(
        level=level, share=share, elo=difference if math.isfinite(difference) else None
    )


def _endings(games: Sequence[PlayedGame]) -> tuple[Ending, ...]:
    counts = Counter((game.ending, game.winner is None) for game in games)
    first: dict[tuple[str, bool], float] = defaultdict(float)
    for game in games:
        first[game.ending, game.winner is None] += game.shares[0]
    return tuple(
        Ending(
            code=code,
            shared=shared,
            part=proportion(count, len(games)),
            first=first[code, shared] / count,
        )
        for (code, shared), count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    )


def _comebacks(won: Sequence[PlayedGame]) -> Estimate:
    """Estimate how often the winner was behind in the middle of the searched positions."""
    known = [game for game in won if game.values]
    behind = 0
    for game in known:
        middle = game.values[len(game.values) // 2]
        assert game.winner is not None
        behind += middle[game.winner] < max(middle)
    return proportion(behind, len(known))


def _branching(games: Sequence[PlayedGame]) -> Branching:
    legal = [[action.legal for action in game.actions] for game in games if game.actions]
    phases: list[list[int]] = [[] for _ in range(PHASES)]
    curve: list[list[int]] = [[] for _ in range(BINS)]
    for game in legal:
        for place, count in enumerate(game):
            phases[place * PHASES // len(game)].append(count)
            curve[place * BINS // len(game)].append(count)
    every = [count for game in legal for count in game]
    means = [sum(game) / len(game) for game in legal]
    logs = [math.fsum(map(math.log10, game)) for game in legal]
    return Branching(
        mean=mean(means),
        phases=tuple(_plain_mean(phase) for phase in phases),
        most=max(every, default=0),
        decisions=sum(count > 1 for count in every) / len(every) if every else 0.0,
        complexity=_plain_mean(logs),
        curve=tuple(_plain_mean(point) for point in _filled(curve)),
    )


def _filled(points: list[list[int]]) -> list[list[int]]:
    """Replace empty points, which only very short games have, by the point before."""
    filled: list[list[int]] = []
    for point in points:
        filled.append(point if point or not filled else filled[-1])
    return filled


def _plain_mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def _distribution(values: Sequence[int]) -> Distribution:
    middle = mean([float(value) for value in values])
    ordered = sorted(values)
    squares = math.fsum((value - middle.value) ** 2 for value in values)
    at = [round(part * (len(ordered) - 1)) for part in (0.0, 0.1, 0.5, 0.9, 1.0)]
    low, tenth, half, ninth, high = (float(ordered[place]) for place in at)
    return Distribution(
        mean=middle,
        deviation=math.sqrt(squares / (len(values) - 1)) if len(values) > 1 else 0.0,
        quantiles=(low, tenth, half, ninth, high),
        counts={str(value): count for value, count in sorted(Counter(values).items())},
    )
