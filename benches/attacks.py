"""Attacks on availability: what one address can do to the matches of others, within the limits."""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvloop
from rich.console import Console
from rich.table import Table

import tavola
from benches import servers
from benches.load_generator import Address, Counters, MatchPlayers, Socket, SocketHandler
from benches.servers import Server
from benches.socket_clients import TavolaClient
from tavola.server.matches import decisions
from tavola.server.matches.chance import new_seed
from tavola.server.matches.log import Event, Header, Seat
from tavola.server.matches.match import Match
from tavola.server.storage.database import Database

ATTACKER = "127.0.9.9"
MATCHES = 10
"""The number of matches of others, and the mean pause of their players in seconds."""
PAUSE = 0.2
SECONDS = 10.0
"""How long each measurement takes."""
RATIO = 3.0
"""The bar: p99 of the others' latency during an attack, as a multiple of its quiet value."""
TRIES = 10
"""The number of matches in which the opponent has two seconds left, for each attack."""
LATE = 1.7
"""Seconds after which such an opponent has not acted in time: the machine is too busy."""
CLOSED = 40
EVENTS = 9_000
FINISHED = 166_660
CONNECTIONS = 50
SOCKETS = 200
OPENING = ("Pnw", "Pw", "Pne", "Pnw")
ACTIONS = [["Pnw", "Pw"], ["Pne", "Pe"], ["Pse", "Pse"], ["Cw"]]
"""A short match: Blue walls itself in."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one attack.

    Attributes:
        name: The attack.
        quiet: The 99th percentile of the others' latency before it, in seconds.
        attacked: The same during it.
        answered: How many requests or messages the server took in.
        lost: How many of `TRIES` opponents lost on time.
    """

    name: str
    quiet: float
    attacked: float
    answered: int
    lost: int

    @property
    def ratio(self) -> float:
        """How much slower the others' matches were."""
        return self.attacked / self.quiet


@dataclass(frozen=True, slots=True)
class Attacks:
    """The results of all attacks."""

    results: tuple[Result, ...]

    @property
    def reached(self) -> bool:
        """Whether no attack slows the others too much, and none costs an opponent the match."""
        return all(one.ratio <= RATIO and one.lost == 0 for one in self.results)

    def as_json(self) -> dict[str, Any]:
        """Returns all results as plain data."""
        return {
            "title": "Attacks",
            "reached": self.reached,
            "figures": [
                {
                    "name": one.name,
                    "quiet": one.quiet,
                    "attacked": one.attacked,
                    "ratio": one.ratio,
                    "answered": one.answered,
                    "lost": one.lost,
                }
                for one in self.results
            ],
        }

    def show(self, console: Console) -> None:
        """Prints the table."""
        table = Table(title="Attacks of one address", title_justify="left")
        for name in ("", "quiet p99, ms", "p99, ms", "ratio", "answered", "lost on time"):
            table.add_column(name, justify="left" if name == "" else "right", no_wrap=True)
        for one in self.results:
            table.add_row(
                one.name,
                f"{one.quiet * 1000:.1f}",
                f"{one.attacked * 1000:.1f}",
                f"{one.ratio:.1f}",
                f"{one.answered:,}",
                f"{one.lost} of {TRIES}",
                style="green" if one.ratio <= RATIO and one.lost == 0 else "red",
            )
        console.print(table)


def measure(*, quick: bool, console: Console) -> Attacks:
    """Makes all attacks; `quick` takes less time for each."""
    seconds = SECONDS / 4 if quick else SECONDS
    results = []
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "attacks.db"
        closed = prepare(file, FINISHED // 10 if quick else FINISHED)
        for attack in ATTACKS:
            console.print(f"{attack} ...")
            with servers.tavola(f"sqlite:///{file}") as server:
                quiet = _latency(server, seconds)
                with (
                    attacking(attack, server.port, closed) as answered,
                    _trials(server.port) as lost,
                ):
                    attacked = _latency(server, seconds)
                results.append(Result(attack, quiet, attacked, answered[0], lost[0]))
    return Attacks(tuple(results))


def prepare(file: Path, finished: int) -> list[str]:
    """Stores closed matches, and rows of many finished ones; returns the ids of the former."""
    store = Database(f"sqlite:///{file}")
    try:
        logs = [_montana(f"closed{number}", number) for number in range(CLOSED)]
        logs.append(_undone("long"))
        for header, log in logs:
            asyncio.run(store.create(header, log, engine_due=False))
    finally:
        store.close()
    with closing(sqlite3.connect(file)) as database, database:
        many = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT {finished})"
        database.execute(
            "INSERT INTO finished (match, kind, game, ended, length, winners, reason, listed)"
            f" {many} SELECT 'closed0.' || i, 'montana', 'montana', '2026-01-01T' || i, i % 300,"
            " i % 4, 'goal', 1 FROM n"
        )
        for table, key in (("matches", "id"), ("seats", "match")):
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            values = ", ".join(
                f"'closed0.' || i AS \"{key}\"" if name == key else f'"{name}"' for name in columns
            )
            database.execute(
                f"INSERT INTO {table} {many} SELECT {values} FROM {table}, n"
                f" WHERE {table}.\"{key}\" = 'closed0'"
            )
    return [header.id for header, _ in logs]


