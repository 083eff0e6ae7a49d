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
    """The result of one measurement."""

    @property
    def reached(self) -> bool:
        """Whether the result reaches its bar."""

    def as_json(self) -> dict[str, Any]:
        """Returns all results as plain data."""

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


@app.command("states")
def states_command(*, quick: Quick = False, path: Json = None) -> None:
    """One state from Python against OpenSpiel's."""
    from benches import states

    report(*states.measure(quick=quick, console=side), path=path)


@app.command("training")
def training_command(*, quick: Quick = False, path: Json = None) -> None:
    """Vector environments against PGX's."""
    from benches import training

    report(*training.measure(quick=quick, console=side), path=path)


@app.command("frameworks")
def frameworks_command(*, quick: Quick = False, path: Json = None) -> None:
    """OpenSpiel's tree search over Tavola's adapter, beside its own game in Python."""
    from benches import frameworks

    report(frameworks.measure(quick=quick, console=side), path=path)


@app.command("wasm")
def wasm_command(*, quick: Quick = False, path: Json = None) -> None:
    """Tree search in WebAssembly against the native core."""
    from benches import wasm

    report(*wasm.measure(quick=quick, console=side), path=path)


@app.command("serving")
def serving_command(*, quick: Quick = False, path: Json = None) -> None:
    """A server and its crowd, beside boardgame.io's."""
    from benches import serving

    report(serving.measure(quick=quick, console=side), path=path)


@app.command("attacks")
def attacks_command(*, quick: Quick = False, path: Json = None) -> None:
    """Attacks of one address on the matches of others."""
    from benches import attacks

    report(attacks.measure(quick=quick, console=side), path=path)


@app.command("club")
def club_command(*, quick: Quick = False, path: Json = None) -> None:
    """Actions in a club of 10,000 accounts, with and without viewers of Live."""
    from benches import club

    report(club.measure(quick=quick, console=side), path=path)


@app.command("pairing")
def pairing_command(*, quick: Quick = False, path: Json = None) -> None:
    """The pairings of tournaments of 1,000 players."""
    from benches import pairing

    report(pairing.measure(quick=quick, console=side), path=path)


@app.command("notifications")
def notifications_command(*, quick: Quick = False, path: Json = None) -> None:
    """From a move to the bell and the push endpoint."""
    from benches import notifications

    report(notifications.measure(quick=quick, console=side), path=path)


@app.command("record")
def record_command(files: list[Path]) -> None:
    """Append the ratios in files of `--json` to history.csv, and draw the plot of the docs."""
    import subprocess
    from datetime import UTC, datetime

    from benches import history

    asked = ["git", "rev-parse", "--short=8", "HEAD"]
    commit = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    tables = [table for file in files for table in json.loads(file.read_bytes())]
    for row in history.record(tables, datetime.now(UTC).date(), commit):
        output.print(*row, highlight=False)


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


@app.command("levels")
def levels_command(
    *,
    game: Annotated[str | None, typer.Option(help="One game; all if not given.")] = None,
    games: Annotated[int, typer.Option(help="Games of each level against the one below.")] = 200,
    seed: Annotated[int, typer.Option(help="Random seed of openings and engines.")] = 1,
    processes: Annotated[int, typer.Option(help="Games at once.")] = 2,
) -> None:
    """Every level against the one below it; writes docs/reference/levels.md. It takes hours."""
    import tavola
    from benches import levels

    for name in tavola.games() if game is None else (game,):
        steps = levels.measure(name, games=games, seed=seed, processes=processes, console=side)
        levels.write({name: (section := levels.section(name, steps))})
        output.print(section, markup=False)


@app.command("solved")
def solved_command(
    game: str,
    *,
    count: Annotated[
        int, typer.Option("--positions", help="Positions with a proven result.")
    ] = 400,
    engines: Annotated[
        str, typer.Option(help="Engines, separated by spaces; levels 1 to 7 if not given.")
    ] = " ".join(f"level:{level}" for level in range(1, 8)),
    seed: Annotated[int, typer.Option(help="Random seed of the games.")] = 1,
    file: Annotated[
        Path | None, typer.Option("--cases", help="Positions of a solved endgame, not proofs.")
    ] = None,
) -> None:
    """How often engines keep a known result, in a game of two seats without chance."""
    from itertools import islice

    import tavola
    from benches import solved

    loaded = tavola.load(game)
    if loaded.seats != 2 or loaded.has_chance:
        raise typer.BadParameter("Only games of two seats without chance have proofs.")
    known: list[solved.Case]
    if file is not None:
        known = [*solved.read(loaded, file)]
    else:
        known = [*islice(solved.cases(loaded, seed), count)]
        known.sort(key=lambda one: one.column)
    kept = {text: solved.grade(text, known, loaded) for text in engines.split()}
    print(solved.table(kept))


@app.command("solved-cases")
def solved_cases_command(game: str, labelled: Path, out: Path) -> None:
    """Write the cases of a file of labelled games, for `solved --cases`."""
    import tavola
    from benches import labelled_games, solved

    found = labelled_games.cases(labelled_games.positions(tavola.load(game), labelled.read_bytes()))
    rows = map(solved.line, found)
    out.write_text("[\n" + ",\n".join(rows) + "\n]\n")


@app.command("find-levels")
def find_levels_command(
    game: str,
    *,
    highest: Annotated[float, typer.Option(help="The top of the dial, in doublings of nodes.")],
    games: Annotated[int, typer.Option(help="Games between neighbours on the dial.")] = 40,
    processes: Annotated[int, typer.Option(help="Games at once.")] = 2,
) -> None:
    """Finds engines for the levels below the top one, for games/<game>/levels.json."""
    from benches import find_levels

    climbs = []
    for step in find_levels.climb(game, highest, games=games, processes=processes, console=side):
        low, high = step.row.interval
        output.print(f"{step.dial:4.1f}  {step.row.share:.0%}  ({low:.0%} to {high:.0%})")
        climbs.append(step)
    for dial in find_levels.places(climbs, levels=7):
        output.print(f"{dial:4.1f}  {find_levels.engine(dial)}", markup=False, highlight=False)


if __name__ == "__main__":
    app(prog_name="python -m benches")
