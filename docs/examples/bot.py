"""A bot: takes a seat of a match by its token, and plays at random.

    python bot.py https://games.example MATCH TOKEN

It needs nothing but Python. `choose` is where thinking would go.
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
"""Refusals of what can be done in a moment: when one of our matches' engines has acted, say."""


def choose(view: Json) -> str:
    """The token of the action to play; `view` is as `web/schema/view.schema.json` says."""
    action: Json = random.choice(view["actions"])
    token: str = action["token"]
    return token


class Bot:
    """Somebody at a match.

    Args:
        address: The server's.
        match: The match.
        token: The secret of the seat.
    """

    def __init__(self, address: str, match: str, token: str) -> None:
        self._match = f"{address}/api/matches/{match}"
        self._headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}

    def play(self) -> Json:
        """Plays the match to its end.

        Returns:
            Its result.
        """
        while True:
            try:
                # The stream ends with the match. If it ends before, the server was stopped.
                if result := self._follow():
                    return result
            except urllib.error.HTTPError as refused:
                if refused.code < 500:
                    raise SystemExit(json.load(refused)["message"]) from None
            except (OSError, http.client.HTTPException):
                pass  # It is gone, or the network is.
            # Come back: nothing is lost.
            time.sleep(1)

    def _follow(self) -> Json | None:
        """Plays as long as the server tells how the match goes on.

        Returns:
            Its result, if it has come to its end.
        """
        with urllib.request.urlopen(self._ask("/stream"), timeout=60) as lines:
            for line in lines:
                if not line.strip():
                    continue  # The server asks whether anybody is there.
                snapshot: Json = json.loads(line)["snapshot"]
                if snapshot["status"] == "over":
                    result: Json = snapshot["result"]
                    return result
                self._act(snapshot)
        return None

    def _act(self, snapshot: Json) -> None:
        """Does what is to be done, if anything is."""
        mine = [seat["seat"] for seat in snapshot["seats"] if seat["yours"]]
        awaited = [seat for seat in (snapshot["chance"] or {}).get("awaited", ()) if seat in mine]
        if not awaited and (snapshot["acting"] not in mine or snapshot["paused"]):
            return
        # The same id, sent again after a lost answer, would count once.
        command: Json = {
            "id": str(uuid.uuid4()),
            "seq": snapshot["seq"],
            "seat": awaited[0] if awaited else snapshot["acting"],
        }
        if awaited:
            # Nothing is drawn before every seat has mixed in something random.
            command |= {"do": "contribute", "token": secrets.token_hex(32)}
        elif snapshot["status"] == "confirming":
            command["do"] = "confirm"
        else:
            command |= {"do": "play", "token": choose(snapshot["view"])}
        while (error := self._refusal(command)) and error["code"] in LATER:
            time.sleep(1)
        # The match has gone on, and the stream tells how.
        if error and error["code"] not in ("stale", "not-awaited"):
            raise SystemExit(error["message"])

    def _refusal(self, command: Json) -> Json | None:
        """Sends a command; says why it was refused, if it was."""
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
