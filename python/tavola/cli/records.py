"""The record that a command is to work with."""

from __future__ import annotations

import sys
from pathlib import Path

import tavola
from tavola.cli.errors import UsageError
from tavola.cli.locales import Translator
from tavola.record import LARGEST


def chosen(words: Translator, path: str, number: int) -> tavola.Record:
    """One of the records of a file; it is read, not replayed.

    Args:
        words: What to speak.
        path: The file; "-" for standard input.
        number: Which of its records, counted from 1.

    Raises:
        UsageError: If there is no such record.
    """
    return one_of(words, path, number)[0]


def one_of(words: Translator, path: str, number: int) -> tuple[tavola.Record, int]:
    """As `chosen`, and how many records the file holds.

    Raises:
        UsageError: If there is no such record.
    """
    try:
        source = _of_standard_input() if path == "-" else Path(path)
        records = tavola.read_records(source, largest=LARGEST)
    except (OSError, UnicodeDecodeError, tavola.TooLarge) as error:
        raise UsageError(words, "cannot-read", file=path, detail=error) from None
    except tavola.TavolaError as error:
        raise UsageError(words, "bad-record", file=path, detail=error) from None
    if len(records) < number:
        raise UsageError(words, "no-such-record", file=path, number=number, count=len(records))
    return records[number - 1], len(records)


def _of_standard_input() -> str:
    """What stands there, and is text even if nothing in it says so."""
    text = sys.stdin.read(LARGEST + 1)
    return text if "[" in text or "\n" in text else f"{text}\n"
