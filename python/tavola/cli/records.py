"""The record that a command is to work with."""

from __future__ import annotations

import sys
from pathlib import Path

import tavola
from tavola.cli.faults import Fault, why
from tavola.cli.words import Words


def chosen(words: Words, path: str, number: int) -> tavola.Record:
    """One of the records of a file; it is read, not replayed.

    Args:
        words: What to speak.
        path: The file; "-" for standard input.
        number: Which of its records, counted from 1.

    Raises:
        Fault: If there is no such record.
    """
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        records = tavola.read_records(text if "[" in text or "\n" in text else f"{text}\n")
    except (OSError, UnicodeDecodeError) as error:
        raise Fault(words, "cannot-read", file=path, detail=why(words, error)) from None
    except tavola.TavolaError as error:
        raise Fault(words, "bad-record", file=path, detail=error) from None
    if len(records) < number:
        raise Fault(words, "no-such-record", file=path, number=number, count=len(records))
    return records[number - 1]
