"""Notifications: from a move to the bell and the push endpoint of the next player."""

from __future__ import annotations

import json
import random
import secrets
import statistics
import tempfile
import threading
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table
from websockets.sync.client import ClientConnection, connect

from benches import servers
from benches.servers import Server
from tests.server.outbox.receivers import Browser, Received, receiver

MATCHES = 1000
PEOPLE = 100
"""How many people wait for their turns, each in as many matches."""
SECONDS = 20.0
"""In which time all opponents move."""
MOVERS = 16
"""How many of them may move at the same moment."""
P99 = 1.0
"""The bar, in seconds."""
PATIENCE = 30
OPENING, LAST = "Pnw", "Pw"
"""A turn of the first player: two actions."""


@dataclass(frozen=True, slots=True)
class Notifications:
    """The result.

    Attributes:
        delays: By channel, the seconds from each move to the notification.
        matches: The number of matches.
    """

    delays: dict[str, list[float]]
    matches: int

    def quantile(self, channel: str, hundredth: int) -> float:
        """Returns a percentile of a channel's delays, in seconds."""
        return statistics.quantiles(self.delays[channel], n=100)[hundredth - 1]

    @property
    def reached(self) -> bool:
        """Whether every move was told, and 99 of 100 in time."""
        return all(
            len(delays) == self.matches and self.quantile(channel, 99) <= P99
            for channel, delays in self.delays.items()
        )

    def as_json(self) -> dict[str, Any]:
        """Returns all results as plain data."""
        return {
            "title": "Notifications",
            "reached": self.reached,
            "figures": [
                {
                    "name": channel,
                    "told": len(delays),
                    "p50": self.quantile(channel, 50),
                    "p99": self.quantile(channel, 99),
                    "most": max(delays),
                }
                for channel, delays in self.delays.items()
            ],
        }

    def show(self, console: Console) -> None:
        """Prints the table."""
        table = Table(title=f"Notifications of {self.matches:,} matches", title_justify="left")
        for name in ("", "told", "p50, ms", "p99, ms", "most, ms"):
            table.add_column(name, justify="left" if name == "" else "right", no_wrap=True)
        for channel, delays in self.delays.items():
            table.add_row(
                channel,
                f"{len(delays):,}",
                *(f"{self.quantile(channel, part) * 1000:,.0f}" for part in (50, 99)),
                f"{max(delays) * 1000:,.0f}",
                style="green" if self.reached else "red",
            )
        console.print(table)


class Person:
    """A person with an account, a page that shows the bell, and a browser that receives pushes."""

    def __init__(self, server: Server, number: int, endpoint: str) -> None:
        self._address = f"127.0.0.1:{server.port}"
        self.http = _client(server, number)
        name = f"Person {number}"
        self._send("/api/account", {"name": name, "password": "correct horse"})
        self._browser = Browser()
        browser = {"channel": "push", "address": endpoint, "keys": self._browser.keys}
        self._send("/api/account/destinations", browser | {"kinds": ["turn"]})

    def join(self, match: str, invitation: str) -> None:
        """Takes the seat of a link."""
        seat = {"invitation": invitation, "token": secrets.token_urlsafe(32)}
        self._send(f"/api/matches/{match}/seats", seat)

    def open_bell(self) -> ClientConnection:
        """Opens the socket of the bell, and reads its first message."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        socket = connect(
            f"ws://{self._address}/api/notifications/socket",
            additional_headers={"cookie": cookies},
        )
        socket.send('{"tokens": []}')
        socket.recv(PATIENCE)
        return socket

    def match_of(self, push: Received) -> str:
        """Returns the match that a push is about."""
        path: str = json.loads(self._browser.decrypt(push.body))["path"]
        return path.rpartition("/")[2]

    def _send(self, path: str, what: dict[str, Any]) -> None:
        self.http.post(path, json=what).raise_for_status()


@dataclass(frozen=True, slots=True)
class Move:
    """The action that makes it a person's turn, ready to be sent."""

    match: str
    token: str
    seq: int


