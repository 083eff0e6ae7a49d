"""`tavola serve`: runs the server in this process and opens the browser."""

from __future__ import annotations

import errno
import gc
import os
import re
import socket
import sys
import webbrowser
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tavola.cli.databases import reported, shown
from tavola.cli.errors import UsageError
from tavola.cli.locales import Translator
from tavola.server.settings import Settings

if TYPE_CHECKING:
    from tavola.server.storage.database import Database

NEXT_PORTS = 20
"""The number of ports to try after the given one."""

YOUNG = 1_000
"""The number of new objects before a young garbage collection, which blocks the server for a few
milliseconds."""
ALL_TICKS = 6_000
"""The interval of full garbage collections, in tenths of a second."""
NEVER = 1_000_000_000
"""The number of young collections before Python starts an older one: practically never."""
SWITCH_SECONDS = 0.0005
"""The time for which a thread may use Python while another waits; 0.005 is Python's default. An
action changes threads a few times, and work in other threads must not delay it each time."""
KEEP_ALIVE_SECONDS = 130
"""The timeout of idle connections. It is longer than that of proxies (nginx 60 seconds, Caddy 120).
So a proxy never sends a request into a connection that the server is closing."""

OPEN_FILES = 32_768
"""Files and connections that the server asks the system for."""

GOODBYE_SECONDS = 3
"""The time for open connections to end at shutdown, in seconds."""


def origin(translate: Translator, given: str) -> str:
    """Parse an origin, in the form of the `Origin` header.

    Raises:
        UsageError: If the text is not an origin.
    """
    if not re.fullmatch(r"https?://[^\s/?#@]+", given, re.IGNORECASE):
        raise UsageError(
            translate, "bad-value", name="--origin", given=given, valid=translate("valid.origin")
        )
    return given.lower()


