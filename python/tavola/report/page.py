"""The page of a report: one HTML file with everything in it."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence
from importlib.resources import files

from tavola.report import plots
from tavola.report.headline import HEADLINES, difference, differs, findings, signed
from tavola.report.measures import Measures
from tavola.report.plan import Plan
from tavola.report.plots import percent
from tavola.report.usage import Opening, Usage
from tavola.report.words import Words
from tavola.tournament.statistics import Estimate

__all__ = ["page", "setting_names"]

MOST_ROWS = 12
"""The maximum number of rows of a table of components or places."""

MOST_OPENINGS = 14
FEWEST_GAMES = 10
FEWEST_EFFECTS = 20

Row = Sequence[tuple[str, str]]
"""The cells of a row with their classes."""


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
        return (" ".join(f"{name}={value}" for name, value in first.items()) or plan.game,)
    return tuple(
        " ".join(f"{name}={setting[name]}" for name in different) for setting in plan.settings
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
    title = _text(words("title", game=words.title))
    style = files("tavola.report").joinpath("style.css").read_text(encoding="utf-8")
    sections = "\n".join(_sections(settings, words))
    found = "\n".join(f"<li>{_text(line)}</li>" for line in findings(settings, words))
    first = measured[0]
    lead = words(
        "lead",
        games=first.games,
        engines=", ".join(dict.fromkeys(first.engines)),
        opening=first.opening,
        mirrored=len(first.engines),
        seed=plan.seed,
    )
    return f"""<!doctype html>
