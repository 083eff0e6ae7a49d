"""Web Push: encrypted notifications to browsers whose pages are closed.

Source: RFC 8030 (delivery), RFC 8188 and RFC 8291 (encryption), RFC 8292 (VAPID).
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from tavola.server.accounts.accounts import Account, ClientInfo
from tavola.server.errors import RequestError
from tavola.server.outbox import texts
from tavola.server.outbox.delivery import Delivery
from tavola.server.outbox.destinations import Accepted
from tavola.server.outbox.public_http import PublicHttp, check_status
from tavola.server.outbox.sender import Host, Sender
from tavola.server.schema.notifications import NewDestination, PushKeys
from tavola.server.storage.tables import metadata

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

TTL_SECONDS = 86_400
"""For how long the push service stores a message for a browser that is not connected."""

TOKEN_SECONDS = 12 * 3600
"""For how long a VAPID token is valid."""

DEFAULT_CONTACT = "mailto:postmaster@localhost"
"""The contact for push services of a server without a public address."""

UNNAMED = "Browser"
"""The agent of a browser that does not call itself anything."""

RECORD_BYTES = 4096
AUTH_BYTES = 16

server_keys = sa.Table(
    "server_keys",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("key", sa.Text, nullable=False),
)


def encode(data: bytes) -> str:
    """Return data in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode(text: str) -> bytes:
    """Return the data of base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def stored_key(connection: sa.Connection) -> str:
    """Return the private VAPID key, made by the first server that asks for it."""
    from cryptography.hazmat.primitives.asymmetric import ec

    made = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    row = {"name": "vapid", "key": encode(made.to_bytes(32, "big"))}
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    insert = dialect.insert(server_keys).values(row)
    connection.execute(insert.on_conflict_do_nothing(index_elements=["name"]))
    wanted = sa.select(server_keys.c.key).where(server_keys.c.name == "vapid")
    return str(connection.execute(wanted).scalar_one())


def check_keys(keys: PushKeys) -> None:
    """Check the keys of a browser.

    Raises:
        RequestError: `push-keys`.
    """
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(keys.p256dh))
        if len(decode(keys.auth)) != AUTH_BYTES:
            raise ValueError
    except ValueError:
        raise RequestError("push-keys") from None


class Push(Sender):
    """Delivers to browsers.

    Args:
        http: The client for public hosts.
        key: The private VAPID key, as `stored_key` returns it.
        contact: The address of the host for the push service: `https:` or `mailto:`.
    """

    def __init__(self, http: PublicHttp, key: str, contact: str) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec

        self._http = http
        self._contact = contact
        self._key = ec.derive_private_key(int.from_bytes(decode(key), "big"), ec.SECP256R1())
        self.public_key = encode(_point(self._key))

    @classmethod
    async def start(cls, host: Host) -> Self | None:
        """Return the channel, if the host has switched it on."""
        if not host.settings.push:
            return None
        key = await host.database.run(stored_key)
        contact = host.origin if host.origin.startswith("https:") else DEFAULT_CONTACT
        host.http.prepare()
        return cls(host.http, key, contact)

    async def accept(self, account: Account, new: NewDestination, visitor: ClientInfo) -> Accepted:
        """Check the endpoint and the keys of a browser."""
        self._http.check(new.address)
        if new.keys is None:
            raise RequestError("push-keys")
        check_keys(new.keys)
        secret = msgspec.json.encode(new.keys).decode()
        return Accepted(secret=secret, browser=visitor.agent or UNNAMED)

    async def __call__(self, deliveries: Sequence[Delivery]) -> None:
        """Deliver an event."""
        (delivery,) = deliveries
        keys = msgspec.json.decode(delivery.secret, type=PushKeys)
        message = {
            "id": delivery.event,
            "title": texts.title(delivery),
            "body": texts.sentence(delivery),
            "path": texts.path(delivery),
        }
        body = encrypt(msgspec.json.encode(message), decode(keys.p256dh), decode(keys.auth))
        token = self._token(delivery.address)
        headers = {
            "content-type": "application/octet-stream",
            "content-encoding": "aes128gcm",
            "ttl": str(TTL_SECONDS),
            "urgency": "high" if delivery.kind in ("turn", "time", "round") else "normal",
            "authorization": f"vapid t={token}, k={self.public_key}",
        }
        check_status(await self._http.post(delivery.address, body, headers))

    def _token(self, endpoint: str) -> str:
        """Return the VAPID token for the push service of an endpoint."""
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int(time.time()) + TOKEN_SECONDS,
            "sub": self._contact,
        }
        header = encode(b'{"typ":"JWT","alg":"ES256"}')
        signed = f"{header}.{encode(msgspec.json.encode(claims))}"
        made = self._key.sign(signed.encode("ascii"), ec.ECDSA(hashes.SHA256()))
        r, s = decode_dss_signature(made)
        return f"{signed}.{encode(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def encrypt(
    message: bytes,
    browser: bytes,
    auth: bytes,
    *,
    key: EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return a message encrypted for a browser.

    Args:
        message: The message, shorter than a record.
        browser: The browser's public key.
        auth: The browser's authentication secret.
        key: The private key of this message; `None`: a new one.
        salt: The salt of this message; `None`: random.

    Source: RFC 8291, section 3.4.
    """
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    key = key or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(16)
    own = _point(key)
    receiver = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), browser)
    shared = key.exchange(ec.ECDH(), receiver)
    secret = _derive(auth, shared, b"WebPush: info\0" + browser + own, 32)
    content_key = _derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(salt, secret, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(own)]) + own
    return header + AESGCM(content_key).encrypt(nonce, message + b"\x02", None)


def _derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _point(key: EllipticCurvePrivateKey) -> bytes:
    """Return the public key as an uncompressed point."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
