"""Serving: durable actions per second against boardgame.io, latency, memory, start-up time."""

from __future__ import annotations

import asyncio
import gc
import os
import platform
import resource
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import uvloop
from rich.console import Console
from rich.table import Table

import tavola
from benches import servers
from benches.load_generator import Address, Client, Counters, MatchPlayers, Socket, SocketHandler
from benches.servers import Server
from benches.socket_clients import BoardgameClient, TavolaClient
from tavola.cli.tables import print_table

MATCHES = 200
RATIO = 4
"""The bar of every game: the ratio to the peer's actions per second in files, in the same round."""
PATIENCE = 4
"""The maximum number of attempts for a round of the peer."""
PAUSED = 2000
"""The number of matches with pauses, and the pauses in seconds: about 1,000 actions per second."""
PAUSE = 2.0
P99 = 0.025
HICCUPS = 1000
"""The measurements of the idle machine: their number, interval in seconds, and bytes to write."""
HICCUP_PAUSE = 0.004
HICCUP_BYTES = 16_384
IDLE = 10_000
IDLE_BYTES = 30_000
STORED = 100_000
START_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Run:
    """The result of one run of the load generator.

    Attributes:
        rate: The acknowledged actions per second.
        cost: The processor time of the server per action, in seconds.
        p50: The median latency until both views show an action, in seconds.
        p99: The 99th percentile of that latency, in seconds.
        stolen: The part of the processor time that other users of the machine took.
    """

    rate: float
    cost: float
    p50: float
    p99: float
    stolen: float


def play(
    server: Server,
    client: Callable[[Address], Client],
    *,
    matches: int,
    seats: int,
    pause: float,
    spectators: Sequence[Socket] = (),
) -> Run:
    """Plays matches in parallel until a quarter of them are over, or for 30 seconds.

    Args:
        server: The measured server.
        client: Begins a match, from an address of its own.
        matches: The number of matches.
        seats: The number of their players.
        pause: The mean pause before an action, in seconds.
        spectators: Further sockets, open while the matches are played.
    """
    running = _play(
        server, client, matches=matches, seats=seats, pause=pause, spectators=spectators
    )
    try:
        return uvloop.run(running)
    finally:
        gc.enable()


