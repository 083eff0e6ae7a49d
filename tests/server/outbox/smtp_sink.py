"""An SMTP server that stores what it receives, and fails, hangs or lies as a test says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller


class Sink:
    """The mail that an SMTP server has received.

    Attributes:
        answer: Returns the answer to a mail, by the number of mails so far; 250 accepts it.
        refusal: The answer to every receiver, or None if it accepts them.
        hangs: For how many seconds it waits before this answer.
        hangs_at_quit: For how many seconds it waits before it says goodbye.
    """

    def __init__(self) -> None:
        self.received: list[EmailMessage] = []
        self.attempts = 0
        self.answer: Callable[[int], str] = lambda number: "250 OK"
        self.refusal: str | None = None
        self.hangs: Callable[[int], float] = lambda number: 0
        self.hangs_at_quit = 0.0
        self.url = ""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.attempts += 1
        number = self.attempts
        await asyncio.sleep(self.hangs(number))
        answer = self.answer(number)
        if answer.startswith("250"):
            self.received.append(message_from_bytes(envelope.content, policy=policy.default))
        return answer

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if self.refusal is not None:
            self.attempts += 1
            return self.refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_QUIT(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        await asyncio.sleep(self.hangs_at_quit)
        return "221 Bye"

    def to(self, address: str) -> list[EmailMessage]:
        return [mail for mail in self.received if mail["To"] == address]


def text_of(mail: EmailMessage) -> str:
    return str(mail.get_content())


class _Controller(Controller):
    def _trigger_server(self) -> None:
        """Learn which port the system chose."""
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


@contextmanager
def smtp_sink() -> Iterator[Sink]:
    sink = Sink()
    controller = _Controller(sink, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        sink.url = f"smtp+insecure://127.0.0.1:{controller.port}"
        yield sink
    finally:
        controller.stop()
