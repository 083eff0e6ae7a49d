"""Logging: readable lines in a terminal, JSON otherwise."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog


class _SafeStderr:
    """The standard error stream as it is at each line.

    A closed stream (a broken pipe, a closed terminal) does not stop the server.
    """

    def write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.flush()


def configure(*, verbose: bool = False) -> None:
    """Send the server's journal, and that of the libraries, to the standard error stream.

    Args:
        verbose: Whether to tell of what goes well, too.
    """
    level = logging.INFO if verbose else logging.WARNING
    person = sys.stderr.isatty()
    stamps: list[structlog.typing.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=not person),
    ]
    lines: list[structlog.typing.Processor] = [
        # No values of variables in tracebacks: seat tokens would be among them.
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if person
        else structlog.processors.format_exc_info,
        *([] if person else [structlog.processors.JSONRenderer()]),
    ]
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, *stamps, *lines],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", _SafeStderr())),
        cache_logger_on_first_use=True,
    )
    # Messages of libraries in the same format.
    handler = logging.StreamHandler(cast("TextIO", _SafeStderr()))
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *stamps],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *lines],
        )
    )
    logging.basicConfig(handlers=[handler], level=level)
    # Every connection and every migration step: not even then.
    for name in ("uvicorn.error", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