def _header(game: tavola.Game, name: str) -> Header:
    seats = tuple(
        Seat(kind="person", name=f"Player {number}", seconds=None, token_hash="hash")
        for number in range(game.seats)
    )
    return Header(
        id=name,
        game=game.name,
        options={option: str(value) for option, value in game.options.items()},
        rules_version=game.rules_version,
        confirm=False,
        start=game.start().text,
        seats=seats,
        seed=new_seed() if game.has_chance else None,
    )


def _montana(name: str, seed: int) -> tuple[Header, list[Event]]:
    """Returns a finished random match of Montana."""
    chosen = random.Random(seed)
    match = Match(_header(tavola.load("montana"), name))
    log = decisions.opening_events(match)
    match = match.with_events(log)
    while match.status != "over":
        token = chosen.choice(list(match.state.legal_actions))
        log += (events := decisions.engine_events(match, token))
        match = match.with_events(events)
    return match.header, log


def _undone(name: str) -> tuple[Header, list[Event]]:
    """Returns a match of many actions that were undone."""
    match = Match(_header(tavola.load("potlatch"), name))
    log: list[Event] = []
    while len(log) < EVENTS:
        event = match.event("action", 0, match.position.after("Pnw"), token="Pnw")
        match = match.with_events([event])
        undo = match.event("undo", 0, match.position_after(0), token="0")
        match = match.with_events([undo])
        log += [event, undo]
    return match.header, [*log, match.event("resign", 0)]


# The others.


def _latency(server: Server, seconds: float) -> float:
    """Returns p99 of the time until both views show an action, in seconds."""
    try:
        return uvloop.run(_play(server, seconds))
    finally:
        gc.enable()


async def _play(server: Server, seconds: float) -> float:
    counters, tables, running = Counters(), list[MatchPlayers](), itertools.count()

    async def begin() -> None:
        number = next(running)
        address = Address(server.port, f"127.0.1.{1 + number % 250}")
        table = MatchPlayers(
            address=address,
            client=await asyncio.to_thread(TavolaClient, address, game="potlatch", seats=2),
            seats=2,
            counters=counters,
            seed=number,
            pause=PAUSE,
        )
        await table.connect()
        while table.ready < 2:
            await asyncio.sleep(0.01)
        tables.append(table)
        table.going.set()
        for player in table.players:
            player.act()

    for _ in range(MATCHES):
        await begin()
    gc.collect()
    gc.disable()
    counters.latencies.clear()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        await asyncio.sleep(0.05)
        for _ in range(MATCHES - counters.live):
            await begin()
    for table in tables:
        table.leave()
    return statistics.quantiles(counters.latencies, n=100)[98]


@contextmanager
def _trials(port: int) -> Iterator[list[int]]:
    """Plays matches in which the opponent has two seconds left; yields how many lost."""
    lost = [0]

    def play() -> None:
        for number in range(TRIES):
            lost[0] += loses_on_time(port, f"127.0.2.{1 + number}")

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield lost
    finally:
        thread.join()


def loses_on_time(port: int, source: str) -> bool:
    """Returns whether a player who has two seconds left, and acts after one, loses on time."""
    while (lost := _act_late(Address(port, source))) is None:
        pass
    return lost


