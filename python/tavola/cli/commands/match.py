"""The command `tavola match`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tavola.cli.parameters import Cluster, GameOption, Lang, Options, jobs, number, options_of, seed


def match(
    context: typer.Context,
    engines: Annotated[
        list[str],
        typer.Argument(metavar="ENGINE...", help="help.engines", show_default=False),
    ],
    game: GameOption,
    option: Options = None,
    games: Annotated[
        int, number("--games", "-n", least=1, most=10**9, described="help.match-games")
    ] = 100,
    openings: Annotated[
        int, number("--openings", least=0, most=1000, described="help.openings")
    ] = 4,
    jobs: Annotated[int | None, jobs("help.match-jobs")] = None,
    cluster: Cluster = None,
    seed: Annotated[int, seed("help.match-seed")] = 0,
    records: Annotated[Path | None, typer.Option(metavar="FILE", help="help.records")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="help.resume")] = False,
    sprt: Annotated[str | None, typer.Option(metavar="ELO0,ELO1", help="help.sprt")] = None,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="help.json")] = None,
    lang: Lang = None,
) -> int:
    """Run a match between engines."""
    from tavola.cli.executors import open_executor
    from tavola.cli.level_matches import LEVELS, match_levels
    from tavola.cli.match import EngineMatch, parse_sprt

    translate = context.obj
    with open_executor(translate, jobs=jobs, cluster=cluster) as executor:
        arguments: dict[str, Any] = {
            "game": game,
            "options": options_of(option),
            "games": games,
            "plies": openings,
            "executor": executor,
            "seed": seed,
            "records": records,
            "summary": json,
            "sprt": None if sprt is None else parse_sprt(translate, sprt),
            "resume": resume,
        }
        if LEVELS in engines:
            return match_levels(translate, engines, **arguments)
        return EngineMatch(translate, engines, **arguments).run()
