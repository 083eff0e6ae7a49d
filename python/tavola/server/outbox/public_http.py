"""Requests to addresses that people enter: only to public hosts, without redirects.

The name is resolved here, every address of it is checked, and the connection goes to a checked
address. A name that changes its address meanwhile cannot lead to the host's own network.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tavola.server.errors import RequestError
from tavola.server.outbox.delivery import AfterFailure, DeliveryFailed

if TYPE_CHECKING:
    import httpx


class PublicHttp:
    """A client for public hosts.

    Args:
        allow_private: Whether private addresses and `http` are allowed, for tests.
    """

    def __init__(self, *, allow_private: bool = False) -> None:
        self._allow_private = allow_private

    @cached_property
    def _client(self) -> httpx.AsyncClient:
        import httpx

        # Without the proxies of the environment: they would resolve the name again.
        return httpx.AsyncClient(trust_env=False, follow_redirects=False, timeout=10)

    def prepare(self) -> None:
        """Import what the requests need, which takes long, before anyone plays."""
        _ = self._client

    async def close(self) -> None:
        """Close all connections."""
        if "_client" in self.__dict__:
            await self._client.aclose()

    def is_allowed(self, url: str) -> bool:
        """Return whether a URL has the form of a public one; its host is not resolved yet."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            return False
        if not parts.hostname or parts.username is not None or parts.password is not None:
            return False
        if self._allow_private:
            return parts.scheme in ("http", "https")
        return parts.scheme == "https" and port in (None, 443)

    def check(self, url: str) -> None:
        """Check that a URL has the form of a public one.

        Raises:
            RequestError: `destination-address`.
        """
        if not self.is_allowed(url):
            raise RequestError("destination-address")

    async def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> int:
        """Send a POST request.

        Returns:
            The status of the response; its body is not read.

        Raises:
            DeliveryFailed: If the URL is not allowed, or the host does not answer.
        """
        if not self.is_allowed(url):
            raise DeliveryFailed("the address is not allowed")
        import httpx

        given = httpx.URL(url)
        address = await self._resolve(
            given.host, given.port or (443 if given.scheme == "https" else 80)
        )
        try:
            request = self._client.build_request(
                "POST",
                given.copy_with(host=address),
                content=content,
                headers={**headers, "host": given.netloc.decode("ascii")},
                extensions={"sni_hostname": given.host},
            )
            response = await self._client.send(request, stream=True)
            await response.aclose()
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise DeliveryFailed(type(error).__name__) from error
        return response.status_code

    async def _resolve(self, host: str, port: int) -> str:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise DeliveryFailed("the host has no address") from error
        addresses = [str(where[0]) for *_, where in found]
        if not addresses or not all(map(self._is_public, addresses)):
            raise DeliveryFailed("the address is not public")
        return addresses[0]

    def _is_public(self, address: str) -> bool:
        if self._allow_private:
            return True
        parsed = ipaddress.ip_address(address.partition("%")[0])
        if isinstance(parsed, ipaddress.IPv6Address):
            embedded = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo or (None,))[0]
            if embedded is not None and not embedded.is_global:
                return False
            if parsed in _NAT64:
                return False
        return parsed.is_global and not parsed.is_multicast


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def check_status(status: int) -> None:
    """Check the status of a delivery's response.

    Raises:
        DeliveryFailed: For anything but success; `404` and `410` mean that the destination is gone.
    """
    if not 200 <= status < 300:
        gone = status in (404, 410)
        then = AfterFailure.REMOVE_DESTINATION if gone else AfterFailure.TRY_AGAIN
        raise DeliveryFailed(f"status {status}", then)
