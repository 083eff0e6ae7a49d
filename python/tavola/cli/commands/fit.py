"""The command `tavola fit`."""

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


def fit(
    context: typer.Context,
    game: GameName,
    option: Options = None,
    engine: Annotated[str, typer.Option(metavar="ENGINE", help="help.fit-engine")] = (
        "auto:nodes=200"
    ),
    games: Annotated[
        int, number("--games", "-n", least=10, most=10**9, described="help.fit-games")
    ] = 1000,
    seed: Annotated[int, seed("help.fit-seed")] = 0,
    jobs: Annotated[int | None, jobs("help.match-jobs")] = None,
    cluster: Cluster = None,
    out: Annotated[Path | None, typer.Option(*OUT, metavar="FILE", help="help.fit-out")] = None,
    lang: Lang = None,
) -> int:
    """Fit the weights of an evaluation."""
    from tavola.cli.executors import open_executor
    from tavola.cli.fit import run

    with open_executor(context.obj, jobs=jobs, cluster=cluster) as executor:
        return run(
            context.obj,
            game,
            options=options_of(option),
            engine=engine,
            count=games,
            seed=seed,
            executor=None if executor.processes == 1 and cluster is None else executor,
            output=out,
        )
