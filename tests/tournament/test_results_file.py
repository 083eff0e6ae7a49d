"""The results file: incomplete games are played again, records of other matches are rejected."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import tavola
from tavola.tournament import GameResult, ResultsFile, ResultsFileError, Schedule, Standings
from tavola.tournament.game import play
from tests.tournament.schedules import plan


@pytest.fixture(scope="module")
def games() -> list[GameResult]:
    made = plan(engines=("tree:nodes=20", "random"))
    with (
        tavola.engine("tree:nodes=20", made.load()) as one,
        tavola.engine("random", made.load()) as other,
    ):
        found = [play(made, pairing, [one, other], tavola.Stop()) for pairing in made.pairings()]
    return [game for game in found if game is not None]


def made() -> Schedule:
    return plan(engines=("tree:nodes=20", "random"))


@pytest.fixture
def path(tmp_path: Path, games: list[GameResult]) -> Path:
    path = tmp_path / "games.txt"
    ledger = ResultsFile(path)
    assert ledger.read(made()) == []
    for game in reversed(games):
        ledger.append(game)
    return path


def test_what_was_written_is_read(path: Path, games: list[GameResult]) -> None:
    read = ResultsFile(path).read(made())
    assert [game.number for game in read] == [6, 5, 4, 3, 2, 1]
    for found, game in zip(reversed(read), games, strict=True):
        assert (found.shares, found.ending, found.forfeit) == (game.shares, game.ending, None)
    assert len(tavola.read_records(path)) == 6
    before, after = Standings(made()), Standings(made())
    before.add_all(games)
    after.add_all(read)
    assert [(row.share, row.groups) for row in before.rows()] == [
        (row.share, row.groups) for row in after.rows()
    ]


def test_games_by_other_rules_are_refused_but_not_those_that_name_none(path: Path) -> None:
    text = path.read_text()
    path.write_text(re.sub(r'\[Rules "\d+"\]\n', "", text))
    assert len(ResultsFile(path).read(made())) == 6
    path.write_text(re.sub(r'\[Rules "\d+"\]', '[Rules "99"]', text))
    with pytest.raises(ResultsFileError, match="has Rules '99', but this match has"):
        ResultsFile(path).read(made())


@pytest.mark.long
def test_wherever_the_last_record_is_cut_off_the_others_are_kept(path: Path) -> None:
    text = path.read_bytes()
    begin = text.rindex(b"[Game ")
    for end in range(begin, len(text)):
        path.write_bytes(text[:end])
        assert [game.number for game in ResultsFile(path).read(made())] == [6, 5, 4, 3, 2], end
        assert path.read_bytes() == text[:begin]


def test_a_forfeit_is_read_as_one(tmp_path: Path) -> None:
    lost = plan(engines=("ugi:/no/such/program", "random"))
    engines = [tavola.engine(text, lost.load()) for text in lost.engines]
    ledger = ResultsFile(tmp_path / "games.txt")
    game = play(lost, next(lost.pairings()), engines, tavola.Stop())
    assert game is not None
    ledger.append(game)
    (read,) = ledger.read(lost)
    assert read.forfeit == game.forfeit == 0
    standing = Standings(lost)
    standing.add(read)
    assert [row.forfeits for row in standing.rows()] == [1, 0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 6}, "has Seed '5', but this match has '6'"),
        ({"plies": 2}, "has Opening '3', but this match has '2'"),
        ({"engines": ("random", "tree:nodes=20")}, "has Seat0"),
        ({"options": {"actions": 3}}, "has Options"),
        ({"games": 4}, "is of round 6, but the match has 4"),
    ],
)
def test_another_contest_is_refused(path: Path, changes: dict[str, Any], said: str) -> None:
    other = plan(**{"engines": ("tree:nodes=20", "random"), **changes})
    before = path.read_bytes()
    with pytest.raises(ResultsFileError) as caught:
        ResultsFile(path).read(other)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_more_games_go_on(path: Path) -> None:
    assert len(ResultsFile(path).read(plan(engines=("tree:nodes=20", "random"), games=60))) == 6


def test_other_files_are_refused_and_left_alone(path: Path, tmp_path: Path) -> None:
    whole = path.read_text()
    second = whole.index("[Game ", 1)
    for text, said in [
        ("my diary\n", "is not a file of records"),
        ("x\n" + whole, "is not a file of records"),
        (whole[: second - 40] + whole[second:], "the record at line 1 is damaged"),
        (whole + whole, "repeats round 6"),
        # Not the beginning of a record of this contest, which could be cut away.
        ("[1, 2, 3]\n", "the record at line 1 is damaged"),
        (tavola.Match(made().load()).record, "the record at line 1 is damaged"),
        (whole.replace("\n", "\r\n"), "the record at line 1 is damaged"),
        # Written to its end, and changed since.
        (re.sub('Result ".*"', 'Result "1 -1 0"', whole, count=1), "line 1 is damaged"),
        (re.sub('Result ".*"', 'Result "nan nan"', whole, count=1), "line 1 is damaged"),
        (re.sub('tion ".*"', 'tion "seat 2 forfeits: "', whole, count=1), "line 1 is damaged"),
    ]:
        other = tmp_path / "other.txt"
        other.write_bytes(text.encode())
        with pytest.raises(ResultsFileError, match=said):
            ResultsFile(other).read(made())
        assert other.read_bytes() == text.encode()