<html lang="{words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p class="lead">{_text(lead)}</p>
{_key(plan, labels, words)}
<section class="findings">
<h2>{_text(words("findings"))}</h2>
<ul>
{found}
</ul>
</section>
{_numbers(settings, words)}
<div class="grid">
{sections}
{_data(words, names, command)}
</div>
</main>
</body>
</html>
"""


def _text(text: str) -> str:
    return html.escape(text, quote=False)


def _with_code(text: str, code: str) -> str:
    """Return a text with its code beside it, unless both are equal."""
    return _text(text) if text == code else f"{_text(text)} <small>{_text(code)}</small>"


def _key(plan: Plan, names: Sequence[str], words: Words) -> str:
    """Return the settings with their colours and options."""
    items = []
    for number, (name, options) in enumerate(zip(names, plan.settings, strict=True)):
        shown = " · ".join(words.option(option, value) for option, value in options.items())
        items.append(
            f'<li><span style="background: var(--setting-{number})"></span>'
            f"<div><b>{_text(name)}</b> <small>{_text(shown)}</small></div></li>"
        )
    return f'<ul class="key">{"".join(items)}</ul>'


def _numbers(settings: Sequence[tuple[str, Measures]], words: Words) -> str:
    """Return the main measures: cards for one setting, otherwise a table."""
    if len(settings) == 1:
        cards = []
        for headline in HEADLINES:
            found = headline.value(settings[0][1])
            if found is not None:
                interval = _interval(found, headline.text)
                shown = headline.text(found.value) if found.count else words("not-measured")
                title = _text(words(f"measure.{headline.key}"))
                define = html.escape(words(f"define.{headline.key}"))
                cards.append(
                    f'<li title="{define}"><small>{title}</small>'
                    f"<b>{_text(shown)}</b><small>{interval or '&nbsp;'}</small></li>"
                )
        return f'<ul class="numbers">{"".join(cards)}</ul>\n{_definitions(settings, words)}'
    head = [(words("measure"), ""), *((name, "n") for name, _ in settings)]
    head += [(f"{words('difference')}: {name}", "n") for name, _ in settings[1:]]
    rows: list[Row] = []
    for headline in HEADLINES:
        values = [headline.value(found) for _, found in settings]
        if all(value is None for value in values):
            continue
        row = [(_text(words(f"measure.{headline.key}")), "")]
        for value in values:
            row.append((_with_interval(value, headline.text, words), "n"))
        for value in values[1:]:
            row.append(_difference(values[0], value, headline.text))
        rows.append(row)
    table = _table(head, rows)
    return (
        f'<div class="grid"><section class="wide"><h2>{_text(words("overview"))}</h2>{table}'
        f"</section></div>\n{_definitions(settings, words)}"
    )


def _definitions(settings: Sequence[tuple[str, Measures]], words: Words) -> str:
    rows = [
        [
            (_text(words(f"measure.{headline.key}")), ""),
            (_text(words(f"define.{headline.key}")), "define"),
        ]
        for headline in HEADLINES
        if any(headline.value(found) is not None for _, found in settings)
    ]
    head = [(words("measure"), ""), (words("definition"), "")]
    return (
        f"<details><summary>{_text(words('definitions'))}</summary>{_table(head, rows)}</details>"
    )


def _interval(found: Estimate, text: object) -> str:
    assert callable(text)
    if math.isnan(found.low) or not found.count:
        return ""
    return f"{text(found.low)} – {text(found.high)}"


def _with_interval(found: Estimate | None, text: object, words: Words) -> str:
    assert callable(text)
    if found is None:
        return "–"
    if not found.count:
        return _text(words("not-measured"))
    interval = _interval(found, text)
    return (
        f"{text(found.value)}<br><small>{interval}</small>" if interval else str(text(found.value))
    )


def _difference(before: Estimate | None, after: Estimate | None, text: object) -> tuple[str, str]:
    assert callable(text)
    if not (before and after and before.count and after.count):
        return "–", "n"
    found = difference(before, after)
    sign = "−" if found.value < 0 else "+"
    shown = f"{sign}{text(abs(found.value))}"
    return shown, "n clear" if differs(found) else "n"


def _table(head: Row, rows: Sequence[Row]) -> str:
    """Return a table; cells are HTML, and heads are text."""
    top = "".join(f'<th scope="col"{_class(kind)}>{_text(text)}</th>' for text, kind in head)
    body = "".join(
        "<tr>"
        + f'<th scope="row"{_class(row[0][1])}>{row[0][0]}</th>'
        + "".join(f"<td{_class(kind)}>{cell}</td>" for cell, kind in row[1:])
        + "</tr>\n"
        for row in rows
    )
    table = f"<table><thead><tr>{top}</tr></thead><tbody>\n{body}</tbody></table>"
    return f'<div class="scroll">{table}</div>'


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def _section(title: str, note: str, content: str, *, wide: bool = False) -> str:
    kind = ' class="wide"' if wide else ""
    note = f'<p class="note">{_text(note)}</p>' if note else ""
    return f"<section{kind}><h2>{_text(title)}</h2>{note}\n{content}\n</section>"


def _figure(svg: str, label: str) -> str:
    return f'<div role="img" aria-label="{html.escape(label)}">{svg}</div>'


def _sections(settings: Sequence[tuple[str, Measures]], words: Words) -> Iterator[str]:
    several = len(settings) > 1
    yield _seats(settings, words, several)
    yield _endings(settings, words)
    yield _length(settings, words)
    yield _branching(settings, words)
    if any(found.decisiveness.count for _, found in settings):
        curves = [(name, found.course) for name, found in settings if found.decisiveness.count]
        svg = plots.course("course", curves, label=words("axis.progress"))
        title = words("section.course")
        yield _section(title, words("text.course"), _figure(svg, title))
    if any(part.name == "chance" for _, found in settings for part in found.luck):
        yield _luck(settings, words)
    if any(found.skill for _, found in settings):
        rows = [
            (
                words("skill-row", level=step.level, below=step.level - 1)
                + (f"  {name}" if several else ""),
                step.share,
                number,
            )
            for place in range(max(len(found.skill) for _, found in settings))
            for number, (name, found) in enumerate(settings)
            for step in found.skill[place : place + 1]
        ]
        svg = plots.dots("skill", rows, reference=0.5, label=words("axis.share"))
        title = words("section.skill")
        yield _section(title, words("text.skill"), _figure(svg, title))
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


def _seats(settings: Sequence[tuple[str, Measures]], words: Words, several: bool) -> str:
    rows = [
        (words.seat(seat) + (f"  {name}" if several else ""), found.seats[seat], number)
        for seat in range(max(len(found.seats) for _, found in settings))
        for number, (name, found) in enumerate(settings)
        if seat < len(found.seats)
    ]
    equal = 1.0 / min(len(found.seats) for _, found in settings)
    svg = plots.dots("seats", rows, reference=equal, label=words("axis.share"))
    table_rows = [
        [
            (_text(label), ""),
            (percent(found.value), "n"),
            (f"{percent(found.low)} – {percent(found.high)}", "n"),
        ]
        for label, found, _ in rows
    ]
    head = [("", ""), (words("axis.share"), "n"), (words("interval"), "n")]
    title = words("section.seats")
    return _section(title, words("text.seats"), _figure(svg, title) + _table(head, table_rows))


def _endings(settings: Sequence[tuple[str, Measures]], words: Words) -> str:
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
    head = [(words("ending"), "")]
    head += [(name if len(settings) > 1 else words("part"), "n") for name, _ in settings]
    if len(settings) == 1:
        head.append((words("first-there"), "n"))
    table: list[Row] = []
    for code, name in zip(codes, names, strict=True):
        sentence = words.ending(code[0], shared=code[1])
        detail = f"<br><small>{_text(sentence)}</small>" if sentence != code[0] else ""
        row = [(f"{_text(name)}{detail}", "")]
        row += [(percent(own[code].part.value) if code in own else "–", "n") for own in parts]
        if len(settings) == 1:
            row.append((percent(parts[0][code].first), "n"))
        table.append(row)
    title = words("section.endings")
    return _section(title, words("text.endings"), _figure(svg, title) + _table(head, table))


def _length(settings: Sequence[tuple[str, Measures]], words: Words) -> str:
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
    title = words("section.length")
    return _section(title, note, _figure(svg, title))


def _branching(settings: Sequence[tuple[str, Measures]], words: Words) -> str:
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
    title = words("section.branching")
    return _section(title, note, _figure(svg, title))


def _luck(settings: Sequence[tuple[str, Measures]], words: Words) -> str:
    known = [(name, found.luck) for name, found in settings if found.luck]
    names = list(dict.fromkeys(part.name for _, luck in known for part in luck))
    order = [name for name in ("choices", "chance", "start") if name in names]
    rows = []
    for name, luck in known:
        by_name = {part.name: part.part.value for part in luck}
        rows.append((name if len(known) > 1 else "", [by_name.get(one, 0.0) for one in order]))
    svg = plots.stacks("luck", rows, [words(f"luck.{name}") for name in order])
    head = [("", ""), (words("part"), "n"), (words("interval"), "n")]
    table = [
        [
            (_text(words(f"luck.{part.name}") + (f"  {name}" if len(known) > 1 else "")), ""),
            (percent(part.part.value), "n"),
            (f"{percent(part.part.low)} – {percent(part.part.high)}", "n"),
        ]
        for name, luck in known
        for part in luck
    ]
    title = words("section.luck")
    return _section(title, words("text.luck"), _figure(svg, title) + _table(head, table))


def _kinds(settings: Sequence[tuple[str, Measures]], words: Words) -> str:
    order = list(dict.fromkeys(one.value for _, found in settings for one in found.kinds))
    by_kind = [{one.value: one for one in found.kinds} for _, found in settings]
    shown = order[:MOST_ROWS]
    rows = [
        (kind, [found[kind].uses if kind in found else 0.0 for found in by_kind]) for kind in shown
    ]
    svg = plots.bars("kinds", rows, label=words("axis.uses"))
    several = len(settings) > 1
    table: list[Row] = []
    for kind in order:
        for (name, _), found in zip(settings, by_kind, strict=True):
            if kind in found:
                label = _with_code(words.kind(kind), kind)
                label += f" <small>{_text(name)}</small>" if several else ""
                table.append(_usage_row(label, found[kind]))
    title = words("section.kinds")
    content = f'<div class="grid"><div>{_figure(svg, title)}</div></div>'
    return _section(
        title, words("text.kinds"), content + _table(_usage_head("kind", words), table), wide=True
    )


def _usage_head(column: str, words: Words) -> Row:
    return [
        (words(column), ""),
        (words("uses"), "n"),
        (words("in-games"), "n"),
        (words("effect"), "n"),
        (words("interval"), "n"),
        (words("swing"), "n"),
    ]


def _usage_row(label: str, usage: Usage) -> Row:
    effect = usage.effect
    known = effect.count >= FEWEST_EFFECTS
    uses = f"{usage.uses:.1f}" if usage.uses >= 0.95 else f"{usage.uses:.2f}"
    return [
        (label, ""),
        (uses, "n"),
        (percent(usage.games), "n"),
        (signed(effect.value) if known else "–", "n clear" if known and differs(effect) else "n"),
        (f"{signed(effect.low)} – {signed(effect.high)}" if known else "", "n"),
        ("–" if usage.swing is None else f"{100 * usage.swing:.1f}", "n"),
    ]


def _usage(key: str, column: str, name: str, usage: Sequence[Usage], words: Words) -> str:
    rows = [_usage_row(_text(words.part(one.value)), one) for one in usage[:MOST_ROWS]]
    title = words(f"section.{key}") + (f": {name}" if name else "")
    more = ""
    if len(usage) > MOST_ROWS:
        more = f'<p class="note">{_text(words("more-rows", count=len(usage) - MOST_ROWS))}</p>'
    note = words(f"text.{key}")
    return _section(title, note, _table(_usage_head(column, words), rows) + more, wide=True)


def _shown_openings(openings: Sequence[Opening]) -> list[Opening]:
    known = [one for one in openings if one.games >= FEWEST_GAMES]
    if len(known) <= MOST_OPENINGS:
        return known
    return [*known[: MOST_OPENINGS // 2], *known[-MOST_OPENINGS // 2 :]]


def _openings(
    number: int, name: str, found: Measures, shown: Sequence[Opening], words: Words
) -> str:
    labels = [words.action(one.kind, one.parts, one.token) for one in shown]
    rows = [(one.token, one.first, number) for one in shown]
    svg = plots.dots(
        f"openings{number}", rows, reference=1.0 / len(found.seats), label=words("first-share")
    )
    head = [
        (words("opening"), ""),
        (words("games"), "n"),
        (words("first-share"), "n"),
        (words("interval"), "n"),
    ]
    table = [
        [
            (_with_code(label, one.token), ""),
            (str(one.games), "n"),
            (percent(one.first.value), "n"),
            (f"{percent(one.first.low)} – {percent(one.first.high)}", "n"),
        ]
        for label, one in zip(labels, shown, strict=True)
    ]
    title = words("section.openings") + (f": {name}" if name else "")
    note = words("text.openings" if found.opening else "text.openings-chosen", least=FEWEST_GAMES)
    note = ("" if words.language == "ja" else " ").join((note, words("many")))
    content = (
        f'<div class="grid"><div>{_figure(svg, title)}</div><div>{_table(head, table)}</div></div>'
    )
    return _section(title, note, content, wide=True)


def _data(words: Words, names: Sequence[str], command: str) -> str:
    note = ""
    if names:
        games, actions, summary = (f"<code>{_text(name)}</code>" for name in names)
        text = words("text.data", games=games, actions=actions, summary=summary)
        note = f'<p class="note">{text}</p>'
    return (
        f'<section class="wide"><h2>{_text(words("section.data"))}</h2>{note}'
        f'<p class="note">{_text(words("text.reproduce"))}</p>'
        f"<pre><code>{_text(command)}</code></pre>"
        f'<p class="note">{_text(words("text.measures"))}</p></section>'
    )
