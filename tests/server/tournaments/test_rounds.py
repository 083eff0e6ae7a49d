"""Whole tournaments of every format, and what their pairings promise."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavola.server.tournaments import rounds
from tavola.server.tournaments.log import Change, Event, Joined, Left, Paired, Returned, Scored
from tavola.server.tournaments.pairing import knockout, round_robin
from tavola.server.tournaments.standings import standings
from tavola.server.tournaments.tournament import Tournament
from tests.profiles import examples
from tests.server.tournaments.simulation import Simulation, avoidable_meetings


def meetings(tournament: Tournament) -> int:
    return max(tournament.history().met.values(), default=0)


def imbalance(tournament: Tournament) -> int:
    return max(max(seats) - min(seats) for seats in tournament.history().seats.values())


def check_points(tournament: Tournament) -> None:
    """Each board gives as many points as it has, and each bye its own."""
    boards = list(tournament.boards())
    each = tournament.size * (tournament.size - 1) / 2
    byes = sum(len(one.byes) for one in tournament.rounds)
    assert all(board.points is not None for board in boards)
    total = len(boards) * each + byes * tournament.bye_points
    assert sum(tournament.points().values()) == pytest.approx(total)
    assert sum(one.points for one in standings(tournament)) == pytest.approx(total)


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(4, 60), st.integers(0, 10_000), st.data())
def test_swiss(players: int, seed: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, min(9, players // 2)))
    tournament = Simulation("swiss", players, rounds=count, seed=seed).play()
    assert tournament.status == "finished"
    assert len(tournament.rounds) == count
    assert meetings(tournament) <= 1
    assert imbalance(tournament) <= 1
    assert max(tournament.history().byes.values(), default=0) <= 1
    assert all(len(one.byes) == players % 2 for one in tournament.rounds)
    check_points(tournament)


def test_a_swiss_of_128_players_in_seven_rounds() -> None:
    tournament = Simulation("swiss", 128, rounds=7).play()
    assert len(tournament.rounds) == 7
    assert meetings(tournament) == 1
    assert imbalance(tournament) == 1
    check_points(tournament)
    # The leader has won nearly everything, and the last of the leaders have met.
    assert standings(tournament)[0].points >= 6


def test_a_swiss_with_as_many_rounds_as_there_are_opponents_ends_without_a_repeat() -> None:
    for players in range(2, 9):
        tournament = Simulation("swiss", players, rounds=20, seed=players).play()
        assert tournament.status == "finished"
        assert meetings(tournament) <= 1


def test_players_of_equal_score_meet() -> None:
    played = Simulation("swiss", 64, rounds=6)
    played.start()
    while played.begin_round():
        points = played.tournament.points()
        for board in played.tournament.open_boards():
            apart = abs(points[board.players[0]] - points[board.players[1]])
            assert apart <= 1.5
        played.play_round()


@settings(max_examples=examples(15), deadline=None)
@given(st.integers(8, 44), st.sampled_from([3, 4]), st.integers(0, 10_000), st.booleans())
def test_tables(players: int, size: int, seed: int, filled: bool) -> None:
    fill = 3 if filled else None
    count = min(4, players // (2 * size))
    if count == 0:
        return
    tournament = Simulation("tables", players, size=size, rounds=count, fill=fill, seed=seed).play()
    assert len(tournament.rounds) == count
    assert imbalance(tournament) <= 1
    assert meetings(tournament) <= (1 if players >= 6 * size else 2)
    for one in tournament.rounds:
        assert len(one.byes) == (0 if filled else players % size)
        seated = [player for board in one.boards for player in board.players]
        assert len(set(seated)) == len(seated)
    check_points(tournament)


@pytest.mark.parametrize(("players", "fill", "seed"), [(41, 3, 123), (37, 3, 0), (40, None, 2)])
def test_after_four_rounds_at_tables_of_four_each_player_was_in_every_seat(
    players: int, fill: int | None, seed: int
) -> None:
    tournament = Simulation("tables", players, size=4, rounds=4, fill=fill, seed=seed).play()
    assert imbalance(tournament) <= 1
    assert meetings(tournament) == 1


@pytest.mark.parametrize(("players", "rounds"), [(8, 4), (12, 6), (16, 8), (24, 8)])
def test_players_at_tables_meet_again_only_if_no_exchange_avoids_it(
    players: int, rounds: int
) -> None:
    tournament = Simulation("tables", players, size=4, rounds=rounds, seed=players).play()
    tables = [[board.players for board in one.boards] for one in tournament.rounds]
    assert len(tables) == rounds
    assert meetings(tournament) > 1
    assert avoidable_meetings(tables) == 0


def test_forty_players_at_tables_of_four() -> None:
    tournament = Simulation("tables", 40, size=4, rounds=6).play()
    assert len(tournament.rounds) == 6
    assert meetings(tournament) == 1
    assert imbalance(tournament) == 1
    check_points(tournament)


@pytest.mark.parametrize("players", range(2, 14))
def test_round_robin(players: int) -> None:
    single = Simulation("round-robin", players).play()
    assert set(single.history().met.values()) == {1}
    assert len(single.history().met) == players * (players - 1) // 2
    assert imbalance(single) <= 1
    double = Simulation("double-round-robin", players).play()
    assert set(double.history().met.values()) == {2}
    assert imbalance(double) == 0
    assert len(double.rounds) == round_robin.round_count(players, double=True)
    check_points(double)


def test_an_engine_makes_a_round_robin_even() -> None:
    tournament = Simulation("round-robin", 5, fill=2).play()
    assert len(tournament.players) == 6
    assert all(len(one.boards) == 3 for one in tournament.rounds)


@pytest.mark.parametrize("players", [2, 3, 5, 6, 8, 16, 31])
def test_knockout(players: int) -> None:
    tournament = Simulation("knockout", players, seed=players).play()
    lost = Counter(
        player
        for board in tournament.boards()
        for player in board.players
        if board.points_of(player) == 0
    )
    assert len(lost) == players - 1
    assert set(lost.values()) == {1}
    first = standings(tournament)[0]
    assert first.player not in lost
    assert len(tournament.rounds) == (players - 1).bit_length()
    # The first two seeds could only meet at the end.
    assert knockout.bracket(list(range(1, players + 1)))[0] == 1


def test_an_arena_pairs_whoever_is_free() -> None:
    played = Simulation("arena", 6)
    played.start()
    for _ in range(10):
        assert played.begin_round()
        busy = [one for board in played.tournament.open_boards() for one in board.players]
        assert len(set(busy)) == len(busy)
        board = played.tournament.open_boards()[0]
        played.change(Scored(board.round, board.number, (1.0, 0.0)))
    assert len(played.tournament.rounds) == 1
    assert imbalance(played.tournament) <= 3


def test_players_come_late_leave_and_return() -> None:
    played = Simulation("swiss", 9, rounds=5)
    played.start()
    played.begin_round()
    played.play_round()
    played.change(Joined(10), Left(3, "withdrew"))
    played.begin_round()
    paired = {one for board in played.tournament.open_boards() for one in board.players}
    assert 10 in paired | set(played.tournament.rounds[-1].byes)
    assert 3 not in paired
    played.play_round()
    played.change(Returned(3))
    played.begin_round()
    paired = {one for board in played.tournament.open_boards() for one in board.players}
    assert 3 in paired | set(played.tournament.rounds[-1].byes)
    while played.begin_round():
        played.play_round()
    assert meetings(played.tournament) <= 1


def test_who_has_left_a_round_robin_loses_the_other_boards_without_a_match() -> None:
    played = Simulation("round-robin", 4)
    played.start()
    played.begin_round()
    played.play_round()
    played.change(Left(2, "no-show"))
    played.begin_round()
    board = next(one for one in played.tournament.rounds[-1].boards if 2 in one.players)
    assert board.match is None
    assert board.points_of(2) == 0
    assert max(board.points or ()) == 1


def test_engines_that_fill_seats_sit_at_different_tables() -> None:
    played = Simulation("tables", 9, size=4, rounds=2, fill=1)
    played.start()
    played.begin_round()
    fillers = {player.number for player in played.tournament.fillers}
    assert len(fillers) == 3
    boards = played.tournament.open_boards()
    assert all(len(fillers.intersection(board.players)) == 1 for board in boards)


def test_the_log_alone_gives_the_tournament() -> None:
    for form in ("swiss", "knockout", "round-robin"):
        played = Simulation(form, 7)
        played.play()
        stored = [
            Event(one.seq, msgspec.convert(msgspec.to_builtins(one.change), Change), one.at)
            for one in played.log
        ]
        again = Tournament(played.settings, 2, stored)
        assert again.__dict__ == played.tournament.__dict__


def test_a_bye_goes_to_the_last_player_without_one() -> None:
    played = Simulation("swiss", 5, rounds=4)
    played.start()
    byes: list[int] = []
    while played.begin_round():
        byes += played.tournament.rounds[-1].byes
        played.play_round()
    assert len(byes) == len(set(byes))


def test_points_of_places() -> None:
    assert rounds.placement_points((1.0, -1.0)) == (1.0, 0.0)
    assert rounds.placement_points((0.0, 0.0)) == (0.5, 0.5)
    assert rounds.placement_points((5.0, 9.0, 1.0, 5.0)) == (1.5, 3.0, 0.0, 1.5)


def test_nothing_is_due_while_boards_are_open() -> None:
    played = Simulation("swiss", 4)
    played.start()
    assert isinstance(played.due()[-1], Paired)
    played.begin_round()
    assert played.due() == []
