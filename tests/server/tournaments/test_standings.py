"""Standings and tie-breaks, computed by hand."""

from __future__ import annotations

from tavola.server.tournaments.log import Corrected, Paired, PairedBoard, Scored, Turned
from tavola.server.tournaments.settings import Format
from tavola.server.tournaments.standings import standings
from tests.server.tournaments.simulation import Simulation


def scripted(form: Format, *results: tuple[int, int, float]) -> Simulation:
    """Four players; each result is a round of one board: first seat, second seat, its points."""
    played = Simulation(form, 4)
    played.change(Turned("started"))
    for number, (one, other, points) in enumerate(results, start=1):
        played.change(Paired((PairedBoard((one, other), f"m{number}"),)))
        played.change(Scored(number, 1, (points, 1 - points)))
    return played


def test_buchholz_sonneborn_and_wins() -> None:
    played = scripted("swiss", (1, 2, 1), (1, 3, 0.5), (2, 3, 1), (4, 1, 0.5), (4, 2, 0))
    found = {one.player: one for one in standings(played.tournament)}
    assert {number: one.points for number, one in found.items()} == {1: 2, 2: 2, 3: 0.5, 4: 0.5}
    # Player 1 met 2, 3 and 4; player 2 met 1, 3 and 4.
    assert [found[number].tie_breaks for number in (1, 2)] == [
        (2 + 0.5 + 0.5, 2 + 0.25 + 0.25, 1, 1),
        (2 + 0.5 + 0.5, 0.5 + 0.5, 0, 2),
    ]
    assert [found[number].rank for number in (1, 2, 3, 4)] == [1, 2, 3, 3]


def test_the_direct_encounter_decides_a_round_robin() -> None:
    played = scripted("round-robin", (1, 2, 0), (1, 3, 1), (2, 3, 0))
    found = {one.player: one for one in standings(played.tournament)}
    assert found[1].tie_breaks[0] == found[2].tie_breaks[0] == found[3].tie_breaks[0] == 1
    played.change(Corrected(2, 1, (0.0, 1.0)))
    order = [one.player for one in standings(played.tournament)]
    assert order == [3, 2, 1, 4]


def test_equal_players_share_a_rank() -> None:
    played = scripted("swiss")
    assert [one.rank for one in standings(played.tournament)] == [1, 1, 1, 1]
