"""Engines by level: chosen at the set-up, kept, told, and refused if there is no such level."""

from __future__ import annotations

import pytest

import tavola
from tests.server.live_server import PERSON, LiveServer


def test_an_engine_of_a_level_plays(server: LiveServer) -> None:
    guest = server.create_match(seats=[{"kind": "engine", "level": 1}, PERSON])
    with guest.connect() as chair:
        snapshot = chair.receive()["snapshot"]
        while snapshot["acting"] != 1:
            snapshot = chair.receive_until("update")["snapshot"]
    assert snapshot["seats"][0]["level"] == 1
    assert "seconds" not in snapshot["seats"][0]
    record = server.http.get(f"{guest.url}/record").text
    (read,) = tavola.read_records(record)
    assert dict(read.tags)["Seat0"] == "level:1"


@pytest.mark.parametrize(
    "seat",
    [{"level": 0}, {"level": 9}, {"level": "3"}, {"level": 3, "seconds": 1.0}, {"strength": 3}],
)
def test_other_levels_are_refused(server: LiveServer, seat: dict[str, object]) -> None:
    wanted = {"game": "potlatch", "seats": [{"kind": "engine"} | seat, PERSON]}
    answer = server.http.post("/api/matches", json=wanted)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


def test_every_level_can_be_made() -> None:
    for name in tavola.games():
        game = tavola.load(name)
        for number, text in enumerate(tavola.levels(name), 1):
            with tavola.engine(text, game), tavola.engine(f"level:{number}", game) as engine:
                assert engine.text == f"level:{number}"
