"""The files of a tournament with late entries, withdrawals and byes."""

from __future__ import annotations

import csv
import io

from tavola.server.tournaments.exports import cross_table_csv, trf
from tavola.server.tournaments.log import Joined, Left
from tavola.server.tournaments.settings import Format
from tavola.server.tournaments.store import Found, Person
from tests.server.tournaments.simulation import Simulation

POINTS = {"1": 1.0, "+": 1.0, "U": 1.0, "=": 0.5, "0": 0.0, "-": 0.0, "Z": 0.0}
"""The points of each result in a TRF."""


def found(played: Simulation) -> Found:
    people = {number: Person(number, f"P{number}") for number in played.tournament.players}
    return Found("t", 1, "2026-11-28T18:00:00.000Z", None, None, played.tournament, people)


def check_points(played: Simulation) -> None:
    """Check that the results of each line of the TRF add up to its points."""
    lines = [line for line in trf(found(played)).splitlines() if line.startswith("001")]
    assert len(lines) == len(played.tournament.players)
    for line in lines:
        line = line.ljust(91 + 10 * len(played.tournament.rounds))
        results = [line[at + 7] for at in range(91, len(line) - 7, 10)]
        assert sum(POINTS[one] for one in results) == float(line[80:84]), line


def test_the_results_of_a_trf_add_up_to_the_points() -> None:
    swiss = Simulation("swiss", 7, rounds=4)
    swiss.start()
    swiss.begin_round()
    swiss.play_round()
    swiss.change(Joined(8), Joined(9), Left(3, "withdrew"), Left(4, "no-show"))
    while swiss.begin_round():
        swiss.play_round()
    check_points(swiss)
    formats: list[Format] = ["knockout", "round-robin"]
    for form in formats:
        played = Simulation(form, 5)
        played.play()
        check_points(played)


def test_a_cross_table_names_byes_and_leaves_rounds_without_a_player_empty() -> None:
    played = Simulation("swiss", 3, rounds=2)
    played.start()
    played.begin_round()
    played.play_round()
    played.change(Joined(4))
    played.begin_round()
    rows = list(csv.reader(io.StringIO(cross_table_csv(found(played)))))
    first = {row[1]: row[3] for row in rows[1:]}
    bye = played.tournament.rounds[0].byes[0]
    assert first[f"P{bye}"] == "bye"
    assert first["P4"] == ""
    assert all(" s" in first[f"P{one}"] for one in {1, 2, 3} - {bye})
