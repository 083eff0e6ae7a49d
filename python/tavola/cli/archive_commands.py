"""The commands for archives: `tavola archive`, `tavola explore`."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from tavola.cli.errors import parse_options, parse_whole_number
from tavola.cli.flags import JOBS, OUT
from tavola.cli.locales import Translator


def add_archive_commands(
    app: typer.Typer,
    described: type[TyperCommand],
    translate: Translator,
    *,
    game_name: Any,
    option: Any,
    cluster: Any,
    lang: Any,
) -> None:
    """Add the commands to the command line.

    Args:
        app: The command line.
        described: The class of commands, with help in a language.
        translate: The language.
        game_name: The parameter of the game.
        option: The parameter of the options of the game.
        cluster: The parameter of the cluster.
        lang: The parameter of the language.
    """

    @app.command(cls=described, help=translate("help.archive"))
    def archive(
        game: Annotated[str, game_name],
        option: Annotated[list[str] | None, option] = None,
        games_: Annotated[
            str, typer.Option("--games", "-n", metavar="N", help=translate("help.archive-games"))
        ] = "10000",
        engine: Annotated[
            list[str] | None,
            typer.Option("--engine", metavar="ENGINE", help=translate("help.archive-engine")),
        ] = None,
        openings: Annotated[
            str, typer.Option(metavar="PLIES", help=translate("help.archive-openings"))
        ] = "8",
        out: Annotated[
            Path | None, typer.Option(*OUT, metavar="FILE", help=translate("help.archive-out"))
        ] = None,
        seed: Annotated[str, typer.Option(metavar="N", help=translate("help.match-seed"))] = "0",
        jobs: Annotated[
            str | None, typer.Option(*JOBS, metavar="N", help=translate("help.jobs"))
        ] = None,
        cluster: Annotated[str | None, cluster] = None,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.archive import make
        from tavola.cli.executors import open_executor

        def number(name: str, given: str, least: int, most: int) -> int:
            return parse_whole_number(translate, name, given, least, most)

        with open_executor(translate, jobs=jobs, cluster=cluster, default=None) as executor:
            return make(
                translate,
                game,
                options=parse_options(translate, option),
                engines=engine or [],
                count=number("--games", games_, 1, 10**6),
                plies=number("--openings", openings, 0, 1000),
                seed=number("--seed", seed, 0, 2**62),
                out=out or Path(f"{game}-archive.bin"),
                executor=executor,
            )

    @app.command(cls=described, help=translate("help.explore"))
    def explore(
        game: Annotated[str, game_name],
        actions: Annotated[
            list[str] | None,
            typer.Argument(
                metavar="ACTIONS...", help=translate("help.explore-actions"), show_default=False
            ),
        ] = None,
        option: Annotated[list[str] | None, option] = None,
        position: Annotated[
            str | None, typer.Option(metavar="TEXT", help=translate("help.explore-position"))
        ] = None,
        archive_: Annotated[
            Path | None,
            typer.Option("--archive", metavar="FILE", help=translate("help.explore-archive")),
        ] = None,
        games_: Annotated[
            str, typer.Option("--games", "-n", metavar="N", help=translate("help.explore-games"))
        ] = "0",
        json: Annotated[bool, typer.Option("--json", help=translate("help.explore-json"))] = False,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.explore import show

        return show(
            translate,
            game,
            options=parse_options(translate, option),
            position=position,
            actions=" ".join(actions or []),
            path=archive_,
            listed=parse_whole_number(translate, "--games", games_, 0, 10**6),
            json=json,
        )
