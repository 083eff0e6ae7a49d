"""Promise 5: who comes back sees what they would see had they never been away.

Two players and a spectator lose their connections at any moment, even within a command, and
reconnect. Beside each of them a second client holds the same seats and stays connected.
"""

from __future__ import annotations

import socket
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from websockets.exceptions import ConnectionClosed

from tavola.server.ops import rate_limits
from tests.profiles import sized
from tests.server.live_server import Json, LiveServer, Player, SocketClient, apply_patch, serve

WHO = st.sampled_from([0, 1, 2])


class Seated:
    """A client at the match: 0 and 1 hold a seat, 2 watches."""

    def __init__(self, guest: Player) -> None:
        self.guest = guest
        self.chair: SocketClient | None = None
        self.picture: Json = {}
        self._open = ExitStack()

    def come(self) -> SocketClient:
        self.chair = chair = self._open.enter_context(self.guest.connect(changes=True))
        self.picture = chair.receive_until("snapshot")["snapshot"]
        return chair

    def hear_up_to(self, seq: int) -> None:
        """Takes in updates, of which none is missing and none comes twice."""
        assert self.chair is not None
        while self.picture["seq"] < seq:
            self.take_in(self.chair.receive())

    def take_in(self, message: Json) -> None:
        """Takes in a message, if it is an update, whole or as changes."""
        if message["type"] not in ("update", "change"):
            return
        before = self.picture["seq"]
        if message["type"] == "change":
            self.picture = apply_patch(self.picture, message["changes"])
        else:
            self.picture = message["snapshot"]
        assert message["seq"] == self.picture["seq"] == before + 1

    def cut(self) -> None:
        """Cut the connection without a close frame."""
        assert self.chair is not None
        self.chair.socket.close_timeout = 0.1
        self.chair.socket.socket.shutdown(socket.SHUT_RDWR)
        with suppress(ConnectionClosed, OSError, TimeoutError):
            self._open.close()
        self.chair, self._open = None, ExitStack()


class Cuts(RuleBasedStateMachine):
    server: LiveServer
    all: Player | None = None

    @initialize(confirm=st.booleans())
    def begin(self, confirm: bool) -> None:
        guest = self.server.create_match(confirm=confirm)
        held = [guest.only(0), guest.only(1), guest.spectator()]
        self.all = guest
        self.restless = [Seated(one) for one in held]
        self.steady = [Seated(one) for one in held]
        for one in (*self.restless, *self.steady):
            one.come()
        self.lost: dict[int, Json] = {}

    @property
    def seq(self) -> int:
        assert self.all is not None
        seq: int = self.all.snapshot()["seq"]
        return seq

    @rule(who=WHO)
    def cut(self, who: int) -> None:
        if self.restless[who].chair is not None:
            self.restless[who].cut()

    @rule(who=WHO)
    def come_back(self, who: int) -> None:
        one = self.restless[who]
        if one.chair is not None:
            return
        chair = one.come()
        if (command := self.lost.pop(who, None)) is not None:
            # Whether it had arrived or not: sent again, it counts once.
            chair.send(type="command", **command)
            while (answer := chair.receive())["type"] not in ("done", "refused"):
                one.take_in(answer)
            if answer["type"] == "refused":
                # It had not arrived, and another event came first.
                assert answer["error"]["code"] == "stale"

    def command(self, choice: int) -> tuple[int, Json] | None:
        assert self.all is not None
        now = self.all.snapshot()
        seat = now["acting"]
        if seat is None or now["status"] == "over":
            return None
        now = self.all.only(seat).snapshot()
        if now["acting"] != seat:
            return None  # A command that was lost on its way has arrived meanwhile.
        command: Json = {"id": str(uuid.uuid4()), "seq": now["seq"], "seat": seat}
        if now["status"] == "confirming":
            return seat, command | {"do": "confirm"}
        if choice % 7 == 0 and now["can"]["undo"]:
            return seat, command | {"do": "undo"}
        actions = now["view"]["actions"]
        return seat, command | {"do": "play", "token": actions[choice % len(actions)]["token"]}

    @rule(choice=st.integers(0, 1000))
    def act(self, choice: int) -> None:
        """The seat to act acts over its socket, or if it has none, its steady neighbour does."""
        if self.lost or (decided := self.command(choice)) is None:
            return
        seat, command = decided
        one = self.restless[seat]
        chair = (one if one.chair is not None else self.steady[seat]).chair
        assert chair is not None
        chair.send(type="command", **command)
        self.settle(command["seq"] + 1)

    @rule(choice=st.integers(0, 1000))
    def act_and_be_cut(self, choice: int) -> None:
        """The connection breaks after the command was sent and before it was answered."""
        if (decided := self.command(choice)) is None:
            return
        seat, command = decided
        one = self.restless[seat]
        if one.chair is None or seat in self.lost:
            return
        one.chair.send(type="command", **command)
        one.cut()
        self.lost[seat] = command

    def settle(self, seq: int) -> None:
        for one in self.steady:
            one.hear_up_to(seq)

    @precondition(lambda self: self.all is not None)
    @invariant()
    def those_who_are_here_see_the_same_as_those_who_stayed(self) -> None:
        if self.lost:
            return  # Its command may be on its way.
        seq = self.seq
        self.settle(seq)
        for one, neighbour in zip(self.restless, self.steady, strict=True):
            if one.chair is not None:
                one.hear_up_to(seq)
                assert one.picture == neighbour.picture

    def teardown(self) -> None:
        if self.all is None:
            return
        for who in range(3):
            self.come_back(who)
        seq = self.seq
        for one, neighbour in zip(self.restless, self.steady, strict=True):
            for somebody in (one, neighbour):
                somebody.hear_up_to(seq)
            assert one.picture == neighbour.picture == one.guest.snapshot()
            one.cut()
            neighbour.cut()


@contextmanager
def running() -> Iterator[LiveServer]:
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as server:
        yield server


@pytest.mark.long
@pytest.mark.sized
@pytest.mark.timeout(7200)
def test_a_reconnected_viewer_sees_what_the_others_see(monkeypatch: pytest.MonkeyPatch) -> None:
    # All clients share one address, and read every snapshot twice.
    monkeypatch.setattr(rate_limits, "REQUESTS", rate_limits.Limit(100.0, 10_000_000.0))
    monkeypatch.setattr(rate_limits, "HANDSHAKES", rate_limits.Limit(100.0, 10_000_000.0))
    monkeypatch.setattr(rate_limits, "ALL_MESSAGES", rate_limits.Limit(100.0, 10_000_000.0))
    with running() as server:
        Cuts.server = server
        machine: Any = Cuts.TestCase
        machine.settings = settings(
            max_examples=sized(8, 20, 1000),
            stateful_step_count=25,
            # A failure is shown as it was found: to make it smaller takes longer than to read it.
            phases=[Phase.explicit, Phase.reuse, Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        )
        machine().runTest()
