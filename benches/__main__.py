"""`python -m benches`: speed against peers; `python -m benches strength`: strength."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer
from rich.console import Console

app = typer.Typer(add_completion=False, help="Measures Tavola.")
# Tables go to the output, progress to the side.
output, side = Console(), Console(stderr=True)

Quick = Annotated[bool, typer.Option("--quick", help="Rough figures in a few seconds.")]
Json = Annotated[Path | None, typer.Option("--json", help="Write the figures to this file, too.")]


class Figures(Protocol):
    """What a measurement came to."""

    @property
    def reached(self) -> bool:
        """Whether the bar is."""

    def as_json(self) -> dict[str, Any]:
        """Everything, as plain data."""

    def show(self, console: Console) -> None:
        """Prints the table."""


def report(*measured: Figures, path: Path | None) -> None:
    """Shows the figures; exit status 1 if a bar is not reached."""
    for figures in measured:
        figures.show(output)
    if path is not None:
        path.write_text(json.dumps([figures.as_json() for figures in measured], indent=1) + "\n")
    if not all(figures.reached for figures in measured):
        raise typer.Exit(1)


@app.callback(invoke_without_command=True)
def speed(context: typer.Context, *, quick: Quick = False, path: Json = None) -> None:
    """Rules and search against OpenSpiel, in the same run."""
    if context.invoked_subcommand is None:
        from benches import rules, search

        report(
            *rules.measure(quick=quick, console=side),
            search.measure(quick=quick, console=side),
            path=path,
        )


@app.command("rules")
def rules_command(*, quick: Quick = False, path: Json = None) -> None:
    """Random play against OpenSpiel's."""
    from benches import rules

    report(*rules.measure(quick=quick, console=side), path=path)


@app.command("search")
def search_command(*, quick: Quick = False, path: Json = None) -> None:
    """Tree search against OpenSpiel's."""
    from benches import search

    report(search.measure(quick=quick, console=side), path=path)


@app.command("strength")
def strength_command(
    *,
    game: Annotated[str | None, typer.Option(help="One game; all if not given.")] = None,
    games: Annotated[int, typer.Option(help="Games against each opponent.")] = 100,
    seconds: Annotated[float, typer.Option(help="The engine's time a move.")] = 1.0,
    processes: Annotated[
        int | None, typer.Option(help="Games at once; all cores if not given.")
    ] = None,
    path: Json = None,
) -> None:
    """The engine against simple players. It takes hours at the default settings."""
    from benches import strength

    measured = [
        strength.measure(name, games=games, seconds=seconds, processes=processes, console=side)
        for name in strength.BARS
        if game in (None, name)
    ]
    if not measured:
        raise typer.BadParameter(f"There are bars for {', '.join(strength.BARS)} alone.")
    report(*measured, path=path)


if __name__ == "__main__":
    app(prog_name="python -m benches")
