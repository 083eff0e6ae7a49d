"""Webhooks: signed JSON to an address of the account's choice."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Sequence

import msgspec

from tavola.server.outbox import texts
from tavola.server.outbox.deliveries import Delivery
from tavola.server.outbox.public_http import PublicHttp, check_status


def signature(secret: str, at: int, body: bytes) -> str:
    """Return the signature of a body at a time: HMAC-SHA256 of `TIME.BODY`, in hexadecimal."""
    return hmac.new(secret.encode(), b"%d." % at + body, hashlib.sha256).hexdigest()


class Webhook:
    """Delivers to webhooks.

    Args:
        http: The client for public hosts.
        origin: The public address of this server.
    """

    joins = False

    def __init__(self, http: PublicHttp, origin: str) -> None:
        self._http = http
        self._origin = origin

    async def __call__(self, deliveries: Sequence[Delivery]) -> None:
        """Deliver an event.

        Raises:
            DeliveryFailed: With the reason.
        """
        (delivery,) = deliveries
        text = f"{texts.title(delivery)}: {texts.sentence(delivery)}"
        url = texts.link(delivery, self._origin)
        body = msgspec.json.encode(
            {
                "id": delivery.event,
                "kind": delivery.kind,
                "at": delivery.at,
                "match": delivery.match,
                "game": delivery.game,
                "by": delivery.by,
                "detail": delivery.detail,
                "url": url,
                # The names of the text in Slack, Mattermost and Discord.
                "text": f"{text} {url}",
                "content": f"{text} {url}",
            }
        )
        at = int(time.time())
        headers = {
            "content-type": "application/json",
            "user-agent": "Tavola",
            "tavola-event": str(delivery.event),
            "tavola-signature": f"t={at},v1={signature(delivery.secret, at, body)}",
        }
        check_status(await self._http.post(delivery.address, body, headers))
