"""UGI sessions on standard input and output: `tavola ugi`, and agents written in Python."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from tavola.engines import Engine
from tavola.ugi.agent import AgentEngine
from tavola.ugi.session import Session

__all__ = ["private_streams", "serve"]

LONGEST_LINE = 1 << 20

Streams = tuple[BinaryIO, BinaryIO]
"""The input and the output of a session."""


def serve(engine: Engine | Any | None = None, *, streams: Streams | None = None) -> int:
    """Speak UGI on standard input and output until `quit` or the end of the input.

    Meanwhile, text that an agent prints goes to standard error.

    Args:
        engine: An agent: an object with `choose(state) -> token`, and perhaps
            `new_game(game, seat)` and `close()`; or an `Engine`. Default: the engines of Tavola, as
            in `tavola ugi`.
        streams: Binary input and output in place of the standard ones.

    Returns:
        The exit code.

    Raises:
        TypeError: If an agent has no method `choose`.
    """
    served = engine if engine is None or isinstance(engine, Engine) else AgentEngine(engine)
    if streams is not None:
        return _serve(streams, served)
    if served is None:
        return _serve((sys.stdin.buffer, sys.stdout.buffer), None)
    with private_streams() as private:
        return _serve(private, served)


@contextlib.contextmanager
def private_streams() -> Iterator[Streams]:
    """Take standard input and output for a session during the block.

    Other code then reads nothing from standard input, and prints to standard error.

    Yields:
        The input and the output of the session.
    """
    sys.stdout.flush()
    source, target = os.dup(0), os.dup(1)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    with os.fdopen(source, "rb") as read, os.fdopen(target, "wb") as written:
        try:
            yield read, written
        finally:
            sys.stdout.flush()
            os.dup2(source, 0)
            os.dup2(target, 1)


def _serve(streams: Streams, engine: Engine | None) -> int:
    source, target = streams

    def write(line: str) -> None:
        target.write(f"{line}\n".encode())
        target.flush()

    session = Session(write, engine)
    try:
        for line in _lines(source, session):
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
