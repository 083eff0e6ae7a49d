"""The command `tavola analyse`."""

from typing import Annotated

import typer

from tavola._core import MAX_THREADS
from tavola.cli.parameters import Lang, RecordFile, RecordNumber, seconds, seed
from tavola.cli.parameters import number as number_option


def analyse(
    context: typer.Context,
    record: RecordFile,
    number: RecordNumber = 1,
    seconds: Annotated[float | None, seconds("help.position-seconds")] = None,
    nodes: Annotated[
        int | None, number_option("--nodes", least=1, most=2**32 - 1, described="help.nodes")
    ] = None,
    threads: Annotated[
        int | None,
        number_option("--threads", least=1, most=MAX_THREADS, described="help.all-threads"),
    ] = None,
    seed: Annotated[int, seed("help.search-seed")] = 0,
    engine: Annotated[
        str | None, typer.Option(metavar="ENGINE", help="help.analysis-engine")
    ] = None,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="help.analysis-file")] = None,
    commented: Annotated[
        str | None, typer.Option("--record", metavar="FILE", help="help.annotated-record")
    ] = None,
    lang: Lang = None,
) -> int:
    """Analyse a finished game."""
    from tavola.cli.analyse import Arguments, run

    arguments = Arguments(
        path=record,
        number=number,
        seconds=seconds,
        nodes=nodes,
        threads=threads,
        seed=seed,
        engine=engine,
        json=json,
        record=commented,
    )
    return run(context.obj, arguments)
