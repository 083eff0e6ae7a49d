"""One game between engines: its record, its score, and failing engines."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import tavola
from tavola.tournament import GameResult, Schedule
from tavola.tournament.game import play
from tests.tournament.schedules import plan

ROGUE = Path(__file__).parents[1] / "engines/misbehaving_engine.py"
CHEAT = f"ugi:{sys.executable} {ROGUE} cheat"


def played(made: Schedule, number: int = 1, stop: tavola.Stop | None = None) -> GameResult | None:
    engines = [tavola.engine(text, made.load()) for text in made.engines]
    try:
        pairing = list(made.pairings())[number - 1]
        return play(made, pairing, engines, stop or tavola.Stop())
    finally:
        for engine in engines:
            engine.close()


@pytest.mark.long
@pytest.mark.parametrize("game", tavola.games())
def test_a_record_replays_to_its_result(game: str) -> None:
    made = plan(game, engines=("tree:nodes=20", "random"))
    for number in (1, 2):
        found = played(made, number)
        assert found is not None
        (record,) = tavola.read_records(found.record)
        *_, last = record.states()
        assert last.outcome is not None
        assert found.ending == record.tag("Termination") == last.outcome.reason
        winners = last.outcome.winners or (0, 1)
        assert found.shares == tuple((seat in winners) / len(winners) for seat in range(2))
        seats = [record.tag("Seat0"), record.tag("Seat1")]
        assert seats == list(made.engines if number == 1 else reversed(made.engines))
        tags = {name: record.tag(name) for name in ("Round", "Seed", "Opening", "Rules", "Actions")}
        assert tags == {
            "Round": str(number),
            "Seed": "5",
            "Opening": "3",
            "Rules": str(last.game.rules_version),
            "Actions": str(len(record.line)),
        }
        commented = [state.to_act for state, step in steps(record) if step.comments]
        assert set(commented) <= {made.engines.index("tree:nodes=20") ^ (number - 1)}
        assert len(commented) == found.usage[0].actions > 0
        assert found.usage[1].nodes == 0


def steps(record: tavola.Record) -> list[tuple[tavola.State, tavola.Step]]:
    return list(zip(record.states(), record.line, strict=False))


@pytest.mark.long
def test_the_same_game_has_the_same_record() -> None:
    made = plan("passtally", engines=("tree:nodes=30", "uct:nodes=30"))
    first, again = played(made), played(made)
    assert first is not None
    assert again is not None
    assert first.record == again.record


def test_an_engine_that_cheats_loses() -> None:
    for number, seat in ((1, 1), (2, 0)):
        found = played(plan(engines=("random", CHEAT), plies=0), number)
        assert found is not None
        assert found.forfeit == seat
        assert found.shares == ((1.0, 0.0) if seat == 1 else (0.0, 1.0))
        assert found.ending.startswith(f"seat {seat} forfeits: its engine sent 'Pe', which is")
        (record,) = tavola.read_records(found.record)
        assert record.tag("Termination") == found.ending
        assert record.tag("Result") == ("1 -1" if seat == 1 else "-1 1")
        assert len(record.line) > 0 or seat == 0
        assert list(record.states())[-1].outcome is None


def test_among_several_all_others_win_against_one_that_cannot_be_started() -> None:
    engines = ("random", "ugi:/no/such/program", "random")
    found = played(plan("passtally", options={"players": 3}, engines=engines))
    assert found is not None
    assert found.forfeit == 1
    assert found.shares == (0.5, 0.0, 0.5)
    assert "cannot start" in found.ending


def test_a_stop_leaves_no_result() -> None:
    stop = tavola.Stop()
    stop.set()
    assert played(plan(), stop=stop) is None
    assert played(plan(engines=(CHEAT, "random")), stop=stop) is None


class Shuffler(tavola.Engine):
    """Plays the action that leads back to where the game was, if there is one."""

    def __init__(self) -> None:
        super().__init__("shuffler")

    def new_game(self, seed: int = 0, *, stop: tavola.Stop | None = None) -> None:
        pass

    def choose(self, state: tavola.State, **_: object) -> tavola.Choice:
        return tavola.Choice(token=state.legal_actions[0])

    def close(self) -> None:
        pass


def test_a_game_without_end_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tavola.tournament.game.MAX_ACTIONS", 4)
    made = plan(plies=0)
    found = play(made, next(made.pairings()), [Shuffler(), Shuffler()], tavola.Stop())
    assert found is not None
    assert found.ending == "draw after 4 actions"
    assert found.shares == (0.5, 0.5)
    (record,) = tavola.read_records(found.record)
    assert record.tag("Result") == "0 0"
