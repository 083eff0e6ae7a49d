"""A large club: accounts, public matches and viewers of Live, and how long an action takes."""

from __future__ import annotations

import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from rich.console import Console

from benches import servers
from benches.load_generator import Address, Client, Socket, SocketHandler
from benches.serving import P99, PAUSE, Figure, Serving, play
from benches.socket_clients import TavolaClient
from tavola.server.accounts.accounts import accounts
from tavola.server.accounts.api_tokens import hash_token
from tavola.server.accounts.ratings import ratings
from tavola.server.accounts.sessions import SESSION_PREFIX, sessions
from tavola.server.matches.log import now

GAME = "potlatch"
ACCOUNTS = 10_000
MATCHES = 1000
VIEWERS = 200
PER_ADDRESS = 20
"""How many viewers come from one address: the server limits its sockets."""


@dataclass(slots=True)
class Seen:
    """The messages that the viewers of Live received, their bytes, and the open sockets."""

    messages: int = 0
    size: int = 0
    open: int = 0


class Viewer(SocketHandler):
    """A viewer of Live, who only receives."""

    def __init__(self, address: Address, seen: Seen) -> None:
        self._seen = seen
        self.socket = Socket(address, "/api/live/socket", self)

    def on_open(self) -> None:
        """Counts the viewer."""
        self._seen.open += 1

    def on_message(self, message: bytes) -> None:
        """Counts the message."""
        self._seen.messages += 1
        self._seen.size += len(message)

    def on_close(self) -> None:
        """Counts the viewer no more."""
        self._seen.open -= 1


class MemberClient(TavolaClient):
    """A public match of two accounts: a challenge of one in the lobby, which the other takes.

    Args:
        address: The server.
        members: The session tokens of both.
    """

    def __init__(self, address: Address, members: tuple[str, str]) -> None:
        host, guest = ({"authorization": f"Bearer {token}"} for token in members)
        wanted = {
            "game": GAME,
            "confirm": False,
            "lobby": True,
            "rated": True,
            "seats": [{"kind": "person"}, {"kind": "link"}],
        }
        made = address.post("/api/matches", wanted, host)
        path = f"/api/matches/{made['match']}"
        token = secrets.token_urlsafe(32)
        seat = {"invitation": made["invitations"][1], "token": token}
        address.post(f"{path}/seats", seat, guest)
        self.begin(f"{path}/socket", [made["tokens"][0], token])


def measure(*, quick: bool, console: Console) -> Serving:
    """Measures actions with and without the viewers; `quick` takes a tenth of everything."""
    part = 10 if quick else 1
    figures = []
    with tempfile.TemporaryDirectory() as name:
        for viewers in (0, VIEWERS // part):
            url = f"sqlite:///{Path(name) / f'{viewers}.db'}"
            # The server creates the tables.
            with servers.tavola(url):
                pass
            tokens = _join(url, ACCOUNTS // part)
            console.print(f"Playing before {viewers} viewers ...")
            figures += _play(url, tokens, MATCHES // part, viewers)
    return Serving(
        tuple(figures), title=f"{ACCOUNTS // part:,} accounts, {MATCHES // part:,} matches"
    )


def _join(url: str, count: int) -> list[str]:
    """Adds signed-in accounts with ratings to a database; returns the tokens of their sessions."""
    tokens = [SESSION_PREFIX + secrets.token_urlsafe(32) for _ in range(count)]
    at, known = now(), [(f"account{number}", token) for number, token in enumerate(tokens)]
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(
            accounts.insert(),
            [
                {"id": one, "name": one, "folded": one, "password": "", "created": at}
                for one, _ in known
            ],
        )
        connection.execute(
            sessions.insert(),
            [
                {
                    "id": one,
                    "token_hash": hash_token(token),
                    "account": one,
                    "agent": "",
                    "created": at,
                    "seen": at,
                }
                for one, token in known
            ],
        )
        connection.execute(
            ratings.insert(),
            [
                {
                    "game": GAME,
                    "field": "two",
                    "player": one,
                    "rating": 1500.0 + number % 700,
                    "deviation": 80.0,
                    "volatility": 0.06,
                    "matches": 20,
                    "at": at,
                }
                for number, (one, _) in enumerate(known)
            ],
        )
    engine.dispose()
    return tokens


def _play(url: str, tokens: list[str], matches: int, viewers: int) -> list[Figure]:
    seen, pairs = Seen(), iter(zip(tokens[::2], tokens[1::2], strict=True))

    def members(address: Address) -> Client:
        return MemberClient(address, next(pairs))

    with servers.tavola(url) as server:
        watching = [
            Viewer(Address(server.port, f"127.2.0.{1 + number // PER_ADDRESS}"), seen)
            for number in range(viewers)
        ]
        run = play(
            server,
            members,
            matches=matches,
            seats=2,
            pause=PAUSE,
            spectators=[viewer.socket for viewer in watching],
        )
        if seen.open < viewers:
            raise RuntimeError(f"{seen.open} of {viewers} viewers were held")
    name = f"{viewers} viewers of Live"
    figures = [
        Figure(name=name, rounds=(run.rate,), unit="actions a second"),
        Figure(name=name, rounds=(run.cost * 1e6,), unit="µs of the processor an action"),
        Figure(name=name, rounds=(run.p50 * 1000,), unit="ms to both views, median"),
        Figure(
            name=name,
            rounds=(run.p99 * 1000,),
            unit="ms to both views, p99",
            bar=P99 * 1000,
            most=True,
        ),
        Figure(name=name, rounds=(run.stolen * 100,), unit="% of the processors taken by others"),
    ]
    if seen.messages:
        size = seen.size / seen.messages / 1000
        figures.append(Figure(name=name, rounds=(size,), unit="KB in a message of Live"))
    return figures