def measure(*, quick: bool, console: Console) -> Notifications:
    """Measures the delays; `quick` takes fewer matches."""
    matches, people = (MATCHES // 10, PEOPLE // 10) if quick else (MATCHES, PEOPLE)
    pushed: list[tuple[float, Received]] = []

    def answer(push: Received) -> int:
        pushed.append((time.perf_counter(), push))
        return 201

    with ExitStack() as open_things:
        folder = Path(open_things.enter_context(tempfile.TemporaryDirectory()))
        service = open_things.enter_context(receiver())
        service.answer = answer
        server = open_things.enter_context(
            # Its deliveries may lead to addresses of this machine.
            servers.tavola(
                f"sqlite:///{folder / 'notifications.db'}",
                "--push",
                module="tests.server.outbox.club",
            )
        )
        console.print("Sitting down ...")
        with ThreadPoolExecutor(MOVERS) as pool:
            seated = list(
                pool.map(
                    lambda number: Person(server, number, f"{service.url}/{number}"),
                    range(people),
                )
            )
            moves = list(
                pool.map(
                    lambda number: _prepare(server, number, seated[number % people]),
                    range(matches),
                )
            )
        console.print("Moving ...")
        bells = _Bells(seated)
        sent = _move(server, moves, SECONDS / 4 if quick else SECONDS)
        began = time.perf_counter()
        while time.perf_counter() - began < PATIENCE:
            if len(bells.heard) == len(pushed) == matches:
                break
            time.sleep(0.1)
        bells.close()
        for person in seated:
            person.http.close()
    arrived = {seated[int(push.path.strip("/"))].match_of(push): moment for moment, push in pushed}
    delays = {
        channel: [moment - sent[match] for match, moment in moments.items()]
        for channel, moments in (("bell", bells.heard), ("push endpoint", arrived))
    }
    return Notifications(delays, matches)


def _client(server: Server, number: int) -> httpx.Client:
    """Returns a client with an address of its own: the server limits requests by address."""
    source = f"127.0.{1 + number // 200}.{1 + number % 200}"
    transport = httpx.HTTPTransport(local_address=source)
    address = f"http://127.0.0.1:{server.port}"
    return httpx.Client(base_url=address, transport=transport, timeout=PATIENCE)


def _prepare(server: Server, number: int, person: Person) -> Move:
    """Begins a match against a person, and plays all but the last action of the first turn."""
    with _client(server, number) as http:
        seats = [{"kind": "person"}, {"kind": "link"}]
        wanted = {"game": "potlatch", "confirm": False, "seats": seats}
        made = http.post("/api/matches", json=wanted).raise_for_status().json()
        match, token = made["match"], made["tokens"][0]
        person.join(match, made["invitations"][1])
        now = http.get(f"/api/matches/{match}").raise_for_status().json()
        first = _play(http, Move(match, token, now["seq"]), OPENING)
    return Move(match, token, first["seq"])


def _play(http: httpx.Client, move: Move, action: str) -> dict[str, Any]:
    command = {"id": str(uuid.uuid4()), "seq": move.seq, "seat": 0, "do": "play", "token": action}
    answer = http.post(
        f"/api/matches/{move.match}/commands",
        json=command,
        headers={"authorization": f"Bearer {move.token}"},
    )
    played: dict[str, Any] = answer.raise_for_status().json()["snapshot"]
    return played


def _move(server: Server, moves: Sequence[Move], seconds: float) -> dict[str, float]:
    """Plays the moves at random moments; returns by match when each was sent."""
    sent: dict[str, float] = {}
    moments = random.Random(1)
    due = sorted(((moments.uniform(0, seconds), move) for move in moves), key=lambda one: one[0])
    began = time.perf_counter()

    def play_some(first: int) -> None:
        with _client(server, first) as http:
            for moment, move in due[first::MOVERS]:
                time.sleep(max(0.0, began + moment - time.perf_counter()))
                sent[move.match] = time.perf_counter()
                _play(http, move, LAST)

    with ThreadPoolExecutor(MOVERS) as pool:
        list(pool.map(play_some, range(MOVERS)))
    return sent


class _Bells:
    """The bells of people; `heard`: by match, when the first notification about it arrived."""

    def __init__(self, people: Sequence[Person]) -> None:
        self.heard: dict[str, float] = {}
        self._sockets = [person.open_bell() for person in people]
        self._threads = [
            threading.Thread(target=self._listen, args=(socket,)) for socket in self._sockets
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        for socket in self._sockets:
            socket.close()
        for thread in self._threads:
            thread.join()

    def _listen(self, socket: ClientConnection) -> None:
        for message in socket:
            arrived = time.perf_counter()
            for one in json.loads(message)["notifications"]:
                self.heard.setdefault(one["match"], arrived)
