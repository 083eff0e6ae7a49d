"""A bot that takes a seat of a match by its token, and plays at random.

    python bot.py https://games.example MATCH TOKEN

It needs nothing but Python. Replace `choose` with your own decision.
"""

from __future__ import annotations

import http.client
import json
import random
import secrets
import sys
import time
import urllib.error
import urllib.request
import uuid
from typing import Any

Json = dict[str, Any]

LATER = ("engines-busy", "too-fast", "storage", "apart")
"""Errors after which the bot tries again in a moment."""


def choose(view: Json) -> str:
    """Return the token of the action to play; `web/schema/view.schema.json` describes `view`."""
    action: Json = random.choice(view["actions"])
    token: str = action["token"]
    return token


class Bot:
    """A player of a match.

    Args:
        address: The address of the server.
        match: The match.
        token: The secret of the seat.
    """

    def __init__(self, address: str, match: str, token: str) -> None:
        self._match = f"{address}/api/matches/{match}"
        self._headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}

    def play(self) -> Json:
        """Play the match to its end.

        Returns:
            The result.
        """
        while True:
            try:
                # The stream ends with the match, or earlier if the server stops.
                if result := self._follow():
                    return result
            except urllib.error.HTTPError as refused:
                if refused.code < 500:
                    raise SystemExit(json.load(refused)["message"]) from None
            except (OSError, http.client.HTTPException):
                pass  # The server or the network is down.
            # Reconnect: nothing is lost.
            time.sleep(1)

    def _follow(self) -> Json | None:
        """Play as long as the stream lasts.

        Returns:
            The result, if the match is over.
        """
        with urllib.request.urlopen(self._ask("/stream"), timeout=60) as lines:
            for line in lines:
                if not line.strip():
                    continue  # The server keeps the connection open.
                snapshot: Json = json.loads(line)["snapshot"]
                if snapshot["status"] == "over":
                    result: Json = snapshot["result"]
                    return result
                self._act(snapshot)
        return None

    def _act(self, snapshot: Json) -> None:
        """Send the command that is due, if any."""
        mine = [seat["seat"] for seat in snapshot["seats"] if seat["yours"]]
        awaited = [seat for seat in (snapshot["chance"] or {}).get("awaited", ()) if seat in mine]
        if not awaited and (snapshot["acting"] not in mine or snapshot["paused"]):
            return
        # A command with the same id, sent again after a lost answer, counts once.
        command: Json = {
            "id": str(uuid.uuid4()),
            "seq": snapshot["seq"],
            "seat": awaited[0] if awaited else snapshot["acting"],
        }
        if awaited:
            # Chance waits until every seat has contributed.
            command |= {"do": "contribute", "token": secrets.token_hex(32)}
        elif snapshot["status"] == "confirming":
            command["do"] = "confirm"
        else:
            command |= {"do": "play", "token": choose(snapshot["view"])}
        while (error := self._refusal(command)) and error["code"] in LATER:
            time.sleep(1)
        # After these errors the match has continued, and the stream has the update.
        if error and error["code"] not in ("stale", "not-awaited"):
            raise SystemExit(error["message"])

    def _refusal(self, command: Json) -> Json | None:
        """Send a command, and return the error if the server rejects it."""
        try:
            with urllib.request.urlopen(self._ask("/commands", command), timeout=60):
                return None
        except urllib.error.HTTPError as refused:
            with refused:
                error: Json = json.load(refused)
            return error

    def _ask(self, path: str, body: Json | None = None) -> urllib.request.Request:
        data = None if body is None else json.dumps(body).encode()
        return urllib.request.Request(self._match + path, data, self._headers)


if __name__ == "__main__":
    print(json.dumps(Bot(*sys.argv[1:4]).play()))
