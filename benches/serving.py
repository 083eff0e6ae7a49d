"""Serving: durable actions a second beside boardgame.io, delays, memory of a socket, start-up."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import uvloop

from benches.crowd import Address, Table, Talk, Tally
from benches.servers import Server

MATCHES = 200
BAR = 4000
RATIO = 5


@dataclass(frozen=True, slots=True)
class Run:
    """What a crowd did in one go.

    Attributes:
        rate: Acknowledged actions a second.
        cost: Seconds of the server's processor time for an action.
        p50: Half of all actions were in both views within so many seconds.
        p99: And 99 of 100 within so many.
    """

    rate: float
    cost: float
    p50: float
    p99: float


def play(
    server: Server, talk: Callable[[Address], Talk], *, matches: int, seats: int, pause: float
) -> Run:
    """Plays matches at the same time, until a quarter of them are over."""
    return uvloop.run(_play(server, talk, matches=matches, seats=seats, pause=pause))


async def _play(
    server: Server, talk: Callable[[Address], Talk], *, matches: int, seats: int, pause: float
) -> Run:
    tally = Tally()
    tables = []
    for number in range(matches):
        address = Address(server.port, f"127.0.{1 + number // 250}.{1 + number % 250}")
        tables.append(
            Table(
                address=address,
                talk=await asyncio.to_thread(talk, address),
                seats=seats,
                tally=tally,
                seed=number,
                pause=pause,
            )
        )
    for table in tables:
        await table.connect()
    while any(table.ready < seats for table in tables):
        await asyncio.sleep(0.05)
    cpu, began = server.cpu, time.perf_counter()
    for table in tables:
        table.going.set()
        for player in table.players:
            player.act()
    enough = max(1, matches * 3 // 4)
    while tally.live > enough and not tally.lost and time.perf_counter() - began < 30:
        await asyncio.sleep(0.02)
    seconds, used = time.perf_counter() - began, server.cpu - cpu
    for table in tables:
        table.leave()
    if tally.lost:
        raise RuntimeError(f"{tally.lost} sockets were closed by the server")
    delays = statistics.quantiles(tally.latencies, n=100)
    return Run(tally.actions / seconds, used / tally.actions, delays[49], delays[98])
