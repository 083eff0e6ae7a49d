"""The commands that play many games in parallel: `tavola match` and `tavola fit`."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from tavola.cli.errors import parse_options, parse_whole_number
from tavola.cli.executors import open_executor
from tavola.cli.flags import JOBS, OUT
from tavola.cli.locales import Translator
from tavola.engines.spec import EXTERNAL, KINDS


def add_match_commands(
    app: typer.Typer,
    described: type[TyperCommand],
    translate: Translator,
    *,
    option: Any,
    cluster: Any,
    game_option: Any,
    game_name: Any,
    lang: Any,
) -> None:
    """Add the commands to the command line.

    Args:
        app: The command line.
        described: The class of commands, with help in a language.
        translate: The language.
        option: The parameter of game options.
        cluster: The parameter of the address of a cluster.
        game_option: The option of the game.
        game_name: The argument of the game.
        lang: The parameter of the language.
    """
    kinds = ", ".join(kind for kind in KINDS if kind not in ("level", *EXTERNAL))

    @app.command(cls=described, help=translate("help.match"))
    def match(
        engines: Annotated[
            list[str],
            typer.Argument(
                metavar="ENGINE...", help=translate("help.engines", kinds=kinds), show_default=False
            ),
        ],
        game: Annotated[str, game_option],
        option: Annotated[list[str] | None, option] = None,
        games_: Annotated[
            str, typer.Option("--games", "-n", metavar="N", help=translate("help.match-games"))
        ] = "100",
        openings: Annotated[
            str, typer.Option("--openings", metavar="N", help=translate("help.openings"))
        ] = "4",
        jobs: Annotated[
            str | None, typer.Option(*JOBS, metavar="N", help=translate("help.match-jobs"))
        ] = None,
        cluster: Annotated[str | None, cluster] = None,
        seed: Annotated[str, typer.Option(metavar="N", help=translate("help.match-seed"))] = "0",
        records: Annotated[
            Path | None, typer.Option(metavar="FILE", help=translate("help.records"))
        ] = None,
        resume: Annotated[bool, typer.Option("--resume", help=translate("help.resume"))] = False,
        sprt: Annotated[
            str | None, typer.Option(metavar="ELO0,ELO1", help=translate("help.sprt"))
        ] = None,
        json: Annotated[
            str | None, typer.Option(metavar="FILE", help=translate("help.json"))
        ] = None,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.level_matches import LEVELS, match_levels
        from tavola.cli.match import EngineMatch, parse_sprt

        def play(**arguments: Any) -> int:
            if LEVELS in engines:
                return match_levels(translate, engines, **arguments)
            return EngineMatch(translate, engines, **arguments).run()

        with open_executor(translate, jobs=jobs, cluster=cluster) as executor:
            return play(
                game=game,
                options=parse_options(translate, option),
                games=parse_whole_number(translate, "--games", games_, 1, 10**9),
                plies=parse_whole_number(translate, "--openings", openings, 0, 1000),
                executor=executor,
                seed=parse_whole_number(translate, "--seed", seed, 0, 2**63 - 1),
                records=records,
                summary=json,
                sprt=None if sprt is None else parse_sprt(translate, sprt),
                resume=resume,
            )

    @app.command(cls=described, help=translate("help.fit"))
    def fit(
        game: Annotated[str, game_name],
        option: Annotated[list[str] | None, option] = None,
        engine: Annotated[
            str, typer.Option("--engine", metavar="ENGINE", help=translate("help.fit-engine"))
        ] = "auto:nodes=200",
        games_: Annotated[
            str, typer.Option("--games", "-n", metavar="N", help=translate("help.fit-games"))
        ] = "1000",
        seed: Annotated[str, typer.Option(metavar="N", help=translate("help.fit-seed"))] = "0",
        jobs: Annotated[
            str | None, typer.Option(*JOBS, metavar="N", help=translate("help.match-jobs"))
        ] = None,
        cluster: Annotated[str | None, cluster] = None,
        out: Annotated[
            Path | None, typer.Option(*OUT, metavar="FILE", help=translate("help.fit-out"))
        ] = None,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.fit import FEWEST, run

        with open_executor(translate, jobs=jobs, cluster=cluster) as executor:
            return run(
                translate,
                game,
                options=parse_options(translate, option),
                engine=engine,
                count=parse_whole_number(translate, "--games", games_, FEWEST, 10**9),
                seed=parse_whole_number(translate, "--seed", seed, 0, 2**63 - 1),
                executor=None if executor.processes == 1 and cluster is None else executor,
                output=out,
            )
