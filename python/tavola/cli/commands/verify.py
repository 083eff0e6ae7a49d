"""The command `tavola verify`."""

from typing import Annotated

import typer

from tavola.cli.errors import BadValue
from tavola.cli.parameters import Lang, RecordFile, RecordNumber
from tavola.fairness import is_secret


def parse_commitment(given: str) -> str:
    """Check a commitment.

    Raises:
        BadValue: If the text is not one.
    """
    if not is_secret(given.lower()):
        raise BadValue("--commitment", given, "valid.commitment")
    return given


def verify(
    context: typer.Context,
    record: RecordFile,
    number: RecordNumber = 1,
    commitment: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="help.commitment", parser=parse_commitment),
    ] = None,
    lang: Lang = None,
) -> int:
    """Verify the chance events of a record."""
    from tavola.cli.verify import run

    return run(context.obj, record, number, commitment)
