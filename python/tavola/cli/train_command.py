"""The command that trains networks: `tavola train`."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from tavola.cli.errors import parse_decimal, parse_options, parse_whole_number
from tavola.cli.executors import open_executor
from tavola.cli.flags import JOBS, OUT
from tavola.cli.locales import Translator


def add_train_command(
    app: typer.Typer,
    described: type[TyperCommand],
    translate: Translator,
    *,
    option: Any,
    cluster: Any,
    game_name: Any,
    lang: Any,
) -> None:
    """Add the command to the command line.

    Args:
        app: The command line.
        described: The class of commands, with help in a language.
        translate: The language.
        option: The parameter of game options.
        cluster: The parameter of the address of a cluster.
        game_name: The argument of the game.
        lang: The parameter of the language.
    """

    @app.command(cls=described, help=translate("help.train"))
    def train(
        game: Annotated[str, game_name],
        option: Annotated[list[str] | None, option] = None,
        out: Annotated[
            Path | None, typer.Option(*OUT, metavar="DIR", help=translate("help.train-out"))
        ] = None,
        hours: Annotated[
            str | None, typer.Option("--hours", metavar="H", help=translate("help.train-hours"))
        ] = None,
        nodes: Annotated[
            str | None, typer.Option("--nodes", metavar="N", help=translate("help.train-nodes"))
        ] = None,
        c_puct: Annotated[
            str | None, typer.Option("--c-puct", metavar="C", help=translate("help.train-c-puct"))
        ] = None,
        games_: Annotated[
            str | None,
            typer.Option("--games", "-n", metavar="N", help=translate("help.train-games")),
        ] = None,
        hidden: Annotated[
            str | None, typer.Option("--hidden", metavar="N", help=translate("help.train-hidden"))
        ] = None,
        reads: Annotated[
            str | None, typer.Option("--reads", metavar="WHAT", help=translate("help.train-reads"))
        ] = None,
        teacher: Annotated[
            str | None,
            typer.Option("--teacher", metavar="N", help=translate("help.train-teacher")),
        ] = None,
        teacher_nodes: Annotated[
            str | None,
            typer.Option(
                "--teacher-nodes", metavar="N", help=translate("help.train-teacher-nodes")
            ),
        ] = None,
        power: Annotated[
            str | None, typer.Option("--power", metavar="N", help=translate("help.train-power"))
        ] = None,
        anchor: Annotated[
            str | None, typer.Option("--anchor", metavar="N", help=translate("help.train-anchor"))
        ] = None,
        seed: Annotated[
            str | None, typer.Option("--seed", metavar="N", help=translate("help.train-seed"))
        ] = None,
        calibrate: Annotated[
            str | None,
            typer.Option("--calibrate", metavar="N", help=translate("help.train-calibrate")),
        ] = None,
        jobs: Annotated[
            str | None, typer.Option(*JOBS, metavar="N", help=translate("help.train-jobs"))
        ] = None,
        cluster: Annotated[str | None, cluster] = None,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.train import run

        numbers = {
            "nodes": ("--nodes", nodes, 2, 10**6),
            "games": ("--games", games_, 1, 10**6),
            "hidden": ("--hidden", hidden, 1, 4096),
            "teacher_rounds": ("--teacher", teacher, 0, 10**6),
            "teacher_nodes": ("--teacher-nodes", teacher_nodes, 1, 10**9),
            "power": ("--power", power, 1, 8),
            "anchor_nodes": ("--anchor", anchor, 1, 10**9),
            "seed": ("--seed", seed, 0, 2**31 - 1),
        }
        settings: dict[str, float] = {
            name: parse_whole_number(translate, flag, given, least, most)
            for name, (flag, given, least, most) in numbers.items()
            if given is not None
        }
        if c_puct is not None:
            settings["c_puct"] = parse_decimal(translate, "--c-puct", c_puct, 100, "valid.decimal")
        with open_executor(translate, jobs=jobs, cluster=cluster, default=None) as executor:
            return run(
                translate,
                game,
                options=parse_options(translate, option),
                out=out,
                hours=None
                if hours is None
                else parse_decimal(translate, "--hours", hours, 10_000, "valid.hours"),
                executor=None if executor.processes == 1 and cluster is None else executor,
                settings=settings,
                reads=reads,
                calibrated=None
                if calibrate is None
                else parse_whole_number(translate, "--calibrate", calibrate, 1, 10**6),
            )
