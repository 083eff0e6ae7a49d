"""The command `tavola puzzles`."""

from pathlib import Path
from typing import Annotated

import typer

from tavola.cli.parameters import (
    OUT,
    Cluster,
    GameName,
    Lang,
    Options,
    jobs,
    number,
    options_of,
    seed,
)


def puzzles(
    context: typer.Context,
    game: GameName,
    option: Options = None,
    count: Annotated[
        int, number("--count", "-n", least=1, most=10**6, described="help.puzzles-count")
    ] = 200,
    out: Annotated[Path | None, typer.Option(*OUT, metavar="FILE", help="help.puzzles-out")] = None,
    theme: Annotated[
        list[str] | None, typer.Option(metavar="THEME", help="help.puzzles-theme")
    ] = None,
    check: Annotated[Path | None, typer.Option(metavar="FILE", help="help.puzzles-check")] = None,
    sample: Annotated[
        int | None, number("--sample", least=1, most=10**6, described="help.puzzles-sample")
    ] = None,
    levels: Annotated[Path | None, typer.Option(metavar="FILE", help="help.puzzles-levels")] = None,
    trials: Annotated[
        int, number("--trials", least=1, most=1000, described="help.puzzles-trials")
    ] = 16,
    seed: Annotated[int, seed("help.match-seed", 2**62)] = 0,
    jobs: Annotated[int | None, jobs("help.jobs")] = None,
    cluster: Cluster = None,
    lang: Lang = None,
) -> int:
    """Make, confirm or measure puzzles."""
    from tavola.cli.executors import open_executor
    from tavola.cli.puzzles import make, measure, verify

    translate = context.obj
    with open_executor(translate, jobs=jobs, cluster=cluster, default=None) as executor:
        if check is not None:
            return verify(translate, game, path=check, sample=sample, seed=seed, executor=executor)
        if levels is not None:
            return measure(translate, game, path=levels, trials=trials, executor=executor)
        return make(
            translate,
            game,
            options=options_of(option),
            themes=tuple(theme or ()),
            count=count,
            seed=seed,
            out=out or Path(f"{game}-puzzles.json"),
            executor=executor,
        )
