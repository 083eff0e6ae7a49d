"""A server for tests: the real application behind a real uvicorn, in a thread; its clients."""

from __future__ import annotations

import json
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from tavola.cli.serve import KEEP_ALIVE_SECONDS
from tavola.language import LANGUAGES
from tavola.server.app import build
from tavola.server.http.read_timeouts import ReadTimeoutProtocol
from tavola.server.http.websocket_protocol import WebSocketProtocol
from tavola.server.ops.rate_limits import MAX_BODY_BYTES
from tavola.server.schema.errors import message_for
from tavola.server.settings import Settings
from tavola.server.storage.database import Database
from tests.server.databases import migrated_url_of

Json = dict[str, Any]

PATIENCE = 60
"""After how many seconds what has not come will not come, on a machine with much else to do."""

PERSON = {"kind": "person"}
ENGINE = {"kind": "engine", "seconds": 0.02}
HOT_SEAT = [PERSON, PERSON]

SHORTEST = [["Pnw", "Pw"], ["Pne", "Pe"], ["Pse", "Pse"], ["Cw"]]
"""A game's turns: Blue walls itself in, and Red has won."""


class LiveServer:
    """A running server."""

    def __init__(self, address: str, database: str, client: str | None = None) -> None:
        self.address = address
        self.database = database
        self.headers = {} if client is None else {"x-forwarded-for": client}
        self.http = httpx.Client(base_url=address, timeout=PATIENCE, headers=self.headers)
        self._elsewhere: list[LiveServer] = []

    def from_client(self, client: str) -> LiveServer:
        """Return the same server as seen from another address, as behind a proxy."""
        self._elsewhere.append(LiveServer(self.address, self.database, client))
        return self._elsewhere[-1]

    def close(self) -> None:
        for one in (self, *self._elsewhere):
            one.http.close()

    def create_match(self, *, seats: list[Any] = HOT_SEAT, **more: Any) -> Player:
        wanted = {"game": "potlatch", "seats": seats, "confirm": False} | more
        answer = self.http.post("/api/matches", json=wanted)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        return Player(self, made["match"], [token for token in made["tokens"] if token])


class Player:
    """A client of one match, with some of its tokens."""

    def __init__(self, server: LiveServer, match: str, tokens: list[str]) -> None:
        self.server = server
        self.match = match
        self.tokens = tokens

    @property
    def url(self) -> str:
        return f"/api/matches/{self.match}"

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {','.join(self.tokens)}"} if self.tokens else {}

    def only(self, seat: int) -> Player:
        return Player(self.server, self.match, [self.tokens[seat]])

    def spectator(self) -> Player:
        return Player(self.server, self.match, [])

    def snapshot(self) -> Json:
        answer = self.server.http.get(self.url, headers=self.headers)
        assert answer.status_code == 200, answer.text
        snapshot: Json = answer.json()
        return snapshot

    def request(self, do: str, *, language: str = "en", **command: Any) -> httpx.Response:
        """Sends a command; what is not given is as the snapshot has it."""
        if not {"seq", "seat"} <= set(command):
            now = self.snapshot()
            acting = 0 if now["acting"] is None else now["acting"]
            command = {"seq": now["seq"], "seat": acting} | command
        command = {"id": str(uuid.uuid4()), "do": do} | command
        headers = self.headers | {"accept-language": language}
        return self.server.http.post(f"{self.url}/commands", json=command, headers=headers)

    def do(self, do: str, **command: Any) -> Json:
        answer = self.request(do, **command)
        assert answer.status_code == 200, answer.text
        snapshot: Json = answer.json()["snapshot"]
        return snapshot

    def play(self, *tokens: str) -> Json:
        for token in tokens:
            snapshot = self.do("play", token=token)
        return snapshot

    @contextmanager
    def connect(self, **hello: Any) -> Iterator[SocketClient]:
        with self.open_socket() as opened:
            chair = SocketClient(opened)
            chair.send(type="hello", tokens=self.tokens, **hello)
            yield chair

    def open_socket(self, **more: Any) -> ClientConnection:
        address = self.server.address.replace("http", "ws", 1)
        patient: dict[str, Any] = {"open_timeout": PATIENCE, "ping_timeout": PATIENCE}
        patient["additional_headers"] = self.server.headers
        opened: ClientConnection = connect(
            f"{address}{self.url}/socket", compression=None, **patient | more
        )
        return opened


class SocketClient:
    """An open socket."""

    def __init__(self, opened: ClientConnection) -> None:
        self.socket = opened

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, timeout: float = PATIENCE) -> Json:
        """Return the messages about the match: not presence, nor latency."""
        while (message := self.receive_any(timeout))["type"] in ("presence", "echo"):
            pass
        return message

    def receive_any(self, timeout: float = PATIENCE) -> Json:
        message: Json = json.loads(self.socket.recv(timeout=timeout))
        return message

    def receive_until(self, kind: str) -> Json:
        while (message := self.receive_any())["type"] != kind:
            pass
        return message


def wait_until(happened: Callable[[], bool], why: str = "it does not happen") -> None:
    """Looks again and again, as long as it may take on a machine with much else to do."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, why
        time.sleep(0.02)


def apply_patch(before: Any, change: Any) -> Any:
    """Return the value after a change, as docs/reference/server-api.md defines changes."""
    if isinstance(change, list):
        return change[0]
    if isinstance(before, dict):
        return before | {name: apply_patch(before.get(name), part) for name, part in change.items()}
    after = before[: change.get("length", len(before))]
    after += [None] * (change.get("length", len(before)) - len(after))
    for place, part in change.items():
        if place != "length":
            after[int(place)] = apply_patch(after[int(place)], part)
    return after


def error_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, code_of(answer.json())


def code_of(error: Json) -> str:
    """The code of a refusal, which says everything that its words say."""
    assert set(error) <= {"code", "params", "message", "refusal"}, error
    code: str = error["code"]
    params: Json = error["params"]
    if code == "invalid":
        # Whatever the library that reads requests finds wrong, we have words for it.
        assert params["fault"] != "other", error
    said = tuple(message_for(code, params, language) for language in LANGUAGES)
    assert "refusal" in error or error["message"].startswith(said), error
    return code


@contextmanager
def serve(folder: Path, **chosen: Any) -> Iterator[LiveServer]:
    """A server on a database in a folder, until the end of the block."""
    database = migrated_url_of(folder / "tavola.db")
    default: dict[str, Any] = {"database": database, "client": folder / "no-client"}
    settings = Settings(**default | chosen)
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        build(settings, Database(database)),
        lifespan="on",
        http=ReadTimeoutProtocol,
        ws=WebSocketProtocol,
        ws_max_size=MAX_BODY_BYTES,
        ws_per_message_deflate=False,
        log_level="error",
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=2,
    )
    uvicorn_server = uvicorn.Server(config)
    thread = threading.Thread(target=uvicorn_server.run, args=([listening],))
    thread.start()
    while not uvicorn_server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.01)
    server = LiveServer(f"http://127.0.0.1:{listening.getsockname()[1]}", database)
    try:
        yield server
    finally:
        server.close()
        uvicorn_server.should_exit = True
        thread.join(PATIENCE)
        listening.close()
        assert not thread.is_alive(), "the server did not stop"