def read_words(translate: Translator, file: Path | None) -> tuple[str, ...]:
    """Return the forbidden words in a file, if there is one.

    Raises:
        UsageError: If the file cannot be read.
    """
    from tavola.server.accounts.speech import parse_words

    if file is None:
        return ()
    try:
        return parse_words(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(translate, "cannot-read", file=file, detail=error) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """The arguments of the command."""

    translate: Translator
    host: str
    port: int
    settings: Settings
    browser: bool
    verbose: bool

    def run(self) -> int:
        """Serve until Ctrl-C or a termination signal.

        Returns:
            The exit code.

        Raises:
            UsageError: If the address, the database, Redis or the mail cannot be used.
        """
        from tavola.server.ops.logging import configure

        configure(verbose=self.verbose)
        self._check_mail()
        _raise_file_limit()
        with self._listen() as listening:
            settings = replace(self.settings, names=_names(self.host))
            self._check_fan_out(settings)
            return self._serve(listening, settings, self._open(settings.database))

    def _serve(self, listening: socket.socket, settings: Settings, store: Database) -> int:
        import uvicorn

        from tavola.server.app import build
        from tavola.server.http.read_timeouts import ReadTimeoutProtocol
        from tavola.server.http.websocket_protocol import WebSocketProtocol
        from tavola.server.ops.rate_limits import MAX_BODY_BYTES

        announce = self._announce
        address = _address(self.host, listening.getsockname()[1])

        class Announcing(uvicorn.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                if self.started:
                    announce(address, settings)

            async def on_tick(self, counter: int) -> bool:
                if counter % ALL_TICKS == 0:
                    gc.collect()
                return await super().on_tick(counter)

        config = uvicorn.Config(
            build(settings, store),
            loop="uvloop" if sys.platform != "win32" else "asyncio",
            lifespan="on",
            http=ReadTimeoutProtocol,
            ws=WebSocketProtocol,
            ws_max_size=MAX_BODY_BYTES,
            ws_per_message_deflate=False,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=GOODBYE_SECONDS,
        )
        server = Announcing(config)
        # Matches are many long-lived objects. With Python's defaults, garbage collection of all of
        # them takes a fifth of the server's time and blocks all players. So the young generation
        # is collected often, and everything else only every `ALL_TICKS`.
        gc.freeze()
        before, switching = gc.get_threshold(), sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_SECONDS)
        gc.set_threshold(YOUNG, NEVER)
        try:
            server.run(sockets=[listening])
        finally:
            sys.setswitchinterval(switching)
            gc.set_threshold(*before)
        return 0 if server.started else 1

    def _listen(self) -> socket.socket:
        try:
            family, *_, where = socket.getaddrinfo(
                self.host, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
        except (OSError, UnicodeError) as error:
            raise UsageError(self.translate, "host", host=self.host, detail=error) from None
        last = self.port if self.port == 0 else min(self.port + NEXT_PORTS, 65535)
        for port in range(self.port, last + 1):
            listening = socket.socket(family, socket.SOCK_STREAM)
            if os.name == "posix":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listening.bind((where[0], port, *where[2:]))
                listening.listen(2048)
            except OSError as error:
                listening.close()
                if error.errno == errno.EADDRINUSE:
                    continue
                raise UsageError(
                    self.translate, "host", host=f"{self.host}:{port}", detail=error
                ) from None
            if port != self.port:
                self._say(self.translate("serve.taken", port=self.port, free=port))
            return listening
        raise UsageError(self.translate, "no-free-port", port=self.port, count=NEXT_PORTS)

    def _open(self, url: str) -> Database:
        from tavola.server.storage.damage import check_file
        from tavola.server.storage.database import Database

        with reported(self.translate, url):
            check_file(url)
            return Database(url)

    def _check_mail(self) -> None:
        """Check that what mail needs is there, and readable; the SMTP server may come later."""
        from tavola.server.outbox.mailer import parse_sender, parse_smtp_url

        settings = self.settings
        if settings.smtp is None:
            return
        if not settings.mail_from or not settings.origins:
            raise UsageError(self.translate, "mail-needs")
        try:
            parse_smtp_url(settings.smtp)
        except ValueError:
            # It may contain a password.
            given, valid = settings.smtp.rpartition("@")[2], self.translate("valid.smtp")
            raise UsageError(
                self.translate, "bad-value", name="--smtp", given=given, valid=valid
            ) from None
        try:
            parse_sender(settings.mail_from)
        except ValueError:
            valid = self.translate("valid.mail-from")
            raise UsageError(
                self.translate,
                "bad-value",
                name="--mail-from",
                given=settings.mail_from,
                valid=valid,
            ) from None

    def _check_fan_out(self, settings: Settings) -> None:
        if settings.fan_out is None:
            return
        if settings.database.startswith("sqlite"):
            raise UsageError(self.translate, "fan-out-database", database=shown(settings.database))
        try:
            from redis import Redis, RedisError
        except ImportError:
            raise UsageError(self.translate, "no-redis") from None
        try:
            with Redis.from_url(settings.fan_out, socket_timeout=5) as redis:
                redis.ping()
        except (RedisError, ValueError) as error:
            # Remove a password from the address.
            address = settings.fan_out.rpartition("@")[2].partition("?")[0]
            raise UsageError(self.translate, "fan-out", address=address, detail=error) from None

    def _announce(self, address: str, settings: Settings) -> None:
        self._say(self.translate("serve.ready", address=address))
        self._say(self.translate("serve.stop", database=shown(settings.database)))
        if not (settings.client / "index.html").is_file():
            self._say(self.translate("serve.no-client"))
        elif self.browser and _has_browser():
            webbrowser.open(address)

    def _say(self, line: str) -> None:
        print(line, flush=True)


def _raise_file_limit() -> None:
    """Allow as many open files, and so connections, as the system lets this process have."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if most == resource.RLIM_INFINITY else min(OPEN_FILES, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        with suppress(OSError, ValueError):  # macOS allows fewer than it says.
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _names(host: str) -> tuple[str, ...]:
    """Return the names under which other machines of the network know this one."""
    machine = socket.gethostname()
    return tuple(name for name in (host, machine, f"{machine}.local") if name)


def _address(host: str, port: int) -> str:
    """Return the address for a browser on this machine."""
    if host in ("", "0.0.0.0", "::"):
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _has_browser() -> bool:
    """Return whether there is a graphical browser; a text browser would occupy the terminal."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True
