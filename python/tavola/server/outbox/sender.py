"""The contract of a channel: what it needs, which destinations it accepts, how it sends.

To add a channel:

1. Write a subclass of `Sender` in a file of its own, and add it to `SENDERS` in `notifier.py`.
2. Add its name to `Channel` in `schema/notifications.py`, and run `make types`.
3. Add its switch to `settings.py` and `tavola serve`, with a help text in each language.
4. Add its words (`<channel>.address`, `<channel>.add`) to `web/src/account/words`.
5. Describe it in `docs/reference/server-api.md`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Self

from tavola.language import Language
from tavola.server.accounts.accounts import Account, Accounts, ClientInfo
from tavola.server.outbox.delivery import Delivery
from tavola.server.outbox.destinations import Accepted
from tavola.server.outbox.public_http import PublicHttp
from tavola.server.schema.notifications import Destination, NewDestination
from tavola.server.settings import Settings
from tavola.server.storage.database import Database


class Host(NamedTuple):
    """The parts of the server that channels need.

    Attributes:
        http: The client for public hosts.
    """

    database: Database
    accounts: Accounts
    settings: Settings
    http: PublicHttp

    @property
    def origin(self) -> str:
        """The public address of this server."""
        return next(iter(self.settings.origins), "")


class Sender(ABC):
    """A channel that the host has switched on."""

    joins: ClassVar[bool] = False
    """Whether it sends all that is due for a destination as one."""

    @classmethod
    @abstractmethod
    async def start(cls, host: Host) -> Self | None:
        """Return the channel, or `None` if the settings of the host leave it off."""

    @abstractmethod
    async def accept(self, account: Account, new: NewDestination, visitor: ClientInfo) -> Accepted:
        """Check a new destination, and return what is stored of it.

        Raises:
            RequestError: With the reason.
        """

    async def on_added(  # noqa: B027 - most channels need no confirmation
        self, account: Account, added: Destination, language: Language
    ) -> None:
        """Ask a new destination for its confirmation, if the channel needs one.

        Raises:
            RequestError: With the reason.
        """

    @abstractmethod
    async def __call__(self, deliveries: Sequence[Delivery]) -> None:
        """Deliver events to one destination: one event, unless the channel joins them.

        Raises:
            DeliveryFailed: With the reason.
        """

    async def close(self) -> None:  # noqa: B027 - most channels have nothing to close
        """Close all connections."""
