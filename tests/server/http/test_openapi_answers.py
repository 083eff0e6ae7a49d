"""Every request of the OpenAPI document is answered as the document says, by a whole server."""

from __future__ import annotations

import secrets
import uuid
from pathlib import Path
from typing import Any

import pytest
import schemathesis

from tests.server.databases import change
from tests.server.live_server import HOT_SEAT, PERSON, SHORTEST, Json, LiveServer, Player, serve
from tests.server.players import PASSWORD

LINK = {"kind": "link"}

STREAMS = {("GET", "/api/matches/{match}/stream"), ("GET", "/api/account/stream")}
"""Their lines are tested where streams are."""


class Client:
    """Asks, compares each answer with the document, and notes what was asked."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        url = f"{server.address}/api/schema/openapi.json"
        self.document: Json = server.http.get(url).json()
        self._schema: Any = schemathesis.openapi.from_dict(self.document)
        self.asked: set[tuple[str, str]] = set()

    @property
    def described(self) -> set[tuple[str, str]]:
        """The requests of the document, without web sockets."""
        return {
            (method.upper(), path)
            for path, item in self.document["paths"].items()
            for method, operation in item.items()
            if "101" not in operation["responses"]
        }

    def ask(
        self, method: str, path: str, *, status: int = 200, query: Any = None, **more: Any
    ) -> Any:
        """Ask, and return the JSON of the answer.

        Args:
            method: GET, POST or DELETE.
            path: A path as in the document.
            status: The expected one.
            query: Of the URL.
            **more: `json` and `headers` of the request, and the parameters of the path.
        """
        request = {name: more.pop(name) for name in ("json", "headers") if name in more}
        answer = self.server.http.request(method, path.format(**more), params=query, **request)
        # The next request is another client's, unless it names its session.
        self.server.http.cookies.clear()
        assert answer.status_code == status, (path, answer.text)
        self.asked.add((method, path))
        described = self.document["paths"][path][method.lower()]["responses"][str(status)]
        if (content := described.get("content")) is None:
            if "$ref" not in described:
                assert answer.content == b"", path
        else:
            kinds = [kind.split(";")[0] for kind in content]
            assert answer.headers["content-type"].split(";")[0] in kinds, path
        self._schema[path][method].validate_response(answer)
        if answer.headers.get("content-type") == "application/json":
            return answer.json()
        return None


def secret() -> str:
    return secrets.token_urlsafe(32)


@pytest.mark.long
def test_every_request_is_answered_as_described(tmp_path: Path) -> None:
    with serve(tmp_path, push=True, webhooks=True, private_webhooks=True) as server:
        client = Client(server)
        games(client)
        matches(client)
        seats(client)
        tournaments(client)
        accounts(client)
        people(client)
        assert client.described - client.asked == STREAMS
        assert client.asked <= client.described


def games(client: Client) -> None:
    ask = client.ask
    for path in ("/healthz", "/readyz", "/api/games", "/api/agents", "/api/lessons"):
        ask("GET", path)
    etag = client.server.http.get("/api/games").headers["etag"]
    ask("GET", "/api/games", status=304, headers={"if-none-match": etag})
    place = "/api/games/{game}"
    known = ("", "/lessons", "/puzzles", "/cover", "/explorer", "/archive", "/ratings")
    for path in (*known, "/picture.svg", "/picture.png", "/card.png"):
        ask("GET", place + path, game="potlatch")
    ask("GET", f"{place}/preview", query={"actions": "3"}, game="potlatch")
    ask("GET", f"{place}/preview", query={"x": "3"}, status=422, game="potlatch")
    ask("GET", f"{place}/rules/{{language}}", game="potlatch", language="ja")
    engines = ask("GET", f"{place}/archive", query={"source": "engines"}, game="potlatch")
    number = engines["games"][0]["id"]
    ask("GET", f"{place}/archive/{{number}}/record", game="potlatch", number=number)
    lessons = ask("GET", "/api/lessons")[0]
    step = {"game": lessons["game"], "lesson": lessons["lessons"][0]["id"], "step": 0}
    path = f"{place}/lessons/{{lesson}}/{{step}}"
    token = ask("GET", path, **step)["view"]["actions"][0]["token"]
    ask("GET", f"{path}/explain", **step)
    ask("GET", f"{path}/prospect", query={"token": token}, **step)
    puzzles = ask("GET", "/api/puzzles")[0]
    puzzle = {"game": puzzles["game"], "puzzle": puzzles["puzzles"][0]["id"]}
    for path in ("", "/card.png"):
        ask("GET", f"{place}/puzzles/{{puzzle}}{path}", **puzzle)


def matches(client: Client) -> None:
    player = client.server.create_match()
    place = "/api/matches/{match}"
    mine: Json = {"match": player.match, "headers": player.headers}
    seen = client.ask("GET", place, **mine)
    for path in ("standing", "explain", "proof", "hint", "chat", "record", "picture.svg"):
        client.ask("GET", f"{place}/{path}", **mine)
    effect = {"seq": seen["seq"], "token": "Pnw"}
    client.ask("GET", f"{place}/prospect", query=effect, **mine)
    plan = client.ask("GET", f"{place}/conditional-moves", query={"seat": 1}, **mine)
    saved = {"seat": 1, "seq": plan["seq"], "version": plan["version"], "lines": []}
    client.ask("POST", f"{place}/conditional-moves", json=saved, **mine)
    client.ask("POST", f"{place}/chat", status=204, json={"seat": 0, "text": "hello"}, **mine)
    command = {"id": str(uuid.uuid4()), "seq": seen["seq"], "seat": 0, "do": "play", "token": "Pnw"}
    client.ask("POST", f"{place}/commands", json=command, **mine)
    again = command | {"id": str(uuid.uuid4())}
    client.ask("POST", f"{place}/commands", status=409, json=again, **mine)
    player.play("Pw")
    for turn in SHORTEST[1:]:
        player.play(*turn)
    client.ask("GET", f"{place}/positions/{{ply}}", ply=1, **mine)
    client.ask("GET", f"{place}/why-not", query={"ply": 0, "token": "Pnw"}, **mine)
    for path in ("picture.png", "replay.gif", "replay.html", "card.png", "shared", "ratings"):
        client.ask("GET", f"{place}/{path}", **mine)
    chance = client.server.create_match(game="passtally")
    chance.do("resign", seat=0)
    client.ask("GET", f"{place}/draws", match=chance.match)
    client.ask("GET", place, status=404, match="none")


def seats(client: Client) -> None:
    offer = {"game": "potlatch", "seats": [PERSON, LINK], "lobby": True}
    made = [client.ask("POST", "/api/matches", status=201, json=offer) for _ in range(2)]
    assert len(client.ask("GET", "/api/lobby")) == 2
    taken = {"token": secret(), "name": "Bob", "invitation": made[0]["invitations"][1]}
    client.ask("POST", "/api/matches/{match}/seats", json=taken, match=made[0]["match"])
    other = Player(client.server, made[1]["match"], [made[1]["tokens"][0]])
    gone: Json = {"match": other.match, "headers": other.headers}
    client.ask("DELETE", "/api/lobby/{match}", status=204, **gone)


def tournaments(client: Client) -> None:
    token, place = secret(), "/api/tournaments/{tournament}"
    told = {"settings": {"name": "Evening", "game": "potlatch", "format": "swiss"}, "token": token}
    made = client.ask("POST", "/api/tournaments", status=201, json=told)["tournament"]
    mine: Json = {"tournament": made, "headers": {"authorization": f"Bearer {token}"}}
    engine = {"do": "engine", "level": 1}
    for action in (engine, engine, {"do": "turn", "to": "started"}):
        client.ask("POST", f"{place}/actions", json=action, **mine)
    client.ask("GET", "/api/tournaments")
    for path in ("", "/wall", "/table.csv", "/report.trf", "/records"):
        client.ask("GET", place + path, **mine)


def signed_up(client: Client, name: str) -> Json:
    """Sign up; return the headers of the session."""
    told = {"name": name, "password": PASSWORD, "bearer": True}
    made = client.ask("POST", "/api/account", status=201, json=told)
    return {"headers": {"authorization": f"Bearer {made['token']}"}}


def accounts(client: Client) -> None:
    place = "/api/account"
    ada, bot = signed_up(client, "Ada"), signed_up(client, "Bot")
    client.ask("POST", f"{place}/bot", status=204, **bot)
    client.ask("POST", f"{place}/sign-in", json={"name": "Ada", "password": PASSWORD})
    client.ask("POST", f"{place}/profile", status=204, json={"private": False}, **ada)
    for path in ("", "/matches", "/puzzles", "/export", "/people", "/destinations"):
        client.ask("GET", place + path, **ada)
    client.ask("GET", f"{place}/sessions", status=401)
    progress: Json = {"results": {}, "days": []}
    client.ask("POST", f"{place}/puzzles", json=progress, **ada)
    sessions = client.ask("GET", f"{place}/sessions", **ada)
    other = next(one["id"] for one in sessions if not one["current"])
    client.ask("DELETE", f"{place}/sessions/{{session}}", status=204, session=other, **ada)
    wanted = {"name": "bot", "scopes": ["read"], "days": 1, "password": PASSWORD}
    token = client.ask("POST", f"{place}/tokens", status=201, json=wanted, **ada)["token"]["id"]
    client.ask("GET", f"{place}/tokens", **ada)
    client.ask("DELETE", f"{place}/tokens/{{token}}", status=204, token=token, **ada)
    guest = client.server.create_match(seats=HOT_SEAT)
    claim = {"match": guest.match, "tokens": guest.tokens[:1]}
    client.ask("POST", f"{place}/seats", status=204, json=claim, **ada)
    hook = {"channel": "webhook", "address": "http://127.0.0.1:9", "kinds": ["turn"]}
    made = client.ask("POST", f"{place}/destinations", status=201, json=hook, **ada)
    one: Json = {"destination": made["destination"]["id"], **ada}
    path = f"{place}/destinations/{{destination}}"
    client.ask("POST", path, status=204, json={"kinds": []}, **one)
    # This server sends no mail.
    client.ask("POST", f"{path}/confirmation", status=409, **one)
    client.ask("DELETE", path, status=204, **one)
    client.ask("POST", f"{place}/recovery", status=409, json={"address": "ada@club.example"})
    forged = {"link": "x", "password": PASSWORD}
    client.ask("POST", f"{place}/recovery/password", status=410, json=forged)
    client.ask("POST", "/api/email/confirm", status=409, json={"link": "x"})
    client.ask("POST", "/api/email/unsubscribe/{link}", status=409, link="x")
    client.ask("GET", "/api/email/unsubscribe/{link}", status=303, link="x")
    client.ask("GET", "/api/notifications", **ada)
    client.ask("POST", "/api/notifications/read", json={}, **ada)
    changed = {"old": PASSWORD, "new": PASSWORD + "!"}
    client.ask("POST", f"{place}/password", status=204, json=changed, **ada)
    client.ask("POST", f"{place}/sign-out", status=204, **ada)
    client.ask("POST", f"{place}/delete", status=204, json={"password": PASSWORD}, **bot)


def people(client: Client) -> None:
    cy, dan = signed_up(client, "Cy"), signed_up(client, "Dan")
    client.ask("GET", "/api/people/profile", query={"name": "Dan"}, **cy)
    client.ask("GET", "/api/people/games", query={"name": "Dan"}, **cy)
    client.ask("POST", "/api/people/relation", json={"name": "Dan", "kind": "follow"}, **cy)
    challenge = {"game": "potlatch", "seats": [PERSON, LINK], "to": "Dan"}
    made = client.ask("POST", "/api/matches", status=201, json=challenge, **cy)
    path = "/api/matches/{match}/decline"
    client.ask("POST", path, status=204, match=made["match"], **dan)
    game = client.server.create_match()
    with game.connect() as chair:
        chair.send(type="say", seat=0, text="rude")
        line = chair.receive_until("chat")["lines"][0]["id"]
        chair.send(type="report", seat=1, line=line)
        chair.receive_until("reported")
    client.ask("GET", "/api/moderation/reports", status=403, **cy)
    change(client.server.database, "UPDATE accounts SET moderator = true WHERE name = 'Cy'")
    assert client.ask("GET", "/api/moderation/reports", **cy)["reports"]
    close: Json = {"line": line, "json": {"do": "close"}, **cy}
    client.ask("POST", "/api/moderation/lines/{line}", status=204, **close)
