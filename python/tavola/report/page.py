"""The page of a report: one HTML file with everything in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tavola.options_text import options_text
from tavola.page_template import render
from tavola.report import plots
from tavola.report.headline import HEADLINES, difference, differs, findings, signed
from tavola.report.measures import Measures
from tavola.report.plan import Plan
from tavola.report.plots import percent
from tavola.report.usage import Opening, Usage
from tavola.report.words import Words
from tavola.tournament.statistics import Estimate

__all__ = ["Cell", "Section", "Table", "page", "setting_names"]

MOST_ROWS = 12
"""The maximum number of rows of a table of components or places."""

MOST_OPENINGS = 14
FEWEST_GAMES = 10
FEWEST_EFFECTS = 20

Settings = Sequence[tuple[str, Measures]]
"""The settings with their names."""


class Cell(NamedTuple):
    """A cell of a table.

    Attributes:
        text: Its text.
        kind: Its class: `n` for a number, `n clear` for one that differs clearly.
        codes: Small texts behind it.
        below: A small text below it.
    """

    text: str
    kind: str = ""
    codes: tuple[str, ...] = ()
    below: str = ""


class Table(NamedTuple):
    """A table; the first cell of a row is its head."""

    head: Sequence[Cell]
    rows: Sequence[Sequence[Cell]]


class Section(NamedTuple):
    """A section of the page.

    Attributes:
        title: The title.
        note: A sentence below it.
        figure: The figure as SVG.
        table: The table.
        wide: Whether it takes the width of the page.
        beside: Whether the table stands beside the figure.
        more: A sentence below the table.
    """

    title: str
    note: str
    figure: str = ""
    table: Table | None = None
    wide: bool = False
    beside: bool = False
    more: str = ""


class Card(NamedTuple):
    """A main measure of a page with one setting."""

    name: str
    definition: str
    value: str
    interval: str


def setting_names(plan: Plan) -> tuple[str, ...]:
    """Return a short name of each setting: the options in which the settings differ.

    >>> plan = Plan(game="potlatch", settings=({"actions": 2}, {"actions": 3}))
    >>> setting_names(plan)
    ('actions=2', 'actions=3')
    """
    first = plan.settings[0]
    different = [
        name for name in first if any(other[name] != first[name] for other in plan.settings)
    ]
    if not different:
        return (options_text(first) or plan.game,)
    return tuple(
        options_text({name: setting[name] for name in different}) for setting in plan.settings
    )


def page(
    plan: Plan, measured: Sequence[Measures], words: Words, *, names: Sequence[str], command: str
) -> str:
    """Return the page of a report.

    Args:
        plan: The plan of the report.
        measured: The measures of each setting.
        words: The words of the report.
        names: The names of the files of games, of actions, and of the summary; empty for a page
            without files.
        command: The command that makes the report.

    Returns:
        An HTML document without links to other files.
    """
    labels = setting_names(plan)
    settings = list(zip(labels, measured, strict=True))
    first = measured[0]
    return render(
        "report/page.html",
        words=words,
        title=words("title", game=words.title),
        lead=words(
            "lead",
            games=first.games,
            engines=", ".join(dict.fromkeys(first.engines)),
            opening=first.opening,
            mirrored=len(first.engines),
            seed=plan.seed,
        ),
        key=[
            (name, " · ".join(words.option(option, value) for option, value in options.items()))
            for name, options in zip(labels, plan.settings, strict=True)
        ],
        findings=list(findings(settings, words)),
        cards=_cards(first, words),
        comparison=_comparison(settings, words) if len(settings) > 1 else None,
        definitions=_definitions(settings, words),
        sections=list(_sections(settings, words)),
        files=_file_names(names, words),
        command=command,
    )


def _file_names(names: Sequence[str], words: Words) -> str:
    """Return the sentence about the files, with their names as code."""
    from markupsafe import Markup, escape

    if not names:
        return ""
    games, actions, summary = (Markup("<code>{}</code>").format(name) for name in names)
    return escape(words("text.data")).format(games=games, actions=actions, summary=summary)


def _with_code(text: str, code: str, *more: str) -> Cell:
    """Return a text with its code behind it, unless both are equal."""
    return Cell(text, codes=(*((code,) if text != code else ()), *more))


def _cards(measures: Measures, words: Words) -> list[Card]:
    return [
        Card(
            name=words(f"measure.{headline.key}"),
            definition=words(f"define.{headline.key}"),
            value=headline.text(value.value) if value.count else words("not-measured"),
            interval=_interval(value, headline.text),
        )
        for headline in HEADLINES
        if (value := headline.value(measures)) is not None
    ]


def _comparison(settings: Settings, words: Words) -> Table:
    """Return the main measures of several settings, and how they differ from the first."""
    head = [Cell(words("measure")), *(Cell(name, "n") for name, _ in settings)]
    head += [Cell(f"{words('difference')}: {name}", "n") for name, _ in settings[1:]]
    rows = []
    for headline in HEADLINES:
        values = [headline.value(found) for _, found in settings]
        if all(value is None for value in values):
            continue
        row = [Cell(words(f"measure.{headline.key}"))]
        row += [_with_interval(value, headline.text, words) for value in values]
        row += [_difference(values[0], value, headline.text) for value in values[1:]]
        rows.append(row)
    return Table(head, rows)


def _definitions(settings: Settings, words: Words) -> Table:
    return Table(
        [Cell(words("measure")), Cell(words("definition"))],
        [
            [
                Cell(words(f"measure.{headline.key}")),
                Cell(words(f"define.{headline.key}"), "define"),
            ]
            for headline in HEADLINES
            if any(headline.value(found) is not None for _, found in settings)
        ],
    )


def _interval(estimate: Estimate, text: Callable[[float], str]) -> str:
    if math.isnan(estimate.low) or not estimate.count:
        return ""
    return f"{text(estimate.low)} – {text(estimate.high)}"


def _with_interval(estimate: Estimate | None, text: Callable[[float], str], words: Words) -> Cell:
    if estimate is None:
        return Cell("–", "n")
    if not estimate.count:
        return Cell(words("not-measured"), "n")
    return Cell(text(estimate.value), "n", below=_interval(estimate, text))


def _difference(
    before: Estimate | None, after: Estimate | None, text: Callable[[float], str]
) -> Cell:
    if not (before and after and before.count and after.count):
        return Cell("–", "n")
    found = difference(before, after)
    sign = "−" if found.value < 0 else "+"
    return Cell(f"{sign}{text(abs(found.value))}", "n clear" if differs(found) else "n")


def _named(text: str, name: str, settings: Settings) -> str:
    """Return a label with the name of its setting, if there are several."""
    return f"{text}  {name}" if len(settings) > 1 else text


def _sections(settings: Settings, words: Words) -> Iterator[Section]:
    several = len(settings) > 1
    yield _seats(settings, words)
    yield _endings(settings, words)
    yield _length(settings, words)
    yield _branching(settings, words)
    if any(found.decisiveness.count for _, found in settings):
        curves = [(name, found.course) for name, found in settings if found.decisiveness.count]
        svg = plots.course("course", curves, label=words("axis.progress"))
        yield Section(words("section.course"), words("text.course"), svg)
    if any(part.name == "chance" for _, found in settings for part in found.luck):
        yield _luck(settings, words)
    if any(found.skill for _, found in settings):
        rows = [
            (
                _named(words("skill-row", level=step.level, below=step.level - 1), name, settings),
                step.share,
                number,
            )
            for place in range(max(len(found.skill) for _, found in settings))
            for number, (name, found) in enumerate(settings)
            for step in found.skill[place : place + 1]
        ]
        svg = plots.dots("skill", rows, reference=0.5, label=words("axis.share"))
        yield Section(words("section.skill"), words("text.skill"), svg)
    yield _kinds(settings, words)
    for key, column in (("components", "component"), ("places", "place")):
        for name, found in settings:
            usage: tuple[Usage, ...] = getattr(found, key)
            if usage:
                yield _usage(key, column, name if several else "", usage, words)
    for number, (name, found) in enumerate(settings):
        shown = _shown_openings(found.openings)
        if len(shown) > 1:
            yield _openings(number, name if several else "", found, shown, words)


def _seats(settings: Settings, words: Words) -> Section:
    rows = [
        (_named(words.seat(seat), name, settings), found.seats[seat], number)
        for seat in range(max(len(found.seats) for _, found in settings))
        for number, (name, found) in enumerate(settings)
        if seat < len(found.seats)
    ]
    equal = 1.0 / min(len(found.seats) for _, found in settings)
    svg = plots.dots("seats", rows, reference=equal, label=words("axis.share"))
    table = Table(
        [Cell(""), Cell(words("axis.share"), "n"), Cell(words("interval"), "n")],
        [[Cell(label), *_share_cells(found)] for label, found, _ in rows],
    )
    return Section(words("section.seats"), words("text.seats"), svg, table)


def _share_cells(estimate: Estimate) -> tuple[Cell, Cell]:
    """Return a share and its interval."""
    return Cell(percent(estimate.value), "n"), Cell(_interval(estimate, percent), "n")


def _endings(settings: Settings, words: Words) -> Section:
    codes = list(
        dict.fromkeys((one.code, one.shared) for _, found in settings for one in found.endings)
    )
    parts = [{(one.code, one.shared): one for one in found.endings} for _, found in settings]
    shared_word = f" ({words('shared')})"
    names = [code + (shared_word if shared else "") for code, shared in codes]
    rows = [
        (name, [own[code].part.value if code in own else 0.0 for code in codes])
        for (name, _), own in zip(settings, parts, strict=True)
    ]
    svg = plots.stacks("endings", rows if len(rows) > 1 else [("", rows[0][1])], names)
    head = [Cell(words("ending"))]
    head += [Cell(name if len(settings) > 1 else words("part"), "n") for name, _ in settings]
    if len(settings) == 1:
        head.append(Cell(words("first-there"), "n"))
    table = []
    for code, name in zip(codes, names, strict=True):
        sentence = words.ending(code[0], shared=code[1])
        row = [Cell(name, below=sentence if sentence != code[0] else "")]
        row += [Cell(percent(own[code].part.value) if code in own else "–", "n") for own in parts]
        if len(settings) == 1:
            row.append(Cell(percent(parts[0][code].first), "n"))
        table.append(row)
    return Section(words("section.endings"), words("text.endings"), svg, Table(head, table))


def _length(settings: Settings, words: Words) -> Section:
    name, first = settings[0]
    counts = [
        (name, {int(value): count for value, count in found.actions.counts.items()})
        for name, found in settings
    ]
    longest = max(found.actions.quantiles[4] for _, found in settings)
    width = max(1, round(longest / 30))
    svg = plots.histogram("length", counts, label=words("axis.actions"), width=width)
    note = words(
        "text.length",
        setting=name,
        low=f"{first.actions.quantiles[1]:.0f}",
        high=f"{first.actions.quantiles[3]:.0f}",
        turns=f"{first.turns.mean.value:.1f}",
    )
    return Section(words("section.length"), note, svg)


def _branching(settings: Settings, words: Words) -> Section:
    name, first = settings[0]
    svg = plots.curves(
        "branching",
        [(name, found.branching.curve) for name, found in settings],
        label=words("axis.progress"),
    )
    note = words(
        "text.branching",
        setting=name,
        phases=", ".join(f"{phase:.1f}" for phase in first.branching.phases),
        most=first.branching.most,
    )
    return Section(words("section.branching"), note, svg)


def _luck(settings: Settings, words: Words) -> Section:
    known = [(name, found.luck) for name, found in settings if found.luck]
    names = list(dict.fromkeys(part.name for _, luck in known for part in luck))
    order = [name for name in ("choices", "chance", "start") if name in names]
    rows = []
    for name, luck in known:
        by_name = {part.name: part.part.value for part in luck}
        rows.append((name if len(known) > 1 else "", [by_name.get(one, 0.0) for one in order]))
    svg = plots.stacks("luck", rows, [words(f"luck.{name}") for name in order])
    table = Table(
        [Cell(""), Cell(words("part"), "n"), Cell(words("interval"), "n")],
        [
            [Cell(_named(words(f"luck.{part.name}"), name, settings)), *_share_cells(part.part)]
            for name, luck in known
            for part in luck
        ],
    )
    return Section(words("section.luck"), words("text.luck"), svg, table)


def _kinds(settings: Settings, words: Words) -> Section:
    order = list(dict.fromkeys(one.value for _, found in settings for one in found.kinds))
    by_kind = [{one.value: one for one in found.kinds} for _, found in settings]
    shown = order[:MOST_ROWS]
    rows = [
        (kind, [found[kind].uses if kind in found else 0.0 for found in by_kind]) for kind in shown
    ]
    svg = plots.bars("kinds", rows, label=words("axis.uses"))
    table = [
        _usage_row(
            _with_code(words.kind(kind), kind, *((name,) if len(settings) > 1 else ())),
            found[kind],
        )
        for kind in order
        for (name, _), found in zip(settings, by_kind, strict=True)
        if kind in found
    ]
    return Section(
        words("section.kinds"),
        words("text.kinds"),
        svg,
        Table(_usage_head("kind", words), table),
        wide=True,
    )


def _usage_head(column: str, words: Words) -> list[Cell]:
    numbers = ("uses", "in-games", "effect", "interval", "swing")
    return [Cell(words(column)), *(Cell(words(name), "n") for name in numbers)]


def _usage_row(label: Cell, usage: Usage) -> list[Cell]:
    effect = usage.effect
    known = effect.count >= FEWEST_EFFECTS
    uses = f"{usage.uses:.1f}" if usage.uses >= 0.95 else f"{usage.uses:.2f}"
    kind = "n clear" if known and differs(effect) else "n"
    return [
        label,
        Cell(uses, "n"),
        Cell(percent(usage.games), "n"),
        Cell(signed(effect.value) if known else "–", kind),
        Cell(_interval(effect, signed) if known else "", "n"),
        Cell("–" if usage.swing is None else f"{100 * usage.swing:.1f}", "n"),
    ]


def _usage(key: str, column: str, name: str, usage: Sequence[Usage], words: Words) -> Section:
    rows = [_usage_row(Cell(words.part(one.value)), one) for one in usage[:MOST_ROWS]]
    left = len(usage) - MOST_ROWS
    return Section(
        words(f"section.{key}") + (f": {name}" if name else ""),
        words(f"text.{key}"),
        table=Table(_usage_head(column, words), rows),
        wide=True,
        more=words("more-rows", count=left) if left > 0 else "",
    )


def _shown_openings(openings: Sequence[Opening]) -> list[Opening]:
    known = [one for one in openings if one.games >= FEWEST_GAMES]
    if len(known) <= MOST_OPENINGS:
        return known
    return [*known[: MOST_OPENINGS // 2], *known[-MOST_OPENINGS // 2 :]]


def _openings(
    number: int, name: str, measures: Measures, shown: Sequence[Opening], words: Words
) -> Section:
    labels = [words.action(one.kind, one.parts, one.token) for one in shown]
    rows = [(one.token, one.first, number) for one in shown]
    svg = plots.dots(
        f"openings{number}", rows, reference=1.0 / len(measures.seats), label=words("first-share")
    )
    columns = ("games", "first-share", "interval")
    table = Table(
        [Cell(words("opening")), *(Cell(words(column), "n") for column in columns)],
        [
            [_with_code(label, one.token), Cell(str(one.games), "n"), *_share_cells(one.first)]
            for label, one in zip(labels, shown, strict=True)
        ],
    )
    note = words(
        "text.openings" if measures.opening else "text.openings-chosen", least=FEWEST_GAMES
    )
    return Section(
        words("section.openings") + (f": {name}" if name else ""),
        words.join_sentences(note, words("many")),
        svg,
        table,
        wide=True,
        beside=True,
    )
