"""One anonymous client, within the limits, does not cost an opponent the match.

The attacks are those of `benches/attacks.py`, which measures them; here they are short.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benches import attacks
from tests.server.databases import on_sqlite
from tests.server.server_process import Process, process

pytestmark = [
    on_sqlite,
    pytest.mark.skipif(
        sys.platform != "linux", reason="elsewhere a machine has one address to call itself from"
    ),
]

TRIES = 2
MANY_TRIES = 10


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Process, list[str]]]:
    file = tmp_path_factory.mktemp("attacks") / "tavola.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attacks, "EVENTS", 2000)
        patch.setattr(attacks, "CLOSED", 5)
        closed = attacks.prepare(file, 2000)
    with process(file) as running:
        yield running, closed


def port(running: Process) -> int:
    return int(running.server.address.rpartition(":")[2])


@pytest.mark.long
@pytest.mark.parametrize("attack", attacks.ATTACKS)
def test_an_opponent_with_two_seconds_left_does_not_lose(
    attacked: tuple[Process, list[str]], attack: str
) -> None:
    running, closed = attacked
    with attacks.attacking(attack, port(running), closed) as answered:
        for number in range(TRIES):
            assert not attacks.loses_on_time(port(running), f"127.0.3.{1 + number}")
    # It was an attack.
    assert answered[0] > 0


@pytest.mark.nightly
@pytest.mark.parametrize("attack", attacks.ATTACKS)
def test_nor_in_fifty_tries(tmp_path: Path, attack: str) -> None:
    file = tmp_path / "tavola.db"
    closed = attacks.prepare(file, attacks.FINISHED)
    with process(file) as running, attacks.attacking(attack, port(running), closed):
        for number in range(MANY_TRIES):
            assert not attacks.loses_on_time(port(running), f"127.0.3.{1 + number}")
