"""The command `tavola train`."""

from pathlib import Path
from typing import Annotated

import typer

from tavola._core import MAX_C_PUCT
from tavola.cli.parameters import (
    OUT,
    Cluster,
    Decimal,
    GameName,
    Lang,
    Options,
    jobs,
    number,
    options_of,
    seed,
)


def train(
    context: typer.Context,
    game: GameName,
    option: Options = None,
    out: Annotated[Path | None, typer.Option(*OUT, metavar="DIR", help="help.train-out")] = None,
    hours: Annotated[
        float | None,
        typer.Option(
            metavar="H", help="help.train-hours", parser=Decimal("--hours", 10_000, "valid.hours")
        ),
    ] = None,
    nodes: Annotated[
        int | None, number("--nodes", least=2, most=10**6, described="help.train-nodes")
    ] = None,
    c_puct: Annotated[
        float | None,
        typer.Option(
            metavar="C",
            help="help.train-c-puct",
            parser=Decimal("--c-puct", MAX_C_PUCT, "valid.decimal"),
        ),
    ] = None,
    rollouts: Annotated[
        float | None,
        typer.Option(
            metavar="W",
            help="help.train-rollouts",
            parser=Decimal("--rollouts", 1, "valid.decimal"),
        ),
    ] = None,
    games: Annotated[
        int | None, number("--games", "-n", least=1, most=10**6, described="help.train-games")
    ] = None,
    hidden: Annotated[
        int | None, number("--hidden", least=1, most=4096, described="help.train-hidden")
    ] = None,
    reads: Annotated[str | None, typer.Option(metavar="WHAT", help="help.train-reads")] = None,
    teacher: Annotated[
        int | None, number("--teacher", least=0, most=10**6, described="help.train-teacher")
    ] = None,
    teacher_nodes: Annotated[
        int | None,
        number("--teacher-nodes", least=1, most=10**9, described="help.train-teacher-nodes"),
    ] = None,
    solution: Annotated[
        Path | None, typer.Option(metavar="FILE", help="help.train-solution")
    ] = None,
    power: Annotated[
        int | None, number("--power", least=1, most=8, described="help.train-power")
    ] = (None),
    anchor: Annotated[
        int | None, number("--anchor", least=1, most=10**9, described="help.train-anchor")
    ] = None,
    seed: Annotated[int | None, seed("help.train-seed", 2**31 - 1)] = None,
    calibrate: Annotated[
        int | None, number("--calibrate", least=1, most=10**6, described="help.train-calibrate")
    ] = None,
    jobs: Annotated[int | None, jobs("help.train-jobs")] = None,
    cluster: Cluster = None,
    lang: Lang = None,
) -> int:
    """Train a network."""
    from tavola.cli.executors import open_executor
    from tavola.cli.train import run

    given = {
        "nodes": nodes,
        "games": games,
        "hidden": hidden,
        "teacher_rounds": teacher,
        "teacher_nodes": teacher_nodes,
        "power": power,
        "anchor_nodes": anchor,
        "seed": seed,
        "c_puct": c_puct,
        "rollouts": rollouts,
    }
    with open_executor(context.obj, jobs=jobs, cluster=cluster, default=None) as executor:
        return run(
            context.obj,
            game,
            options=options_of(option),
            out=out,
            hours=hours,
            executor=None if executor.processes == 1 and cluster is None else executor,
            settings={name: value for name, value in given.items() if value is not None},
            reads=reads,
            solution=solution,
            calibrated=calibrate,
        )
