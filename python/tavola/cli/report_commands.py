"""The commands that make data of games: `tavola report`, `tavola puzzles`, `tavola export`."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from tavola.cli.errors import parse_options, parse_whole_number
from tavola.cli.executors import open_executor
from tavola.cli.flags import JOBS, OUT
from tavola.cli.locales import Translator


def add_report_commands(
    app: typer.Typer,
    described: type[TyperCommand],
    translate: Translator,
    *,
    option: Any,
    cluster: Any,
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
        game_name: The parameter of the game.
        lang: The parameter of the language.
    """

    @app.command(cls=described, help=translate("help.report"))
    def report(
        game: Annotated[str, game_name],
        option: Annotated[list[str] | None, option] = None,
        games_: Annotated[
            str, typer.Option("--games", "-n", metavar="N", help=translate("help.report-games"))
        ] = "600",
        level: Annotated[
            str, typer.Option("--level", metavar="L", help=translate("help.report-level"))
        ] = "4",
        engine: Annotated[
            list[str] | None,
            typer.Option("--engine", metavar="ENGINE", help=translate("help.report-engine")),
        ] = None,
        openings: Annotated[
            str | None,
            typer.Option("--openings", metavar="N", help=translate("help.report-openings")),
        ] = None,
        skill_games: Annotated[
            str, typer.Option("--skill-games", metavar="N", help=translate("help.skill-games"))
        ] = "20",
        skill_levels: Annotated[
            str, typer.Option("--skill-levels", metavar="L", help=translate("help.skill-levels"))
        ] = "6",
        against: Annotated[
            list[str] | None,
            typer.Option("--against", metavar="NAME=VALUE", help=translate("help.against")),
        ] = None,
        seed: Annotated[str, typer.Option(metavar="N", help=translate("help.match-seed"))] = "0",
        out: Annotated[
            Path | None, typer.Option(*OUT, metavar="FILE", help=translate("help.report-out"))
        ] = None,
        jobs: Annotated[
            str | None, typer.Option(*JOBS, metavar="N", help=translate("help.jobs"))
        ] = None,
        cluster: Annotated[str | None, cluster] = None,
        resume: Annotated[
            bool, typer.Option("--resume", help=translate("help.report-resume"))
        ] = False,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.report import run

        def count(name: str, given: str, least: int, most: int) -> int:
            return parse_whole_number(translate, name, given, least, most)

        with open_executor(translate, jobs=jobs, cluster=cluster, default=None) as executor:
            return run(
                translate,
                game,
                options=parse_options(translate, option),
                against=[parse_options(translate, one.split(",")) for one in against or []],
                levels=tuple(count("--level", one, 1, 8) for one in level.split(",")),
                engines=tuple(engine or ()),
                games=count("--games", games_, 1, 10**7),
                openings=None if openings is None else count("--openings", openings, 0, 1000),
                skill_games=count("--skill-games", skill_games, 0, 10**6),
                skill_levels=count("--skill-levels", skill_levels, 1, 8),
                seed=count("--seed", seed, 0, 2**63 - 1),
                executor=executor,
                out=out,
                resume=resume,
            )

    @app.command(cls=described, help=translate("help.puzzles"))
    def puzzles(
        game: Annotated[str, game_name],
        option: Annotated[list[str] | None, option] = None,
        count: Annotated[
            str, typer.Option("--count", "-n", metavar="N", help=translate("help.puzzles-count"))
        ] = "200",
        out: Annotated[
            Path | None, typer.Option(*OUT, metavar="FILE", help=translate("help.puzzles-out"))
        ] = None,
        theme: Annotated[
            list[str] | None,
            typer.Option("--theme", metavar="THEME", help=translate("help.puzzles-theme")),
        ] = None,
        check: Annotated[
            Path | None,
            typer.Option("--check", metavar="FILE", help=translate("help.puzzles-check")),
        ] = None,
        sample: Annotated[
            str | None,
            typer.Option("--sample", metavar="N", help=translate("help.puzzles-sample")),
        ] = None,
        seed: Annotated[str, typer.Option(metavar="N", help=translate("help.match-seed"))] = "0",
        jobs: Annotated[
            str | None, typer.Option(*JOBS, metavar="N", help=translate("help.jobs"))
        ] = None,
        cluster: Annotated[str | None, cluster] = None,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.puzzles import make, verify

        def number(name: str, given: str, least: int, most: int) -> int:
            return parse_whole_number(translate, name, given, least, most)

        seeded = number("--seed", seed, 0, 2**62)
        drawn = None if sample is None else number("--sample", sample, 1, 10**6)
        with open_executor(translate, jobs=jobs, cluster=cluster, default=None) as executor:
            if check is not None:
                return verify(
                    translate, game, path=check, sample=drawn, seed=seeded, executor=executor
                )
            return make(
                translate,
                game,
                options=parse_options(translate, option),
                themes=tuple(theme or ()),
                count=number("--count", count, 1, 10**6),
                seed=seeded,
                out=out or Path(f"{game}-puzzles.json"),
                executor=executor,
            )

    @app.command(cls=described, help=translate("help.export"))
    def export(
        records: Annotated[
            list[Path],
            typer.Argument(
                metavar="RECORDS...", help=translate("help.export-records"), show_default=False
            ),
        ],
        out: Annotated[
            Path,
            typer.Option(*OUT, "-o", metavar="FILE", help=translate("help.export-out")),
        ] = Path("games.parquet"),
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.export import run

        return run(translate, records, out)
