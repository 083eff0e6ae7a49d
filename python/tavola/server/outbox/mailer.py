"""Sends mail through the SMTP server of the host."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from tavola.server.outbox.delivery import AfterFailure, DeliveryFailed

if TYPE_CHECKING:
    import aiosmtplib

COMMAND_SECONDS = 10
"""How long the SMTP server may take for one answer."""

QUIT_SECONDS = 1
"""How long it may take to say goodbye; the mail is sent already."""

PORTS = {"smtp": 587, "smtps": 465, "smtp+insecure": 25}
"""By scheme of the URL, the usual port: with STARTTLS, with TLS, and without encryption."""


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """The SMTP server that sends our mail.

    Attributes:
        scheme: `smtp`: STARTTLS is required. `smtps`: TLS. `smtp+insecure`: no encryption.
    """

    scheme: str
    host: str
    port: int
    user: str | None = None
    password: str | None = None


def parse_smtp_url(url: str) -> SmtpServer:
    """Return the server of `smtp://USER:PASSWORD@HOST:PORT`.

    Raises:
        ValueError: If it is not such a URL.
    """
    # The text of an error could contain the password.
    fault = "not an SMTP URL"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError(fault) from None
    if parts.scheme not in PORTS or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ValueError(fault)
    return SmtpServer(
        parts.scheme,
        parts.hostname,
        port or PORTS[parts.scheme],
        None if parts.username is None else unquote(parts.username),
        None if parts.password is None else unquote(parts.password),
    )


def parse_sender(text: str) -> Address:
    """Return the sender of `club@example.org` or `Club <club@example.org>`.

    Raises:
        ValueError: If it is not an address.
    """
    name, address = parseaddr(text)
    try:
        found = Address(name, addr_spec=address)
    except (ValueError, IndexError, HeaderParseError):
        found = Address()
    if not found.domain:
        raise ValueError("not an address")
    return found


class Mailer:
    """Sends mail.

    Args:
        server: The SMTP server.
        sender: The sender of all mail.
    """

    def __init__(self, server: SmtpServer, sender: Address) -> None:
        self._server = server
        self.sender = sender
        self._goodbyes: set[asyncio.Task[None]] = set()

    def message(self, address: str, subject: str, body: str, key: str) -> EmailMessage:
        """Return a mail.

        Args:
            address: The receiver.
            subject: One line.
            body: Plain text.
            key: What makes it one mail, whenever it is sent.
        """
        message = EmailMessage(policy=SMTP)
        message["From"] = self.sender
        message["To"] = Address(addr_spec=address)
        message["Subject"] = subject
        message["Date"] = format_datetime(datetime.now(UTC))
        message["Message-ID"] = f"<{key}@{self.sender.domain}>"
        # No answer of a machine to the mail of a machine (RFC 3834).
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(body, cte="base64" if not body.isascii() else None)
        return message

    async def close(self) -> None:
        """Wait until all goodbyes are said."""
        await asyncio.gather(*self._goodbyes)

    async def send(self, message: EmailMessage) -> None:
        """Send a mail; return when the SMTP server has accepted it.

        Raises:
            DeliveryFailed: With the reason, without the address.
        """
        # Imported here: a server without mail need not wait for it.
        import aiosmtplib

        server = self._server
        client = aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            timeout=COMMAND_SECONDS,
            use_tls=server.scheme == "smtps",
            start_tls=server.scheme == "smtp",
            username=server.user,
            password=server.password,
            local_hostname=self.sender.domain,
        )
        sent = False
        try:
            await client.connect()
            await client.send_message(message)
            sent = True
        except aiosmtplib.SMTPRecipientsRefused as error:
            raise _refused(error.recipients[0].code) from None
        except aiosmtplib.SMTPDataError as error:
            raise _refused(error.code) from None
        except aiosmtplib.SMTPResponseException as error:
            # The host can mend it.
            raise DeliveryFailed(f"SMTP status {error.code}") from None
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise DeliveryFailed(f"SMTP: {type(error).__name__}") from None
        finally:
            if sent:
                # The mail is accepted: its sender need not wait for the goodbye.
                saying = asyncio.create_task(_quit(client))
                self._goodbyes.add(saying)
                saying.add_done_callback(self._goodbyes.discard)
            else:
                client.close()


def _refused(code: int) -> DeliveryFailed:
    """Return the failure of a refused mail, without the text, which may contain the address."""
    then = AfterFailure.GIVE_UP if 500 <= code < 600 else AfterFailure.TRY_AGAIN
    return DeliveryFailed(f"SMTP status {code}", then)


async def _quit(client: aiosmtplib.SMTP) -> None:
    """Say goodbye, whatever the answer."""
    import aiosmtplib

    try:
        with suppress(aiosmtplib.SMTPException, OSError, TimeoutError):
            async with asyncio.timeout(QUIT_SECONDS):
                await client.quit()
    finally:
        client.close()
