"""`tavola ugi`: a UGI session on standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import BinaryIO

from tavola.ugi.session import Session

__all__ = ["serve"]

LONGEST_LINE = 1 << 20


def serve() -> int:
    """Run a session until `quit` or the end of the input.

    Returns:
        The exit code.
    """

    def write(line: str) -> None:
        sys.stdout.buffer.write(f"{line}\n".encode())
        sys.stdout.buffer.flush()

    session = Session(write)
    try:
        for line in _lines(sys.stdin.buffer, session):
            if not session.hear(line):
                break
    finally:
        session.close()
    return 0


def _lines(source: BinaryIO, session: Session) -> Iterator[str]:
    """Yield the valid lines and reject the others."""
    while raw := source.readline(LONGEST_LINE):
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            while raw and not raw.endswith(b"\n"):
                raw = source.readline(LONGEST_LINE)
            session.refuse(f"a line is longer than {LONGEST_LINE} bytes")
            continue
        try:
            yield raw.decode()
        except UnicodeDecodeError:
            session.refuse("a line is not UTF-8")
