"""A bot: takes a seat of a match by a link and plays random actions, or those of an engine.

    python bot.py 'https://games.example/match/ID#take=SEAT.INVITATION'
    python bot.py 'https://games.example/match/ID#take=SEAT.INVITATION' python:agents.py:Greedy
    python bot.py https://games.example MATCH TOKEN python:agents.py:Greedy

The last form plays a seat that you hold already. Quote a link: `#` begins a comment in a shell.

It needs only Python. Put your own strategy into `choose`. With an engine it needs Tavola.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import random
import re
import secrets
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]

Strategy = Callable[[Json], str]
"""Returns the token of the action to play, from a snapshot."""

LATER = ("engines-busy", "too-fast", "storage", "apart")
"""The error codes after which the bot sends the same command again a second later."""


def choose(snapshot: Json) -> str:
    """Returns the token of a random action. The `view` of a snapshot lists the legal actions."""
    action: Json = random.choice(snapshot["view"]["actions"])
    token: str = action["token"]
    return token


class EngineStrategy:
    """The strategy of an engine of Tavola, for one match.

    Args:
        text: The engine, such as `level:3` or `python:agents.py:Greedy`.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._engine: Any = None

    def __call__(self, snapshot: Json) -> str:
        """Returns the token of the action that the engine chooses."""
        import tavola

        game = tavola.load(snapshot["game"], **snapshot["options"])
        state = game.start()
        for entry in snapshot["log"]:
            state = state.play(entry["token"])
        try:
            if self._engine is None:
                self._engine = tavola.engine(self._text, game)
                self._engine.new_game(random.getrandbits(32))
            token: str = self._engine.choose(state).token
        except (tavola.EngineError, tavola.EngineFailed) as error:
            self.close()
            raise SystemExit(str(error)) from None
        return token

    def close(self) -> None:
        """Ends the process of an agent."""
        if self._engine is not None:
            self._engine.close()


def snapshot_of(line: bytes) -> Json:
    """Returns the snapshot of a line of the stream."""
    try:
        snapshot: Json = json.loads(line)["snapshot"]
        return snapshot
    except (ValueError, KeyError, TypeError):
        raise SystemExit("The address does not belong to a Tavola server.") from None


def error_of(response: urllib.error.HTTPError) -> Json:
    """Returns the `code` and `message` of a response with an error.

    A proxy or another server may answer with a page that is not the JSON of Tavola.
    """
    try:
        error: Json = json.load(response)
        return {"code": error["code"], "message": error["message"]}
    except (ValueError, KeyError, TypeError):
        message = f"{response.url} answered {response.code} {response.reason}, not as Tavola does."
        return {"code": "not-tavola", "message": f"{message} Check the address."}


class Bot:
    """A player of one seat.

    Args:
        address: The address of the server.
        match: The id of the match.
        token: The secret token of the seat.
        strategy: Chooses the actions.
    """

    def __init__(self, address: str, match: str, token: str, strategy: Strategy = choose) -> None:
        self._strategy = strategy
        self._match = f"{address}/api/matches/{match}"
        self._headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}

    def play(self) -> Json:
        """Plays the match to its end.

        Returns:
            The result of the match.
        """
        while True:
            try:
                # The stream ends with the match. If it ends earlier, the server was stopped.
                if result := self._follow():
                    return result
            except urllib.error.HTTPError as response:
                if response.code < 500:
                    raise SystemExit(error_of(response)["message"]) from None
            except (OSError, http.client.HTTPException):
                pass  # The server or the network is down.
            # Reconnect: the server has stored everything.
            time.sleep(1)

    def _follow(self) -> Json | None:
        """Plays until the stream of the match ends.

        Returns:
            The result of the match, or None if it is not over.
        """
        with urllib.request.urlopen(self._ask("/stream"), timeout=60) as lines:
            for line in lines:
                if not line.strip():
                    continue  # an empty line only keeps the connection open
                snapshot = snapshot_of(line)
                if snapshot["status"] == "over":
                    result: Json = snapshot["result"]
                    return result
                self._act(snapshot)
        return None

    def _act(self, snapshot: Json) -> None:
        """Acts if it is the turn of the bot."""
        mine = [seat["seat"] for seat in snapshot["seats"] if seat["yours"]]
        awaited = [seat for seat in (snapshot["chance"] or {}).get("awaited", ()) if seat in mine]
        if not awaited and (snapshot["acting"] not in mine or snapshot["paused"]):
            return
        # The server counts an id once, even if a client sends it again after a lost response.
        command: Json = {
            "id": str(uuid.uuid4()),
            "seq": snapshot["seq"],
            "seat": awaited[0] if awaited else snapshot["acting"],
        }
        if awaited:
            # Every seat contributes to the random seed before the first draw.
            command |= {"do": "contribute", "token": secrets.token_hex(32)}
        elif snapshot["status"] == "confirming":
            command["do"] = "confirm"
        else:
            command |= {"do": "play", "token": self._strategy(snapshot)}
        while (error := self._send(command)) and error["code"] in LATER:
            time.sleep(1)
        # After "stale" the stream sends the newer state.
        if error and error["code"] not in ("stale", "not-awaited"):
            raise SystemExit(error["message"])

    def _send(self, command: Json) -> Json | None:
        """Sends a command.

        Returns:
            The error of the server, or None if it accepted the command.
        """
        try:
            with urllib.request.urlopen(self._ask("/commands", command), timeout=60):
                return None
        except urllib.error.HTTPError as response:
            with response:
                return error_of(response)

    def _ask(self, path: str, body: Json | None = None) -> urllib.request.Request:
        data = None if body is None else json.dumps(body).encode()
        return urllib.request.Request(self._match + path, data, self._headers)


LINK = re.compile(r"(https?://.+)/match/([\w-]+)#take=(\d+)\.([\w-]+)")


def take_seat(link: str) -> tuple[str, str, str]:
    """Takes the seat of an invitation.

    Returns:
        The address of the server, the id of the match, the token of the seat.
    """
    found = LINK.fullmatch(link)
    if found is None:
        raise SystemExit(
            f"{link}: expected a link to a seat, ADDRESS/match/ID#take=SEAT.INVITATION"
        )
    address, match, _, invitation = found.groups()
    # Made from the invitation, so that a bot that starts again holds the same seat.
    digest = hashlib.sha256(f"bot {invitation}".encode()).digest()
    token = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    body = json.dumps({"invitation": invitation, "token": token, "name": "Bot"}).encode()
    request = urllib.request.Request(
        f"{address}/api/matches/{match}/seats", body, {"content-type": "application/json"}
    )
    try:
        urllib.request.urlopen(request, timeout=60).close()
    except urllib.error.HTTPError as response:
        raise SystemExit(error_of(response)["message"]) from None
    except OSError as error:
        raise SystemExit(f"{address} does not answer: {error}") from None
    return address, match, token


def main(arguments: list[str]) -> None:
    """Plays a match and prints its result."""
    if len(arguments) in (1, 2):
        seat, engine = take_seat(arguments[0]), arguments[1:]
    elif len(arguments) in (3, 4):
        address, match, token, *engine = arguments
        seat = address, match, token
    else:
        sys.exit("Expected: bot.py LINK [ENGINE], or bot.py ADDRESS MATCH TOKEN [ENGINE]")
    if not engine:
        print(json.dumps(Bot(*seat).play()))
        return
    strategy = EngineStrategy(engine[0])
    print(json.dumps(Bot(*seat, strategy).play()))
    strategy.close()


if __name__ == "__main__":
    main(sys.argv[1:])
