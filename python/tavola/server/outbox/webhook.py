"""Webhooks: signed JSON to an address of the account's choice."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Sequence
from typing import Self

import msgspec

from tavola.server.accounts.accounts import Account, ClientInfo
from tavola.server.outbox import texts
from tavola.server.outbox.delivery import Delivery
from tavola.server.outbox.destinations import Accepted
from tavola.server.outbox.public_http import PublicHttp, check_status
from tavola.server.outbox.sender import Host, Sender
from tavola.server.schema.notifications import NewDestination, Notification


class WebhookMessage(Notification, frozen=True):
    """The body of a request to a webhook.

    `url`: the page of the match. `text` and `content`: the notification in words, under the names
    that chat systems expect: the first in Slack and Mattermost, the second in Discord.
    """

    url: str
    text: str
    content: str


def signature(secret: str, at: int, body: bytes) -> str:
    """Return the signature of a body at a time: HMAC-SHA256 of `TIME.BODY`, in hexadecimal."""
    return hmac.new(secret.encode(), b"%d." % at + body, hashlib.sha256).hexdigest()


class Webhook(Sender):
    """Delivers to webhooks.

    Args:
        http: The client for public hosts.
        origin: The public address of this server.
    """

    def __init__(self, http: PublicHttp, origin: str) -> None:
        self._http = http
        self._origin = origin

    @classmethod
    async def start(cls, host: Host) -> Self | None:
        """Return the channel, if the host has switched it on."""
        if not host.settings.webhooks:
            return None
        host.http.prepare()
        return cls(host.http, host.origin)

    async def accept(self, account: Account, new: NewDestination, visitor: ClientInfo) -> Accepted:
        """Check the form of the address, and make the key of its signatures."""
        self._http.check(new.address)
        return Accepted(secret=secrets.token_urlsafe(32), shown=True)

    async def __call__(self, deliveries: Sequence[Delivery]) -> None:
        """Deliver an event."""
        (delivery,) = deliveries
        url = texts.link(delivery, self._origin)
        text = f"{texts.title(delivery)}: {texts.sentence(delivery)} {url}"
        body = msgspec.json.encode(
            WebhookMessage(
                id=delivery.event,
                kind=delivery.kind,
                at=delivery.at,
                match=delivery.match,
                game=delivery.game,
                by=delivery.by,
                detail=delivery.detail,
                url=url,
                text=text,
                content=text,
            )
        )
        at = int(time.time())
        headers = {
            "content-type": "application/json",
            "user-agent": "Tavola",
            "tavola-event": str(delivery.event),
            "tavola-signature": f"t={at},v1={signature(delivery.secret, at, body)}",
        }
        check_status(await self._http.post(delivery.address, body, headers))
