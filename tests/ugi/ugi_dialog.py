"""A dialog with a UGI session in the same process."""

from __future__ import annotations

import queue
from typing import Self

from tavola.engines import Engine
from tavola.ugi.session import Session


class Dialog:
    """Says lines to a session and hears its answers."""

    def __init__(self, served: Engine | None = None) -> None:
        self._heard: queue.Queue[str] = queue.Queue()
        self.session = Session(self._heard.put, served)

    def say(self, line: str) -> bool:
        """Says a line; False after `quit`."""
        return self.session.hear(line)

    def hear(self) -> str:
        """The next line of the answers; waits for it."""
        return self._heard.get(timeout=30)

    def ask(self, line: str) -> str:
        """Says a line and hears the answer."""
        self.say(line)
        return self.hear()

    def waiting(self) -> bool:
        """Whether there is a line to hear."""
        return not self._heard.empty()

    def unread(self) -> list[str]:
        """All lines that wait to be heard."""
        return [self._heard.get() for _ in range(self._heard.qsize())]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.session.close()
