"""The main measures of a report, and what stands out in them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import msgspec

from tavola.report.measures import Measures
from tavola.report.plots import percent
from tavola.report.words import Words
from tavola.tournament.statistics import Estimate

__all__ = ["HEADLINES", "Headline", "difference", "differs", "findings", "signed"]

MANY_DRAWS = 0.2
UNMEASURED = Estimate(value=0.0, low=0.0, high=0.0, count=0)
FEWEST = 30
"""The minimum number of games for a finding about an opening."""


class Headline(msgspec.Struct, frozen=True):
    """A main measure.

    Attributes:
        key: The key of its messages.
        value: Returns the measure with its interval, or `None` if it does not apply. Without
            observations it was not measured.
        text: Formats a value.
    """

    key: str
    value: Callable[[Measures], Estimate | None]
    text: Callable[[float], str]


def _luck(measures: Measures) -> Estimate | None:
    for one in measures.luck:
        if one.name == "chance":
            return one.part
    return UNMEASURED if measures.chance.mean.value else None


def _skill(measures: Measures) -> Estimate | None:
    depth = measures.skill_depth
    if depth is None:
        return None
    return Estimate(value=depth, low=math.nan, high=math.nan, count=len(measures.skill))


def _plain(value: float) -> Estimate:
    return Estimate(value=value, low=math.nan, high=math.nan, count=1)


def _decimal(value: float) -> str:
    return f"{value:.1f}"


def _hundredths(value: float) -> str:
    return f"{value:.2f}"


HEADLINES: tuple[Headline, ...] = (
    Headline("first-seat", lambda measures: measures.seats[0], percent),
    Headline("draws", lambda measures: measures.draws, percent),
    Headline("actions", lambda measures: measures.actions.mean, _decimal),
    Headline("turns", lambda measures: measures.turns.mean, _decimal),
    Headline("branching", lambda measures: measures.branching.mean, _decimal),
    Headline("lead-changes", lambda measures: measures.lead_changes, _decimal),
    Headline("decisiveness", lambda measures: measures.decisiveness, percent),
    Headline("drama", lambda measures: measures.drama, _hundredths),
    Headline("comebacks", lambda measures: measures.comebacks, percent),
    Headline("luck", _luck, percent),
    Headline("skill", _skill, lambda value: f"{value:.0f} Elo"),
    Headline("decisions", lambda measures: _plain(measures.branching.decisions), percent),
    Headline("complexity", lambda measures: _plain(measures.branching.complexity), _decimal),
)
"""The main measures in the order of the page."""


def difference(before: Estimate, after: Estimate) -> Estimate:
    """Return the difference of two independent estimates.

    Args:
        before: The estimate of the first setting.
        after: The estimate of another setting.

    Returns:
        The difference; its interval combines those of both in quadrature (Newcombe 1998).

    >>> one = Estimate(value=0.5, low=0.45, high=0.55, count=100)
    >>> two = Estimate(value=0.3, low=0.25, high=0.35, count=100)
    >>> found = difference(one, two)
    >>> round(found.low, 2), round(found.value, 2), round(found.high, 2)
    (-0.27, -0.2, -0.13)
    """
    value = after.value - before.value
    return Estimate(
        value=value,
        low=value - math.hypot(after.value - after.low, before.high - before.value),
        high=value + math.hypot(after.high - after.value, before.value - before.low),
        count=min(before.count, after.count),
    )


def differs(estimate: Estimate, reference: float = 0.0) -> bool:
    """Return whether an interval excludes a reference value."""
    return estimate.low > reference or estimate.high < reference


def signed(value: float) -> str:
    """Return a difference of shares in points with its sign.

    >>> signed(0.05), signed(-0.123)
    ('+5.0', '−12.3')
    """
    text = f"{100 * abs(value):.1f}"
    return f"{'−' if value < 0 and text != '0.0' else '+'}{text}"


def findings(settings: Sequence[tuple[str, Measures]], words: Words) -> Iterator[str]:
    """Yield sentences on what stands out.

    Args:
        settings: The name and the measures of each setting.
        words: The words of the report.
    """
    for name, measures in settings:
        for line in _findings(name, measures, words):
            yield line if len(settings) > 1 else _without_setting(line, name)
    base, before = settings[0]
    for name, after in settings[1:]:
        yield from _differences(base, before, name, after, words)


def _without_setting(line: str, name: str) -> str:
    """Return a finding without the name of the only setting."""
    rest = line.removeprefix(name).lstrip(":： ")
    return f"{rest[:1].upper()}{rest[1:]}"


def _findings(name: str, measures: Measures, words: Words) -> Iterator[str]:
    equal = 1.0 / len(measures.seats)
    best = max(range(len(measures.seats)), key=lambda seat: measures.seats[seat].value)
    seat = best if differs(measures.seats[best], equal) else 0
    share = measures.seats[seat]
    yield words(
        "find.seat" if differs(measures.seats[best], equal) else "find.fair",
        setting=name,
        seat=words.seat(seat),
        value=percent(share.value),
        low=percent(share.low),
        high=percent(share.high),
        equal=percent(equal),
    )
    if measures.draws.value >= MANY_DRAWS:
        ending = next(one for one in measures.endings if one.shared)
        yield words(
            "find.draws",
            setting=name,
            value=percent(measures.draws.value),
            ending=words.ending(ending.code, shared=True),
        )
    if (luck := _luck(measures)) is not None and luck.count:
        yield words(
            "find.luck",
            setting=name,
            value=percent(luck.value),
            low=percent(luck.low),
            high=percent(luck.high),
        )
    if measures.decisiveness.count:
        yield words("find.decided", setting=name, value=percent(1.0 - measures.decisiveness.value))
    if measures.skill:
        mean = math.fsum(step.share.value for step in measures.skill) / len(measures.skill)
        yield words("find.skill", setting=name, count=len(measures.skill), value=percent(mean))
    known = [one for one in measures.openings if one.games >= FEWEST]
    if len(known) > 1 and known[0].first.low > known[-1].first.high:
        first, last = known[0], known[-1]
        yield words(
            "find.opening",
            setting=name,
            best=words.action(first.kind, first.parts, first.token),
            worst=words.action(last.kind, last.parts, last.token),
            value=percent(first.first.value),
            least=percent(last.first.value),
        )


def _differences(
    base: str, before: Measures, name: str, after: Measures, words: Words
) -> Iterator[str]:
    clear = 0
    for headline in HEADLINES:
        one, other = headline.value(before), headline.value(after)
        if not (one and other and one.count and other.count and differs(difference(one, other))):
            continue
        if headline.text(one.value) == headline.text(other.value):
            continue
        clear += 1
        yield words(
            "find.difference",
            setting=name,
            base=base,
            measure=words(f"measure.{headline.key}"),
            before=headline.text(one.value),
            after=headline.text(other.value),
        )
    if not clear:
        yield words("find.same", setting=name, base=base)
