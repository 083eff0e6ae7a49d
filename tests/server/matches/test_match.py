"""A match as its log makes it: undo, confirmation and ends, as a pure function of commands."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tavola.server.errors import RequestError
from tavola.server.matches import decisions
from tavola.server.matches import match as match_module
from tavola.server.matches.command import Command
from tavola.server.matches.log import LOST_BY, LOST_BY_NOBODY, Header, Seat
from tavola.server.matches.match import Match
from tavola.server.schema.responses import Permissions
from tavola.server.snapshots.snapshot import full_snapshot, match_result
from tests.server.live.test_load import BOTH, header
from tests.server.live_server import SHORTEST

RED, BLUE = frozenset({0}), frozenset({1})


class Table:
    """A match, and the commands of its players."""

    def __init__(self, began: Header) -> None:
        self.match = Match(began)

    def do(
        self,
        do: str,
        token: str | None = None,
        *,
        seat: int | None = None,
        held: frozenset[int] = BOTH,
    ) -> Match:
        """Perform a command, by default of the seat to act."""
        match = self.match
        if seat is None:
            seat = match.acting if match.acting in held else min(held)
        assert seat is not None
        wanted = Command(id=f"c{match.seq}", seq=match.seq, seat=seat, do=do, token=token)  # type: ignore[arg-type]
        self.match = match.with_events(decisions.decide(match, wanted, held))
        return self.match

    def play(self, *tokens: str) -> Match:
        """Play actions, each of the seat to act."""
        for token in tokens:
            self.do("play", token)
        return self.match

    def code(self, do: str, token: str | None = None, *, seat: int = 0) -> str:
        """Return why a command of both players is rejected."""
        with pytest.raises(RequestError) as rejected:
            self.do(do, token, seat=seat)
        return rejected.value.code

    def code_for(self, held: frozenset[int], do: str) -> str:
        """Return why a command of the holder of some seats is rejected."""
        with pytest.raises(RequestError) as rejected:
            self.do(do, seat=min(held), held=held)
        return rejected.value.code

    def can(self, held: frozenset[int] = BOTH) -> Permissions:
        """Return what the holder of these seats may do."""
        return full_snapshot(self.match, held).can

    @property
    def tokens(self) -> tuple[str, ...]:
        """The actions in force."""
        return tuple(entry.token for entry in self.match.history)


def test_undo_takes_back_one_action_or_the_turn_and_is_itself_logged() -> None:
    table = Table(header(confirm=False, options={"actions": "3"}))
    start = table.match.state
    table.play("Pnw", "Pw")
    assert table.do("undo").seq == 3
    assert table.tokens == ("Pnw",)
    table.play("Pw")
    none = table.do("undo", "turn")
    assert (none.seq, none.history, none.state) == (5, [], start)
    assert table.code("undo") == "nothing-to-undo"


def test_undo_after_the_turn_is_free_until_another_seat_has_answered() -> None:
    table = Table(header(confirm=False))
    table.play("Pnw", "Pw")
    assert (table.can(RED).undo, table.can(BLUE).undo) == (True, False)
    assert table.do("undo", seat=0, held=RED).acting == 0
    table.play("Pw", "Pne")
    assert not table.can(RED).undo
    assert table.code_for(RED, "undo") == "ask-for-undo"
    assert table.do("undo", held=BLUE).acting == 1


def test_who_holds_every_persons_seat_may_take_back_any_time() -> None:
    table = Table(header(confirm=False))
    table.play("Pnw", "Pw", "Pne")
    table.do("undo")
    assert table.tokens == ("Pnw", "Pw")
    assert table.do("undo", "turn").history == []


def test_an_engines_answer_is_taken_back_with_the_action_before_it() -> None:
    began = header(confirm=True)
    engine = Seat(kind="engine", name="", seconds=None, level=1, token_hash=None)
    table = Table(replace(began, seats=(began.seats[0], engine)))
    table.play("Pnw", "Pw")
    table.do("confirm", held=RED)
    for token in ("Pne", "Pnw"):
        table.match = table.match.with_events(decisions.engine_events(table.match, token))
    # The engine's turn needs no confirmation.
    assert (table.match.status, table.match.acting) == ("playing", 0)
    assert table.can(RED).undo
    # The seat that it names does not matter: the client may not know whose action is the last.
    assert table.do("undo", "turn", seat=1, held=RED).acting == 0
    assert table.tokens == ()


def test_a_turn_waits_for_its_confirmation() -> None:
    table = Table(header(confirm=True))
    waiting = table.play("Pnw", "Pw")
    assert (waiting.status, waiting.acting) == ("confirming", 0)
    can = table.can()
    assert (can.undo, can.confirm, can.resign, can.ask) == (True, True, True, ("draw", "abort"))
    assert table.code("play", "Pne") == "confirm-first"
    assert table.code("play", "Pne", seat=1) == "not-your-turn"
    assert table.code("confirm", seat=1) == "not-your-turn"
    assert table.do("undo").status == "playing"
    table.play("Pw")
    confirmed = table.do("confirm")
    assert (confirmed.status, confirmed.acting) == ("playing", 1)
    assert not table.can(RED).undo
    assert table.code("confirm") == "nothing-to-confirm"


def test_the_last_turn_is_confirmed_too() -> None:
    table = Table(header(confirm=True))
    for turn in SHORTEST[:-1]:
        table.play(*turn)
        table.do("confirm")
    waiting = table.play(*SHORTEST[-1])
    assert waiting.status == "confirming"
    assert full_snapshot(waiting, BOTH).result is None
    over = table.do("confirm")
    assert (over.status, over.acting) == ("over", None)
    result = match_result(over)
    assert (result.winners, result.returns, result.loser) == ((0,), (1.0, -1.0), None)
    assert result.text is not None
    assert result.text.key.startswith("outcome.")
    assert table.can() == Permissions(
        undo=False, drawn=False, confirm=False, resign=False, ask=("rematch",)
    )
    assert {table.code(do, "Pw") for do in ("play", "undo", "confirm", "resign")} == {"over"}


@pytest.mark.parametrize("do", ["play", "undo", "ask"])
def test_a_match_with_the_most_events_can_only_be_resigned(
    do: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (decisions, match_module):
        monkeypatch.setattr(module, "MOST_EVENTS", 3)
    table = Table(header(confirm=False))
    table.do("play", "Pnw")
    table.do("undo")
    token = {"play": "Pnw", "ask": "draw"}.get(do)
    assert table.do("play", "Pnw").is_full
    with pytest.raises(RequestError, match="match-full") as refused:
        table.do(do, token)
    assert refused.value.params == {"most": 3}
    assert table.do("resign").status == "over"
    # After the end, players are not asked to resign.
    with pytest.raises(RequestError, match="over"):
        table.do("play", "Pnw", seat=0)
    assert table.do("ask", "rematch", seat=0, held=RED).request is not None


def test_every_end_has_a_sentence_in_every_language_of_the_client() -> None:
    reasons = {*LOST_BY.values(), *LOST_BY_NOBODY.values()}
    languages = list((Path(__file__).parents[3] / "web/messages").glob("*.json"))
    assert len(languages) > 1
    for language in languages:
        words = json.loads(language.read_bytes())
        assert [reason for reason in reasons if f"result_{reason}" not in words] == []
