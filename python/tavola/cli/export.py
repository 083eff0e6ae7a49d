"""`tavola export`: converts game records to a Parquet table."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import tavola
from tavola.atomic_write import atomic_write
from tavola.cli.errors import UsageError, check_writable
from tavola.cli.locales import Translator


def run(translate: Translator, records: Sequence[Path], output: Path) -> int:
    """Write the records of files as a Parquet table, with one row per game.

    Returns:
        The exit code.

    Raises:
        UsageError: If pyarrow is missing, or a file cannot be read or written.
    """
    if find_spec("pyarrow") is None:
        raise UsageError(translate, "report-packages", packages="pyarrow")
    import pyarrow.parquet as pq

    if output.suffix.lower() != ".parquet":
        valid = translate("valid.picture", suffixes=".parquet")
        raise UsageError(translate, "bad-value", name="--out", given=output, valid=valid)
    check_writable(translate, output)
    tables = []
    for path in records:
        try:
            tables.append(tavola.records_table(path))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(translate, "cannot-read", file=path, detail=error) from None
        except tavola.TavolaError as error:
            raise UsageError(translate, "bad-record", file=path, detail=error) from None
    import pyarrow as pa

    table = pa.concat_tables(tables, promote_options="default")
    written = io.BytesIO()
    pq.write_table(table, written, compression="zstd")
    try:
        atomic_write(output, written.getvalue())
    except OSError as error:
        raise UsageError(translate, "cannot-write", file=output, detail=error) from None
    print(translate("export.done", count=table.num_rows, file=output))
    return 0
