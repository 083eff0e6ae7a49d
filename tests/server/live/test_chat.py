"""Who is there, and what they say to each other: apart from the match, and never in its views."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tavola.server.ops import rate_limits
from tavola.server.schema.sanitize import clean
from tavola.server.snapshots import presence
from tests.server.databases import rows
from tests.server.live_server import Chair, House, Json, serve


def states(message: Json) -> list[str]:
    return [seat["state"] for seat in message["seats"]]


def presence_when(chair: Chair, wanted: list[str]) -> Json:
    while states(message := chair.hear_until("presence")) != wanted:
        pass
    return message


class TestPresence:
    def test_coming_and_going_is_told(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(presence, "GONE", 0.3)
        both = house.begin()
        with both.only(0).sit() as red:
            assert presence_when(red, ["online", "away"])["watching"] == 0
            with both.only(1).sit() as blue:
                presence_when(blue, ["online", "online"])
                presence_when(red, ["online", "online"])
                with both.spectator().sit():
                    while blue.hear_until("presence")["watching"] != 1:
                        pass
            presence_when(red, ["online", "reconnecting"])
            presence_when(red, ["online", "away"])

    def test_the_server_measures_the_network_where_there_is_a_clock(self, house: House) -> None:
        timed = house.begin(time={"kind": "main", "seconds": 60})
        began = time.monotonic()
        with timed.only(0).sit() as red:
            asked = red.hear_until("echo")
            assert red.hear_until("presence")["seats"][0]["lag"] is None
            red.send(**asked)
            lag = red.hear_until("presence")["seats"][0]["lag"]
            assert 0 <= lag <= 1000 * (time.monotonic() - began)
            red.send(type="echo", number=12345)
            assert red.hear_until("refused")["error"]["code"] == "unknown-echo"

    def test_without_a_clock_nothing_is_measured(self, house: House) -> None:
        with house.begin().sit() as chair:
            chair.send(type="ping")
            while (message := chair.hear_all())["type"] != "pong":
                assert message["type"] != "echo"


class TestChat:
    def test_everybody_hears_it_and_who_comes_later_reads_it(self, tmp_path: Path) -> None:
        with serve(tmp_path) as house:
            both = house.begin()
            with both.only(0).sit() as red, both.spectator().sit() as watcher:
                red.send(type="say", seat=0, text="  Guten\n Tag ")
                heard = red.hear_until("chat")
                assert heard["whole"] is False
                (line,) = heard["lines"]
                assert (line["seat"], line["text"]) == (0, "Guten Tag")
                assert watcher.hear_until("chat") == heard
            # The log and the views know nothing of it.
            assert both.snapshot()["seq"] == 0
            assert "Guten" not in json.dumps(both.snapshot())
        with serve(tmp_path) as house:
            both.house = house
            with both.only(1).sit() as blue:
                assert blue.hear_until("chat") == heard | {"whole": True}

    def test_who_may_speak(self, house: House) -> None:
        both = house.begin()
        for guest in (both.spectator(), both.only(1)):
            with guest.sit() as chair:
                chair.hear()
                chair.send(type="say", seat=0, text="me")
                assert chair.hear_until("refused")["error"]["code"] == "not-your-seat"

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("", "nothing-said"),
            (" \n\u202e ", "nothing-said"),
            ("\u200b\u3164\ufe0f", "nothing-said"),
            ("x" * 501, "invalid"),
        ],
    )
    def test_what_cannot_be_said(self, house: House, text: str, code: str) -> None:
        with house.begin().sit() as chair:
            chair.hear()
            chair.send(type="say", seat=0, text=text)
            assert chair.hear_until("refused")["error"]["code"] == code

    def test_nobody_floods_the_others(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rate_limits, "CHAT_RATE", 0.0)
        both = house.begin()
        with both.sit() as chair:
            chair.hear()
            for number in range(20):
                chair.send(type="say", seat=0, text=str(number))
            heard = [chair.hear() for _ in range(20)]
            assert len([one for one in heard if one["type"] == "chat"]) == rate_limits.CHAT_AT_ONCE
            rest = {one["error"]["code"] for one in heard if one["type"] == "refused"}
            assert rest == {"said-enough"}
            # From another socket one gets no more, and the other seat has what is its own.
            with both.sit() as another:
                line = another.hear_until("chat")["lines"][0]["id"]
                for message in (
                    {"type": "say", "seat": 0, "text": "more"},
                    {"type": "report", "seat": 0, "line": line},
                ):
                    another.send(**message)
                    assert another.hear_until("refused")["error"]["code"] == "said-enough"
                another.send(type="say", seat=1, text="enough")
                assert another.hear_until("chat")["lines"][0]["text"] == "enough"
            # It costs nothing else.
            chair.send(type="command", id="a", seq=0, seat=0, do="play", token="Pnw")
            assert chair.hear_until("done")["seq"] == 1

    def test_a_line_is_reported_once_by_each(self, tmp_path: Path) -> None:
        with serve(tmp_path) as house:
            both = house.begin()
            with both.sit() as chair:
                chair.send(type="say", seat=0, text="rude")
                line = chair.hear_until("chat")["lines"][0]["id"]
                for seat in (1, 1, 0):
                    chair.send(type="report", seat=seat, line=line)
                    assert chair.hear_until("reported")["line"] == line
                chair.send(type="report", seat=1, line=line + 1)
                assert chair.hear_until("refused")["error"]["code"] == "unknown-line"
            other = house.begin()
            with other.sit() as chair:
                chair.send(type="report", seat=0, line=line)
                assert chair.hear_until("refused")["error"]["code"] == "unknown-line"
        reports = rows(tmp_path / "tavola.db", "SELECT line, seat FROM reports ORDER BY seat")
        assert reports == [(line, 0), (line, 1)]

    def test_what_is_not_seen_is_not_said(self) -> None:
        assert clean("a\x00b\u202ec\u2066d") == "a bcd"
        assert clean("👩\u200d🚀 \U0001f1ef\U0001f1f5") == "👩\u200d🚀 \U0001f1ef\U0001f1f5"
