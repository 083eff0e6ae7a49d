"""Reads the record that a command works on."""

from __future__ import annotations

import sys
from pathlib import Path

import tavola
from tavola.cli.errors import UsageError
from tavola.cli.locales import Translator
from tavola.record import LARGEST


def read_record(translate: Translator, path: str, number: int) -> tavola.Record:
    """Read a record of a file without replaying it.

    Args:
        translate: The language of messages.
        path: The file; "-" for standard input.
        number: The number of the record in the file, from 1.

    Raises:
        UsageError: If the record cannot be read.
    """
    return read_record_and_count(translate, path, number)[0]


def read_record_and_count(
    translate: Translator, path: str, number: int
) -> tuple[tavola.Record, int]:
    """Read a record as `read_record` does; return the number of records of the file too.

    Raises:
        UsageError: If the record cannot be read.
    """
    try:
        source = _read_stdin() if path == "-" else Path(path)
        records = tavola.read_records(source, largest=LARGEST)
    except (OSError, UnicodeDecodeError, tavola.TooLarge) as error:
        raise UsageError(translate, "cannot-read", file=path, detail=error) from None
    except tavola.TavolaError as error:
        raise UsageError(translate, "bad-record", file=path, detail=error) from None
    if len(records) < number:
        raise UsageError(translate, "no-such-record", file=path, number=number, count=len(records))
    return records[number - 1], len(records)


def _read_stdin() -> str:
    """Return the text of standard input in a form that `read_records` takes for a text.

    Records are UTF-8, whatever the terminal's encoding is.
    """
    text = sys.stdin.buffer.read(LARGEST + 1).decode("utf-8-sig")
    return text if "[" in text or "\n" in text else f"{text}\n"
