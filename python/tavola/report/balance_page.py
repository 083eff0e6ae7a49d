"""The page of a balance report: the shares of the seats by handicap."""

from __future__ import annotations

from collections.abc import Iterator

from tavola.page_template import render
from tavola.report import plots
from tavola.report.balance import OPTION, Balance
from tavola.report.headline import differs
from tavola.report.page import Cell, Section, Table
from tavola.report.plots import percent
from tavola.report.words import Words

__all__ = ["balance_findings", "balance_page", "balance_table"]


def balance_page(found: Balance, words: Words, *, command: str) -> str:
    """Return the page of a balance report.

    Args:
        found: The result.
        words: The words of the report.
        command: The command that makes the report.

    Returns:
        An HTML document without links to other files.
    """
    plan = found.plan
    seats = range(len(found.steps[0].seats))
    rows = [
        (f"{one.handicap}  {words.seat(seat)}", one.seats[seat], seat)
        for one in found.steps
        for seat in seats
    ]
    svg = plots.dots(OPTION, rows, reference=1.0 / len(seats), label=words("axis.share"))
    head, lines = balance_table(found, words)
    table = Table(
        [Cell(text, "n" if place else "") for place, text in enumerate(head)],
        [[Cell(text, "n" if place else "") for place, text in enumerate(row)] for row in lines],
    )
    engines = plan.engines or tuple(f"level:{level}" for level in plan.levels)
    options = [item for item in plan.settings[0].items() if item[0] != OPTION]
    return render(
        "report/page.html",
        words=words,
        title=words("balance.title", game=words.title),
        lead=words(
            "balance.lead",
            engines=" · ".join(
                [", ".join(engines), *(words.option(name, value) for name, value in options)]
            ),
            seed=plan.seed,
        ),
        key=[(words.seat(seat), "") for seat in seats],
        findings=list(balance_findings(found, words)),
        cards=[],
        comparison=None,
        definitions=None,
        sections=[Section(words("balance.section"), words("balance.text"), svg, table, wide=True)],
        files="",
        command=command,
    )


def balance_table(found: Balance, words: Words) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of the table of handicaps.

    Args:
        found: The result.
        words: The words of the report.
    """
    head = [words("balance.handicap"), words("games")]
    for seat in range(len(found.steps[0].seats)):
        head += [words.seat(seat), words("interval")]
    rows = []
    for one in found.steps:
        row = [words.option(OPTION, one.handicap), str(one.games)]
        for share in one.seats:
            row += [percent(share.value), f"{percent(share.low)} – {percent(share.high)}"]
        rows.append(row)
    return head, rows


def balance_findings(found: Balance, words: Words) -> Iterator[str]:
    """Yield sentences on the result.

    Args:
        found: The result.
        words: The words of the report.
    """
    plain, best = found.steps[0], found.best
    equal = 1.0 / len(plain.seats)
    yield words(
        "balance.plain",
        value=percent(plain.seats[0].value),
        low=percent(plain.seats[0].low),
        high=percent(plain.seats[0].high),
        equal=percent(equal),
    )
    if best is plain:
        yield words("balance.none")
        return
    yield words(
        "balance.best",
        handicap=words.option(OPTION, best.handicap),
        value=percent(best.seats[0].value),
        low=percent(best.seats[0].low),
        high=percent(best.seats[0].high),
    )
    uneven = [seat for seat, share in enumerate(best.seats) if differs(share, equal)]
    if uneven:
        yield words("balance.uneven", seats=", ".join(words.seat(seat) for seat in uneven))
    else:
        yield words("balance.even")
