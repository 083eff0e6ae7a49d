"""The command `tavola export`."""

from pathlib import Path
from typing import Annotated

import typer

from tavola.cli.parameters import OUT, Lang


def export(
    context: typer.Context,
    records: Annotated[
        list[Path],
        typer.Argument(metavar="RECORDS...", help="help.export-records", show_default=False),
    ],
    out: Annotated[Path, typer.Option(*OUT, "-o", metavar="FILE", help="help.export-out")] = Path(
        "games.parquet"
    ),
    lang: Lang = None,
) -> int:
    """Export records as tables."""
    from tavola.cli.export import run

    return run(context.obj, records, out)
