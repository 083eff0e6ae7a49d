"""Whatever is said over a socket, of every kind, in any order: a match follows its rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from tavola.server.http import match_socket
from tavola.server.live.conditional_moves import ConditionalMovesRequest
from tavola.server.ops import rate_limits
from tavola.server.schema.requests import CommandMessage
from tests.profiles import examples
from tests.server.databases import rows
from tests.server.factories import ANYTHING, messages, mostly
from tests.server.live_server import (
    PERSON,
    Json,
    LiveServer,
    SocketClient,
    code_of,
    error_of,
    serve,
)

MATCHES = [
    {"game": "potlatch", "confirm": True, "time": {"kind": "main", "seconds": 600}},
    {"game": "potlatch", "seats": [PERSON, PERSON]},
    {"game": "passtally", "contribute": True},
]

KINDS = get_args(match_socket.Incoming)
SAID = {kind.__struct_config__.tag for kind in get_args(match_socket.Outgoing)}

LIKELY = {
    "id": st.integers(0, 40).map(str),
    "seq": mostly(st.just("NOW"), st.integers(0, 5)),
    "seat": mostly(st.just("ACTING"), st.integers(0, 2)),
    "do": st.sampled_from(
        ["play"] * 6 + ["confirm", "confirm", "undo", "ask", "accept", "contribute"]
    ),
    "token": mostly(
        st.just("LEGAL"),
        st.sampled_from(["Pe", "ab" * 32, "undo", "draw", "pause", "abort", "rematch", "resume"]),
        share=3,
    ),
    "tokens": st.sampled_from([["OWN"], ["OWN", "OTHER"], ["OWN", "OTHER"], []]),
    "line": st.integers(0, 3),
    "ply": st.integers(0, 3),
    "lines": st.lists(st.lists(st.just("LEGAL"), min_size=1, max_size=3), max_size=2),
}
"""Words in capitals stand for what is so in the match that an example is about."""

LAST = 2**53 - 2
"""No echo was asked of this number: its refusal ends what is heard."""

SPOKEN = mostly(
    messages(CommandMessage, LIKELY),
    st.one_of(*(messages(kind, LIKELY) for kind in (*KINDS, ConditionalMovesRequest)), ANYTHING),
    share=3,
)


class Table:
    """A match of an example: a client with both seats sends anything, and another listens."""

    def __init__(self, server: LiveServer, wanted: Json) -> None:
        self.guest = server.create_match(**wanted)
        self.done: set[str] = set()

    def text(self, message: Any) -> str:
        """A message with what is so now."""
        now = self.guest.snapshot()
        meant = {
            "NOW": now["seq"],
            "OWN": self.guest.tokens[0],
            "OTHER": self.guest.tokens[1],
        }
        if now["chance"] and (awaited := now["chance"]["awaited"]):
            meant |= {"ACTING": awaited[0], "LEGAL": "ab" * 32, "play": "contribute"}
        else:
            actions = [action["token"] for action in now["view"]["actions"]] or ["Pw"]
            meant |= {
                "ACTING": now["acting"] or 0,
                "LEGAL": actions[now["seq"] % len(actions)],
            }
        said = json.dumps(message)
        for word, value in meant.items():
            said = said.replace(json.dumps(word), json.dumps(value))
        return said

    def say(self, chair: SocketClient, message: Any) -> None:
        if isinstance(message, dict) and "lines" in message:
            # Conditional moves go over HTTP.
            answer = self.guest.server.http.post(
                f"{self.guest.url}/plan", content=self.text(message), headers=self.guest.headers
            )
            assert answer.status_code == 200 or error_of(answer)[0] < 500, answer.text
            return
        chair.socket.send(self.text(message))

    def hear(self, chair: SocketClient) -> None:
        """Hears what comes in answer to all that was said, or up to the end."""
        said: Json = {}
        while said.get("error", {}).get("params") != {"number": LAST}:
            try:
                said = chair.receive_any()
            except ConnectionClosed:
                break
            assert said["type"] in SAID
            match said["type"]:
                case "done":
                    self.done.add(said["id"])
                case "refused" | "analysis-refused":
                    assert code_of(said["error"]) != "internal"
        # No hello, a token of another match: what ends a conversation is said and documented.
        assert chair.socket.close_code in (None, 4400, 4401, 4422)

    @property
    def logged(self) -> set[str]:
        statement = "SELECT command FROM events WHERE match = :match AND command IS NOT NULL"
        found = rows(self.guest.server.database, statement, match=self.guest.match)
        return {command for (command,) in found}

    def settled(self) -> Json:
        """Return what all viewers see, without the running clock."""
        return self.guest.spectator().snapshot() | {"clock": None}


def play(server: LiveServer, wanted: Json, said: list[Any]) -> Table:
    table = Table(server, wanted)
    with table.guest.only(1).connect() as friend, table.guest.connect() as chair:
        seen = friend.receive_until("snapshot")["snapshot"]
        for message in [*said, {"type": "echo", "number": LAST}]:
            try:
                table.say(chair, message)
            except ConnectionClosed:
                break
        table.hear(chair)
        # Exactly the acknowledged commands count.
        assert table.logged == table.done
        now = table.guest.only(1).snapshot()
        while seen["seq"] < now["seq"]:
            update = friend.receive_until("update")
            assert update["seq"] > seen["seq"]
            seen = update["snapshot"]
        assert seen | {"clock": None} == now | {"clock": None}
    return table


@pytest.mark.long
@pytest.mark.sized
@pytest.mark.parametrize("wanted", MATCHES, ids=["confirm-time", "plain", "chance"])
def test_any_messages_leave_the_match_valid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: Json
) -> None:
    # All tables' people come from one address.
    monkeypatch.setattr(rate_limits, "REQUESTS", rate_limits.Limit(100.0, 1_000_000.0))
    monkeypatch.setattr(rate_limits, "HANDSHAKES", rate_limits.Limit(100.0, 1_000_000.0))
    monkeypatch.setattr(rate_limits, "ALL_MESSAGES", rate_limits.Limit(100.0, 1_000_000.0))
    tables: list[tuple[Table, Json]] = []
    conversations = examples(25)
    with serve(tmp_path) as server:

        @settings(
            max_examples=conversations,
            # A failure is shown as it was found: to make it smaller takes longer than to read it.
            phases=[Phase.explicit, Phase.reuse, Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        )
        @given(said=st.lists(SPOKEN, min_size=8, max_size=20))
        def converse(said: list[Any]) -> None:
            table = play(server, wanted, said)
            tables.append((table, table.settled()))

        converse()
    counted = sum(len(table.done) for table, _ in tables)
    assert counted >= conversations // 5, "hardly anything was played: this test shows nothing"
    with serve(tmp_path) as again:
        for table, before in tables:
            table.guest.server = again
            assert table.settled() == before
