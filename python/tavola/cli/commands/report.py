"""The command `tavola report`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tavola.cli.parameters import (
    OUT,
    Cluster,
    GameName,
    Lang,
    Options,
    WholeNumber,
    WholeNumbers,
    jobs,
    number,
    options_of,
    pairs,
    seed,
)


def report(
    context: typer.Context,
    game: GameName,
    option: Options = None,
    games: Annotated[
        int, number("--games", "-n", least=1, most=10**7, described="help.report-games")
    ] = 600,
    level: Annotated[
        Any,
        typer.Option(
            metavar="L",
            help="help.report-level",
            parser=WholeNumbers(WholeNumber("--level", 1, 8)),
        ),
    ] = "4",
    engine: Annotated[
        list[str] | None, typer.Option(metavar="ENGINE", help="help.report-engine")
    ] = None,
    openings: Annotated[
        int | None, number("--openings", least=0, most=1000, described="help.report-openings")
    ] = None,
    skill_games: Annotated[
        int, number("--skill-games", least=0, most=10**6, described="help.skill-games")
    ] = 20,
    skill_levels: Annotated[
        int, number("--skill-levels", metavar="L", least=1, most=8, described="help.skill-levels")
    ] = 6,
    against: Annotated[
        list[Any] | None, typer.Option(metavar="NAME=VALUE", help="help.against", parser=pairs)
    ] = None,
    balance: Annotated[bool, typer.Option("--balance", help="help.balance")] = False,
    seed: Annotated[int, seed("help.match-seed")] = 0,
    out: Annotated[Path | None, typer.Option(*OUT, metavar="FILE", help="help.report-out")] = None,
    jobs: Annotated[int | None, jobs("help.jobs")] = None,
    cluster: Cluster = None,
    resume: Annotated[bool, typer.Option("--resume", help="help.report-resume")] = False,
    lang: Lang = None,
) -> int:
    """Report on a game."""
    from tavola.cli.executors import open_executor
    from tavola.cli.report import run

    with open_executor(context.obj, jobs=jobs, cluster=cluster, default=None) as executor:
        return run(
            context.obj,
            game,
            options=options_of(option),
            against=[options_of(one) for one in against or []],
            balance=balance,
            levels=level,
            engines=tuple(engine or ()),
            games=games,
            openings=openings,
            skill_games=skill_games,
            skill_levels=skill_levels,
            seed=seed,
            executor=executor,
            out=out,
            resume=resume,
        )
