"""Chat: apart from the match, and never in its views."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tavola.server.ops import rate_limits
from tavola.server.schema.sanitize import sanitize_line
from tests.server.databases import rows
from tests.server.live_server import LiveServer, serve


class TestChat:
    @pytest.mark.long
    def test_everybody_hears_it_and_who_comes_later_reads_it(self, tmp_path: Path) -> None:
        with serve(tmp_path) as server:
            both = server.create_match()
            with both.only(0).connect() as red, both.spectator().connect() as watcher:
                red.send(type="say", seat=0, text="  Guten\n Tag ")
                heard = red.receive_until("chat")
                assert heard["whole"] is False
                (line,) = heard["lines"]
                assert (line["seat"], line["text"]) == (0, "Guten Tag")
                assert watcher.receive_until("chat") == heard
            # The log and the views know nothing of it.
            assert both.snapshot()["seq"] == 0
            assert "Guten" not in json.dumps(both.snapshot())
        with serve(tmp_path) as server:
            both.server = server
            with both.only(1).connect() as blue:
                assert blue.receive_until("chat") == heard | {"whole": True}

    def test_who_may_speak(self, server: LiveServer) -> None:
        both = server.create_match()
        for guest in (both.spectator(), both.only(1)):
            with guest.connect() as chair:
                chair.receive()
                chair.send(type="say", seat=0, text="me")
                assert chair.receive_until("refused")["error"]["code"] == "not-your-seat"

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("", "empty-message"),
            (" \n\u202e ", "empty-message"),
            ("\u200b\u3164\ufe0f", "empty-message"),
            ("x" * 501, "invalid"),
        ],
    )
    def test_what_cannot_be_said(self, server: LiveServer, text: str, code: str) -> None:
        with server.create_match().connect() as chair:
            chair.receive()
            chair.send(type="say", seat=0, text=text)
            assert chair.receive_until("refused")["error"]["code"] == code

    def test_nobody_floods_the_others(
        self, server: LiveServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rate_limits, "CHAT", replace(rate_limits.CHAT, rate=0.0))
        both = server.create_match()
        with both.connect() as chair:
            chair.receive()
            for number in range(20):
                chair.send(type="say", seat=0, text=str(number))
            heard = [chair.receive() for _ in range(20)]
            assert len([one for one in heard if one["type"] == "chat"]) == rate_limits.CHAT.burst
            rest = {one["error"]["code"] for one in heard if one["type"] == "refused"}
            assert rest == {"chat-limit"}
            # From another socket one gets no more, and the other seat has what is its own.
            with both.connect() as another:
                line = another.receive_until("chat")["lines"][0]["id"]
                for message in (
                    {"type": "say", "seat": 0, "text": "more"},
                    {"type": "report", "seat": 0, "line": line},
                ):
                    another.send(**message)
                    assert another.receive_until("refused")["error"]["code"] == "chat-limit"
                another.send(type="say", seat=1, text="enough")
                assert another.receive_until("chat")["lines"][0]["text"] == "enough"
            # It costs nothing else.
            chair.send(type="command", id="a", seq=0, seat=0, do="play", token="Pnw")
            assert chair.receive_until("done")["seq"] == 1

    def test_a_line_is_reported_once_by_each(self, tmp_path: Path) -> None:
        with serve(tmp_path) as server:
            both = server.create_match()
            with both.connect() as chair:
                chair.send(type="say", seat=0, text="rude")
                line = chair.receive_until("chat")["lines"][0]["id"]
                for seat in (1, 1, 0):
                    chair.send(type="report", seat=seat, line=line)
                    assert chair.receive_until("reported")["line"] == line
                chair.send(type="report", seat=1, line=line + 1)
                assert chair.receive_until("refused")["error"]["code"] == "unknown-line"
            other = server.create_match()
            with other.connect() as chair:
                chair.send(type="report", seat=0, line=line)
                assert chair.receive_until("refused")["error"]["code"] == "unknown-line"
        reports = rows(tmp_path / "tavola.db", "SELECT line, seat FROM reports ORDER BY seat")
        assert reports == [(line, 0), (line, 1)]

    def test_what_is_not_seen_is_not_said(self) -> None:
        assert sanitize_line("a\x00b\u202ec\u2066d") == "a bcd"
        assert sanitize_line("👩\u200d🚀 \U0001f1ef\U0001f1f5") == "👩\u200d🚀 \U0001f1ef\U0001f1f5"