async def _play(
    server: Server,
    client: Callable[[Address], Client],
    *,
    matches: int,
    seats: int,
    pause: float,
    spectators: Sequence[Socket],
) -> Run:
    counters = Counters()
    tables = []
    for number in range(matches):
        address = Address(server.port, f"127.0.{1 + number // 250}.{1 + number % 250}")
        tables.append(
            MatchPlayers(
                address=address,
                client=await asyncio.to_thread(client, address),
                seats=seats,
                counters=counters,
                seed=number,
                pause=pause,
            )
        )
    for table in tables:
        await table.connect()
    for spectator in spectators:
        await spectator.connect()
    while any(table.ready < seats for table in tables):
        await asyncio.sleep(0.05)
    # A garbage collection here would count as latency of the server.
    gc.collect()
    gc.disable()
    cpu, stolen, began = server.cpu, _stolen(), time.perf_counter()
    for table in tables:
        table.going.set()
        for player in table.players:
            player.act()
    enough = max(1, matches * 3 // 4)
    while counters.live > enough and not counters.lost and time.perf_counter() - began < 30:
        await asyncio.sleep(0.02)
    seconds, used = time.perf_counter() - began, server.cpu - cpu
    taken = (_stolen() - stolen) / seconds
    for table in tables:
        table.leave()
    if counters.lost:
        raise RuntimeError(f"{counters.lost} sockets were closed by the server")
    delays = statistics.quantiles(counters.latencies, n=100)
    return Run(counters.actions / seconds, used / counters.actions, delays[49], delays[98], taken)


def _stolen() -> float:
    """Returns the mean time that other users took from each processor, in seconds."""
    ticks = int(Path("/proc/stat").read_text().split("\n", 1)[0].split()[8])
    return ticks / os.sysconf("SC_CLK_TCK") / (os.cpu_count() or 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured value.

    Attributes:
        name: The name.
        rounds: The value of each round.
        unit: The unit.
        bar: The required value; `None` for a peer.
        most: Whether the bar is a maximum, not a minimum.
    """

    name: str
    rounds: tuple[float, ...]
    unit: str
    bar: float | None = None
    most: bool = False

    @property
    def value(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.rounds)

    @property
    def reached(self) -> bool:
        """Whether the result reaches its bar."""
        if self.bar is None:
            return True
        return self.value <= self.bar if self.most else self.value >= self.bar


@dataclass(frozen=True, slots=True)
class Serving:
    """All measured values, and the title of their table."""

    figures: tuple[Figure, ...]
    title: str = "Serving"

    @property
    def reached(self) -> bool:
        """Whether all results reach their bars."""
        return all(figure.reached for figure in self.figures)

    def as_json(self) -> dict[str, Any]:
        """Returns all results as plain data."""
        return {
            "title": self.title,
            "reached": self.reached,
            "machine": f"{platform.system()} {platform.machine()}",
            "figures": [
                {
                    "name": figure.name,
                    "unit": figure.unit,
                    "value": figure.value,
                    "rounds": figure.rounds,
                    "bar": figure.bar,
                    "reached": figure.reached,
                }
                for figure in self.figures
            ],
        }

    def show(self, console: Console) -> None:
        """Prints the table."""
        table = Table(title=f"{self.title}, including the load generator", title_justify="left")
        for name in ("", "median", "least", "most", "bar"):
            table.add_column(name, justify="left" if name == "" else "right", no_wrap=True)
        for figure in self.figures:
            style = "" if figure.bar is None else "green" if figure.reached else "red"
            numbers = (figure.value, min(figure.rounds), max(figure.rounds))
            limit = "at most" if figure.most else "at least"
            table.add_row(
                f"{figure.name}, {figure.unit}",
                *(f"{number:,.1f}" for number in numbers),
                "" if figure.bar is None else f"{limit} {figure.bar:,.0f}",
                style=style,
            )
        print_table(table, console)


def measure(*, quick: bool, console: Console) -> Serving:
    """Measures all values; `quick` uses fewer rounds and smaller numbers."""
    rounds = 1 if quick else 3
    # Rounds with saturated servers are short, so their results vary.
    saturated = 1 if quick else 7
    # Every socket needs a file descriptor, here and in the servers.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    console.print("Playing ...")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = _saturated(folder, saturated, console)
        console.print("Playing with pauses ...")
        figures += _told(console, *_paused(folder, PAUSED // 10 if quick else PAUSED, rounds))
        console.print("Sitting still ...")
        figures += _told(console, _idle(folder, IDLE // 10 if quick else IDLE))
        console.print("Starting ...")
        figures += _told(console, _start(folder, STORED // 10 if quick else STORED, rounds))
    return Serving(tuple(figures))


def _told(console: Console, *figures: Figure) -> tuple[Figure, ...]:
    """Print figures as soon as they are known, and return them."""
    for figure in figures:
        console.print(f"  {figure.name}, {figure.unit}: {figure.value:,.1f}", soft_wrap=True)
    return figures


def _ours(game: str) -> Callable[[Address], Client]:
    return lambda address: TavolaClient(address, game=game, seats=2)


def _peer(folder: Path | None) -> Run:
    """One round of the peer, keeping matches below the folder or in memory.

    It reads files that it has half written, and dies of it at times, or another has taken its
    port: then once more.
    """
    for again in range(PATIENCE):
        try:
            with servers.boardgame_io(folder and folder / str(again)) as server:
                return play(server, BoardgameClient, matches=MATCHES, seats=2, pause=0)
        except (RuntimeError, OSError) as error:
            failed = error
    raise failed


def _saturated(folder: Path, rounds: int, console: Console) -> list[Figure]:
    """Measures players who act immediately; the servers alternate in every round."""
    peers: dict[str, Path | None] = {
        "boardgame.io, in files": folder / "files",
        "boardgame.io, in memory": None,
    }
    ours = [f"Tavola, {game}" for game in tavola.games()]
    runs: dict[str, list[Run]] = {name: [] for name in (*ours, *peers)}
    with servers.tavola(f"sqlite:///{folder / 'saturated.db'}") as server:
        for number in range(rounds):
            for name, game in zip(ours, tavola.games(), strict=True):
                runs[name].append(play(server, _ours(game), matches=MATCHES, seats=2, pause=0))
            for name, files in peers.items():
                runs[name].append(_peer(files and files / str(number)))
            rates = (f"{name} {done[-1].rate:,.0f}" for name, done in runs.items())
            console.print(
                f"  Round {number + 1}, actions a second: {'; '.join(rates)}", soft_wrap=True
            )
    rate = {name: tuple(run.rate for run in done) for name, done in runs.items()}
    cost = {name: tuple(run.cost * 1e6 for run in done) for name, done in runs.items()}
    figures = []
    for name in runs:
        figures.append(Figure(name=name, rounds=rate[name], unit="actions a second"))
        figures.append(Figure(name=name, rounds=cost[name], unit="µs of the processor an action"))
        figures.append(_stolen_from(name, runs[name]))
    for name in ours:
        # Kept in files is the peer that keeps anything; it does not wait for the disk. The ratio
        # compares the same round: a shared machine is another one a minute later.
        pairs = zip(rate[name], rate["boardgame.io, in files"], strict=True)
        times = tuple(mine / theirs for mine, theirs in pairs)
        figures.append(
            Figure(name=name, rounds=times, unit="times boardgame.io in files", bar=RATIO)
        )
    return figures


def _paused(folder: Path, matches: int, rounds: int) -> list[Figure]:
    """Measures players who pause, and the idle machine before each round."""
    quiet, runs = [], []
    for number in range(rounds):
        quiet.append(_hiccups(folder / "quiet"))
        with servers.tavola(f"sqlite:///{folder / f'paused{number}.db'}") as server:
            runs.append(play(server, _ours("potlatch"), matches=matches, seats=2, pause=PAUSE))
    name = f"{matches:,} matches with pauses"
    return [
        Figure(name=name, rounds=tuple(run.rate for run in runs), unit="actions a second"),
        Figure(
            name=name,
            rounds=tuple(run.p50 * 1000 for run in runs),
            unit="ms to both views, median",
        ),
        Figure(
            name=name,
            rounds=tuple(run.p99 * 1000 for run in runs),
            unit="ms to both views, p99",
            bar=P99 * 1000,
            most=True,
        ),
        _stolen_from(name, runs),
        Figure(
            name="the machine, nothing running",
            rounds=tuple(seconds * 1000 for seconds in quiet),
            unit="ms to wake and write, p99",
        ),
    ]


def _stolen_from(name: str, runs: list[Run]) -> Figure:
    rounds = tuple(run.stolen * 100 for run in runs)
    return Figure(name=name, rounds=rounds, unit="% of the processors taken by others")


def _hiccups(file: Path) -> float:
    """The least that no server can avoid: late waking, and the disk's own delay; seconds, p99.

    The least that a commit needs: a wake-up, and a few pages on the disk.
    """
    delays = []
    with file.open("wb", buffering=0) as pages:
        for _ in range(HICCUPS):
            began = time.perf_counter()
            time.sleep(HICCUP_PAUSE)
            pages.write(bytes(HICCUP_BYTES))
            os.fdatasync(pages.fileno())
            delays.append(time.perf_counter() - began - HICCUP_PAUSE)
    return statistics.quantiles(delays, n=100)[98]


class _Idler(SocketHandler):
    """A spectator that only receives."""

    def __init__(self, watching: list[int]) -> None:
        self.watching = watching
        self.socket: Socket

    def on_open(self) -> None:
        """Says hello."""
        self.socket.send('{"type":"hello"}')

    def on_message(self, message: bytes) -> None:
        """Counts the first position."""
        if message.startswith(b'{"type":"snapshot"'):
            self.watching[0] += 1

    def on_close(self) -> None:
        """Counts the end of the connection."""
        self.watching[0] -= 1


def _idle(folder: Path, sockets: int) -> Figure:
    async def sit(server: Server) -> float:
        address = Address(server.port, "127.0.0.1")
        talks = [TavolaClient(address, game="potlatch", seats=2) for _ in range(100)]
        await asyncio.sleep(1)
        before, watching = server.memory, [0]
        idlers = []
        for number in range(sockets):
            # The server limits the sockets per address.
            there = Address(server.port, f"127.1.{number // 20_000}.{1 + number // 100 % 200}")
            idler = _Idler(watching)
            idler.socket = Socket(there, talks[number % 100].path, idler)
            idlers.append(idler)
            await idler.socket.connect()
        began = time.monotonic()
        while watching[0] < sockets and time.monotonic() - began < 60:
            await asyncio.sleep(0.1)
        if watching[0] < sockets:
            raise RuntimeError(f"{watching[0]} of {sockets} sockets were held")
        held = (server.memory - before) / sockets
        for idler in idlers:
            idler.socket.close()
        return held

    with servers.tavola(f"sqlite:///{folder / 'idle.db'}") as server:
        held = uvloop.run(sit(server))
    return Figure(
        name=f"{sockets:,} idle sockets",
        rounds=(held / 1000,),
        unit="KB each",
        bar=IDLE_BYTES / 1000,
        most=True,
    )


def _start(folder: Path, stored: int, rounds: int) -> Figure:
    """Measures the start-up time until the first response, with many matches in the database."""
    file = folder / "many.db"
    with servers.tavola(f"sqlite:///{file}") as server:
        play(server, _ours("potlatch"), matches=20, seats=2, pause=0)
    with closing(sqlite3.connect(file)) as database, database:
        (known,) = database.execute("SELECT count(*) FROM matches").fetchone()
        numbers = (
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT {stored // known})"
        )
        for table, key in (("matches", "id"), ("seats", "match"), ("events", "match")):
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            values = ", ".join(
                f"\"{key}\" || '.' || i" if name == key else f'"{name}"' for name in columns
            )
            database.execute(f"INSERT INTO {table} {numbers} SELECT {values} FROM {table}, n")
    seconds = []
    for _ in range(rounds):
        began = time.perf_counter()
        with servers.tavola(f"sqlite:///{file}") as server:
            there = HTTPConnection("127.0.0.1", server.port)
            there.request("GET", "/healthz")
            if there.getresponse().status != 200:
                raise RuntimeError("it does not answer")
            seconds.append(time.perf_counter() - began)
            there.close()
    return Figure(
        name=f"start with {stored:,} matches",
        rounds=tuple(seconds),
        unit="seconds",
        bar=START_SECONDS,
        most=True,
    )