def _act_late(address: Address) -> bool | None:
    """Plays a match until then; returns None if the player itself was not fast enough."""
    wanted = {
        "game": "potlatch",
        "confirm": False,
        "seats": [{"kind": "person"}] * 2,
        "time": {"kind": "main", "seconds": 2},
    }
    made = address.post("/api/matches", wanted)
    path = f"/api/matches/{made['match']}/commands"
    headers = {"authorization": f"Bearer {','.join(made['tokens'])}"}
    began = time.monotonic()
    for seq, token in enumerate((*OPENING, "Psw")):
        if seq == len(OPENING):
            time.sleep(1)
            if time.monotonic() - began > LATE:
                return None
        began = time.monotonic()
        command = {"id": f"c{seq}", "seq": seq, "seat": seq // 2 % 2, "do": "play", "token": token}
        try:
            answer = address.post(path, command, headers)
        except RuntimeError as error:
            # The clock ran out; the event of it makes the command stale.
            if '"over"' in str(error) or '"stale"' in str(error):
                return True
            raise
    return bool(answer["snapshot"]["status"] == "over")


# The attackers.


@contextmanager
def attacking(attack: str, port: int, closed: list[str]) -> Iterator[list[int]]:
    """Attacks from another process until the end of the block; yields what was answered."""
    command = [sys.executable, "-m", "benches.attacks", attack, str(port), json.dumps(closed)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    answered = [0]
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        yield answered
        output, _ = process.communicate("", timeout=60)
        answered[0] = int(output)
    finally:
        process.kill()
        process.wait()


class Flooder(SocketHandler):
    """A socket that sends invalid messages, and comes back when it is closed."""

    def __init__(self, address: Address, path: str, message: str, counted: list[int]) -> None:
        self._address = address
        self._path = path
        self._message = message
        self._counted = counted
        self._tasks: set[asyncio.Task[None]] = set()

    async def connect(self) -> None:
        """Opens a socket."""
        self.socket = Socket(self._address, self._path, self)
        with suppress(OSError):
            await self.socket.connect()

    def on_open(self) -> None:
        """Says hello, and floods."""
        self.socket.send('{"type":"hello"}')
        for _ in range(20):
            self.socket.send(self._message)

    def on_message(self, message: bytes) -> None:
        """Sends another message for each answer."""
        self._counted[0] += 1
        self.socket.send(self._message)

    def on_close(self) -> None:
        """Comes back soon."""
        asyncio.get_running_loop().call_later(1.0, self._reconnect)

    def _reconnect(self) -> None:
        task = asyncio.create_task(self.connect())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def flood(port: int, message: str, counted: list[int]) -> None:
    """Sends invalid messages on many sockets."""
    address = Address(port, ATTACKER)
    made = TavolaClient(address, game="potlatch", seats=2)
    for _ in range(SOCKETS):
        await Flooder(address, made.path, message, counted).connect()


async def request(port: int, paths: list[str], headers: str, counted: list[int]) -> None:
    """Requests paths in turn on many connections, as fast as they are answered."""
    order = itertools.cycle(paths)

    async def connection() -> None:
        while True:
            with suppress(OSError, asyncio.IncompleteReadError, ValueError):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", port, local_addr=(ATTACKER, 0)
                )
                while True:
                    writer.write(
                        f"GET {next(order)} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                        f"{headers}\r\n".encode()
                    )
                    head = await reader.readuntil(b"\r\n\r\n")
                    length = head.lower().split(b"content-length:")[1].split(b"\r\n")[0]
                    await reader.readexactly(int(length))
                    counted[0] += b" 429 " not in head[:20]
                    if b" 429 " in head[:20]:
                        await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)

    await asyncio.gather(*(connection() for _ in range(CONNECTIONS)))


def _finish_match(port: int) -> tuple[str, str]:
    """Plays a short match to its end; returns its id and the header of its tokens."""
    address = Address(port, ATTACKER)
    wanted = {"game": "potlatch", "confirm": False, "seats": [{"kind": "person"}] * 2}
    made = address.post("/api/matches", wanted)
    headers = {"authorization": f"Bearer {','.join(made['tokens'])}"}
    tokens = [(seat % 2, token) for seat, turn in enumerate(ACTIONS) for token in turn]
    for seq, (seat, token) in enumerate(tokens):
        command = {"id": f"c{seq}", "seq": seq, "seat": seat, "do": "play", "token": token}
        address.post(f"/api/matches/{made['match']}/commands", command, headers)
    return made["match"], f"Authorization: {headers['authorization']}\r\n"


async def work(port: int, counted: list[int]) -> None:
    """Asks why actions are worse, for analyses and for pictures."""
    match, headers = _finish_match(port)
    address, path = Address(port, ATTACKER), f"/api/matches/{match}/socket"
    for _ in range(24):
        await Flooder(address, path, '{"type":"analyse","ply":3}', counted).connect()
    state, paths = tavola.load("potlatch").start(), list[str]()
    for ply, token in enumerate(itertools.chain(*ACTIONS)):
        paths += [
            f"/api/matches/{match}/why-not?ply={ply}&token={other}" for other in state.legal_actions
        ]
        state = state.play(token)
    paths += [f"/api/games/montana/card.png?language={language}" for language in ("en", "ja")]
    await request(port, paths, headers, counted)


SEARCHES = [
    "/api/games/montana/archive?player=Player",
    "/api/games/montana/archive?player=nobody",
    *(f"/api/games/montana/archive?shortest={least}" for least in range(200)),
    "/api/games/potlatch/explorer",
]
TRICK = json.dumps({"type": "ping", " - at `key` in ` `" * 3000: 1})
ATTACKS = ("pages", "matches", "messages", "searches", "work")


async def _attack(attack: str, port: int, closed: list[str]) -> None:
    # An attacker is not on the server's machine, and takes no processor from it.
    os.nice(19)
    counted = [0]
    # The server refuses connections above its limits.
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    match attack:
        case "pages":
            going = request(port, [f"/match/{match}" for match in closed], "", counted)
        case "matches":
            going = request(port, [f"/api/matches/{match}" for match in closed], "", counted)
        case "messages":
            going = flood(port, TRICK, counted)
        case "searches":
            going = request(port, SEARCHES, "", counted)
        case _:
            going = work(port, counted)
    task = asyncio.create_task(going)
    print("begun", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    task.cancel()
    print(counted[0], flush=True)


if __name__ == "__main__":
    uvloop.run(_attack(sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])))
