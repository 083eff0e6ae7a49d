"""The command `tavola archive`."""

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


def archive(
    context: typer.Context,
    game: GameName,
    option: Options = None,
    games: Annotated[
        int, number("--games", "-n", least=1, most=10**6, described="help.archive-games")
    ] = 10000,
    engine: Annotated[
        list[str] | None, typer.Option(metavar="ENGINE", help="help.archive-engine")
    ] = None,
    openings: Annotated[
        int,
        number(
            "--openings", metavar="PLIES", least=0, most=1000, described="help.archive-openings"
        ),
    ] = 8,
    out: Annotated[Path | None, typer.Option(*OUT, metavar="FILE", help="help.archive-out")] = None,
    seed: Annotated[int, seed("help.match-seed", 2**62)] = 0,
    jobs: Annotated[int | None, jobs("help.jobs")] = None,
    cluster: Cluster = None,
    lang: Lang = None,
) -> int:
    """Make an archive of engine games."""
    from tavola.cli.archive import make
    from tavola.cli.executors import open_executor

    with open_executor(context.obj, jobs=jobs, cluster=cluster, default=None) as executor:
        return make(
            context.obj,
            game,
            options=options_of(option),
            engines=engine or [],
            count=games,
            plies=openings,
            seed=seed,
            out=out or Path(f"{game}-archive.bin"),
            executor=executor,
        )
