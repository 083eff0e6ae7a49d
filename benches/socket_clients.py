"""The socket protocols of Tavola and boardgame.io, for `benches.load_generator`."""

from __future__ import annotations

import json
from typing import Any, Literal

import msgspec

from benches.load_generator import Address, Client, Position

# The messages of Tavola.


class _Action(msgspec.Struct):
    token: str


class _View(msgspec.Struct):
    actions: list[_Action] = []


class _Snapshot(msgspec.Struct):
    seq: int
    status: Literal["playing", "confirming", "over"]
    acting: int | None
    view: _View


class _Whole(msgspec.Struct):
    snapshot: _Snapshot


class _ViewChanges(msgspec.Struct):
    actions: tuple[list[_Action]] | dict[str, msgspec.Raw] | None = None


class _Changes(msgspec.Struct):
    seq: tuple[int]
    status: tuple[Literal["playing", "confirming", "over"]] | None = None
    acting: tuple[int | None] | None = None
    view: _ViewChanges | None = None


class _Change(msgspec.Struct):
    changes: _Changes


class _ActionChanges(msgspec.Struct):
    token: tuple[str] | None = None


_read_whole = msgspec.json.Decoder(_Whole).decode
_read_change = msgspec.json.Decoder(_Change).decode
_read_action = msgspec.json.Decoder(tuple[_Action] | _ActionChanges).decode


def _patched(actions: list[_Action], changes: dict[str, msgspec.Raw]) -> list[_Action]:
    """Applies a diff to a list of actions."""
    length = msgspec.json.decode(changes.pop("length", msgspec.Raw(b"%d" % len(actions))))
    mended = actions[:length] + [_Action("")] * (length - len(actions))
    for place, change in changes.items():
        match _read_action(change):
            case (action,):
                mended[int(place)] = action
            case _ActionChanges(token=(token,)):
                mended[int(place)] = _Action(token)
    return mended


class TavolaClient(Client):
    """The client of a match of Tavola.

    Args:
        address: The server.
        game: What is played, with its options as they are by default.
        seats: By how many.
    """

    def __init__(self, address: Address, *, game: str, seats: int) -> None:
        wanted = {"game": game, "confirm": False, "seats": [{"kind": "person"}] * seats}
        made = address.post("/api/matches", wanted)
        self.begin(f"/api/matches/{made['match']}/socket", made["tokens"])

    def begin(self, path: str, tokens: list[str]) -> None:
        """Begins a match at the path of its socket, with the tokens of its seats."""
        self.path = path
        self._tokens = tokens
        self._sent = 0
        self._shown: dict[int, _Snapshot] = {}

    def opening(self, seat: int) -> list[str]:
        """Hello."""
        return [json.dumps({"type": "hello", "tokens": [self._tokens[seat]], "changes": True})]

    def reply(self, message: bytes, seat: int) -> str | None:
        """Returns None; a rejection is an error of the load generator."""
        if message.startswith(b'{"type":"refused"'):
            raise RuntimeError(message.decode())
        return None

    def acknowledges(self, message: bytes, seat: int) -> bool:
        """`done`."""
        return message.startswith(b'{"type":"done"')

    def read(self, message: bytes, seat: int) -> Position | None:
        """A snapshot, an update or a change."""
        if message.startswith(b'{"type":"change"'):
            shown = self._changed(seat, _read_change(message).changes)
        elif message.startswith((b'{"type":"snapshot"', b'{"type":"update"')):
            shown = _read_whole(message).snapshot
        else:
            return None
        self._shown[seat] = shown
        return Position(shown.acting, shown.seq, shown.view.actions, shown.status == "over")

    def _changed(self, seat: int, changes: _Changes) -> _Snapshot:
        shown = self._shown[seat]
        (shown.seq,) = changes.seq
        if changes.status is not None:
            (shown.status,) = changes.status
        if changes.acting is not None:
            (shown.acting,) = changes.acting
        match changes.view:
            case _ViewChanges(actions=(actions,)):
                shown.view.actions = actions
            case _ViewChanges(actions=dict() as mended):
                shown.view.actions = _patched(shown.view.actions, mended)
        return shown

    def act(self, position: Position, action: Any, seat: int) -> str:
        """`play`."""
        self._sent += 1
        return (
            f'{{"type":"command","id":"{self._sent}","seq":{position.number},"seat":{seat},'
            f'"do":"play","token":{json.dumps(action.token)}}}'
        )


# The messages of boardgame.io: engine.io 4, socket.io 5, and its own.

GAME = "five-in-a-row"


class _Cells(msgspec.Struct):
    cells: list[str | None]


class _Context(msgspec.Struct):
    currentPlayer: str  # noqa: N815 (its name)
    gameover: Any = None


class _Stored(msgspec.Struct):
    G: _Cells
    ctx: _Context
    number: int = msgspec.field(name="_stateID")


class _Synced(msgspec.Struct):
    state: _Stored


_read_update = msgspec.json.Decoder(tuple[str, str, _Stored, msgspec.Raw]).decode
_read_sync = msgspec.json.Decoder(tuple[str, str, _Synced]).decode


class BoardgameClient(Client):
    """The client of a match of boardgame.io.

    Args:
        address: The server.
    """

    def __init__(self, address: Address) -> None:
        self._match = address.post(f"/games/{GAME}/create", {"numPlayers": 2})["matchID"]
        self.path = "/socket.io/?EIO=4&transport=websocket"
        self._secrets = [
            address.post(
                f"/games/{GAME}/{self._match}/join", {"playerID": str(seat), "playerName": "p"}
            )["playerCredentials"]
            for seat in range(2)
        ]
        self._waits: set[int] = set()

    def opening(self, seat: int) -> list[str]:
        """Nothing: the server begins."""
        return []

    def reply(self, message: bytes, seat: int) -> str | None:
        """To the server's opening, to its welcome, and to its pings."""
        match message[:1]:
            case b"0":
                return f"40/{GAME},"
            case b"2":
                return "3"
        if message.startswith(b"40"):
            wanted = ["sync", self._match, str(seat), self._secrets[seat], 2]
            return f"42/{GAME},{json.dumps(wanted)}"
        return None

    def acknowledges(self, message: bytes, seat: int) -> bool:
        """The update that follows one's own move; there is no other sign."""
        if seat in self._waits and b'["update"' in message[:40]:
            self._waits.discard(seat)
            return True
        return False

    def read(self, message: bytes, seat: int) -> Position | None:
        """A sync or an update."""
        head = message[:40]
        at = message.find(b"[")
        if b'["update"' in head:
            state = _read_update(message[at:])[2]
        elif b'["sync"' in head:
            state = _read_sync(message[at:])[2].state
        else:
            return None
        free = [number for number, owner in enumerate(state.G.cells) if owner is None]
        over = state.ctx.gameover is not None
        return Position(None if over else int(state.ctx.currentPlayer), state.number, free, over)

    def act(self, position: Position, action: Any, seat: int) -> str:
        """`place`."""
        self._waits.add(seat)
        move = {
            "type": "MAKE_MOVE",
            "payload": {
                "type": "place",
                "args": [action],
                "playerID": str(seat),
                "credentials": self._secrets[seat],
            },
        }
        wanted = ["update", move, position.number, self._match, str(seat)]
        return f"42/{GAME},{json.dumps(wanted)}"
