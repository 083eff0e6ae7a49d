"""Receivers of deliveries: a web server that answers as a test says, and a browser's keys."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tavola.server.outbox.push import encode


@dataclass(frozen=True)
class Received:
    """A request."""

    path: str
    headers: dict[str, str]
    body: bytes


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    """As many connections wait as a real service accepts; more are tried again a second later."""


class Receiver:
    """A web server; `answer` decides about the status of each request, and may take its time."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.answer: Callable[[Received], int] = lambda request: 201
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                body = self.rfile.read(length)
                if len(body) < length:  # The sender died while it sent.
                    return
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Received(self.path, headers, body)
                receiver.received.append(request)
                status = receiver.answer(request)
                self.send_response(status)
                if status in (301, 302, 307):
                    self.send_header("location", f"{receiver.url}/redirected")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self._server = _Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def receiver() -> Iterator[Receiver]:
    running = Receiver()
    try:
        yield running
    finally:
        running.close()


class Browser:
    """The keys of a browser, and the other side of RFC 8291."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = bytes(range(16))
        self.public = self._key.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )

    @property
    def keys(self) -> dict[str, str]:
        return {"p256dh": encode(self.public), "auth": encode(self._auth)}

    def decrypt(self, body: bytes) -> bytes:
        salt, length = body[:16], body[20]
        assert int.from_bytes(body[16:20], "big") >= len(body) - 21 - length
        sender = body[21 : 21 + length]
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self._key.exchange(ec.ECDH(), point)

        def derive(salt: bytes, secret: bytes, info: bytes, count: int) -> bytes:
            return HKDF(hashes.SHA256(), count, salt, info).derive(secret)

        secret = derive(self._auth, shared, b"WebPush: info\0" + self.public + sender, 32)
        key = derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive(salt, secret, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, body[21 + length :], None)
        assert plain.endswith(b"\x02")
        return plain[:-1]
