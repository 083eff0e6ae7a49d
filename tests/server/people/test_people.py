"""Profiles, relations and presence over HTTP: what each person sees of another."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
import sqlalchemy as sa
from websockets.sync.client import connect

from tavola.server.accounts import relations
from tavola.server.accounts.accounts import accounts
from tavola.server.ops import rate_limits
from tavola.server.people import friends
from tests.server.databases import transaction
from tests.server.live_server import (
    PATIENCE,
    PERSON,
    Json,
    LiveServer,
    Player,
    SocketClient,
    error_of,
    wait_until,
)
from tests.server.players import PASSWORD, AccountPlayer, signed_up_player
from tests.server.tournaments.clubs import Club

LINK = {"kind": "link"}


@pytest.fixture
def ada(server: LiveServer) -> Iterator[AccountPlayer]:
    with signed_up_player(server) as player:
        yield player


@pytest.fixture
def bob(server: LiveServer) -> Iterator[AccountPlayer]:
    with signed_up_player(server) as player:
        yield player


def profile(viewer: AccountPlayer | LiveServer, person: AccountPlayer | str) -> Json:
    name = person if isinstance(person, str) else person.name
    answer = viewer.http.get("/api/people/profile", params={"name": name})
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def games(viewer: AccountPlayer | LiveServer, person: AccountPlayer, **query: str) -> Json:
    answer = viewer.http.get("/api/people/games", params={"name": person.name, **query})
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def relate(player: AccountPlayer, other: AccountPlayer, kind: str | None) -> Json:
    told = {"name": other.name, "kind": kind}
    answer = player.http.post("/api/people/relation", json=told)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def people(player: AccountPlayer) -> Json:
    answer = player.http.get("/api/account/people")
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def sit(player: AccountPlayer, match: str, invitation: str | None = None) -> tuple[int, str]:
    told = {"token": secrets.token_urlsafe(32), "invitation": invitation}
    answer = player.http.post(f"/api/matches/{match}/seats", json=told)
    return answer.status_code, "" if answer.is_success else answer.json()["code"]


def play(winner: AccountPlayer, loser: AccountPlayer, **settings: object) -> str:
    """Plays a game of two turns each, which the second seat resigns."""
    made = winner.begin(seats=[PERSON, LINK], **settings)
    match: str = made["match"]
    assert sit(loser, match, made["invitations"][1]) == (200, "")
    for player, token in ((winner, "Pnw"), (winner, "Pw"), (loser, "Pne"), (loser, "Pnw")):
        player.do(match, "play", token)
    loser.do(match, "resign")
    return match


def test_a_profile_shows_ratings_games_and_scores_to_everyone(
    server: LiveServer, ada: AccountPlayer, bob: AccountPlayer
) -> None:
    rated = [play(ada, bob, rated=True), play(ada, bob, rated=True)]
    by_link = play(bob, ada)
    seen = profile(server, ada.name.upper())
    assert (seen["name"], seen["private"], seen["you"]) == (ada.name, False, False)
    (rating,) = seen["ratings"]
    assert (rating["game"], rating["field"], rating["matches"]) == ("potlatch", "two", 2)
    values = [value for _, value in rating["points"]]
    assert len(values) == 2
    assert 1500 < values[0] < values[1] == rating["best"]
    won = {"played": 2, "won": 2, "drawn": 0}
    assert seen["seats"] == [{"game": "potlatch", "seat": 0, "score": won}]
    assert seen["opponents"] == [{"score": won, "name": bob.name}]
    assert (seen["versus"], seen["relation"]) == (None, None)
    listed = games(server, ada)
    assert [game["id"] for game in listed["games"]] == rated[::-1]
    assert (listed["next"], listed["games"][0]["game"]) == (None, "potlatch")
    # A game by link alone is shown to those who played it.
    for viewer in (ada, bob):
        assert games(viewer, ada)["games"][0]["id"] == by_link
        assert {one["score"]["played"] for one in profile(viewer, ada)["seats"]} == {1, 2}
    assert profile(bob, ada)["versus"] == {"played": 3, "won": 1, "drawn": 0}
    assert games(server, ada, game="proteus")["games"] == []
    assert error_of(server.http.get("/api/people/profile", params={"name": "no one"})) == (
        404,
        "unknown-person",
    )


def test_games_are_paged(
    server: LiveServer, ada: AccountPlayer, bob: AccountPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tavola.server.people.profiles.PAGE_SIZE", 1)
    played = [play(ada, bob, rated=True) for _ in range(2)]
    first = games(server, ada)
    second = games(server, ada, after=first["next"])
    assert [game["id"] for page in (first, second) for game in page["games"]] == played[::-1]
    assert second["next"] is None
    answer = server.http.get("/api/people/games", params={"name": ada.name, "after": "x"})
    assert error_of(answer) == (422, "unknown-page")


def test_a_private_profile_shows_nothing_but_the_name(
    server: LiveServer, ada: AccountPlayer, bob: AccountPlayer
) -> None:
    play(ada, bob, rated=True)
    assert ada.http.post("/api/account/profile", json={"private": True}).status_code == 204
    for viewer in (server, bob):
        seen = profile(viewer, ada)
        assert seen.pop("name") == ada.name
        assert seen.pop("private") is True
        assert not any(seen.values())
        assert games(viewer, ada) == {"games": [], "next": None}
    # The others' profiles do not name it, either.
    assert profile(server, bob)["opponents"] == []
    assert profile(ada, bob)["opponents"] != []
    own = profile(ada, ada)
    assert own["you"]
    assert own["private"]
    assert own["ratings"]
    assert own["opponents"]
    assert people(ada)["private"] is True


def test_a_winner_of_a_tournament_has_a_trophy(
    server: LiveServer, ada: AccountPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = Club(server, rounds=1)
    club.join("Guest")
    joined = ada.http.post(f"/api/tournaments/{club.id}/actions", json={"do": "join"})
    number = joined.json()["view"]["you"]
    club.turn("started")
    wait_until(lambda: bool(club.view()["rounds"]))
    (board,) = club.view()["rounds"][0]["boards"]
    places = [1 if player == number else 2 for player in board["players"]]
    club.organize("correct", round=1, board=1, places=places)
    wait_until(lambda: club.view()["status"] == "finished")
    (trophy,) = profile(server, ada)["trophies"]
    assert {"tournament": club.id, "place": 1, "players": 2, "game": "potlatch"}.items() <= (
        trophy.items()
    )


def test_those_who_follow_each_other_are_friends_and_see_who_is_online(
    server: LiveServer, ada: AccountPlayer, bob: AccountPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not relate(ada, bob, "follow")["friend"]
    assert people(ada)["following"] == [bob.name]
    assert people(bob)["followers"] == [ada.name]
    made = bob.begin(seats=[PERSON, {"kind": "engine", "level": 1}])
    seen = relate(bob, ada, "follow")
    assert (seen["friend"], seen["online"], seen["playing"]) == (True, False, None)
    with transaction(server.database) as connection:
        of_bob = sa.select(accounts.c.id).where(accounts.c.name == bob.name)
        friends.touch(connection, [connection.execute(of_bob).scalar_one()])
    (friend,) = people(ada)["friends"]
    assert friend == {
        "name": bob.name,
        "online": True,
        "playing": made["match"],
        "game": "potlatch",
    }
    assert (profile(ada, bob)["online"], profile(ada, bob)["playing"]) == (True, made["match"])
    # Others do not see it.
    assert not profile(server, bob)["online"]
    relate(bob, ada, None)
    assert not profile(ada, bob)["online"]
    assert people(ada)["friends"] == []


def test_a_blocked_person_finds_every_seat_taken_and_no_challenge(
    server: LiveServer, ada: AccountPlayer, bob: AccountPlayer
) -> None:
    relate(ada, bob, "follow")
    relate(bob, ada, "follow")
    assert relate(ada, bob, "block")["relation"] == "block"
    made = ada.begin(seats=[PERSON, LINK], lobby=True)
    match = made["match"]

    def sees(viewer: AccountPlayer | LiveServer) -> bool:
        return match in {one["match"] for one in viewer.http.get("/api/lobby").json()}

    assert (sees(server), sees(ada), sees(bob)) == (True, True, False)
    assert sit(bob, match) == (409, "seat-taken")
    assert sit(bob, match, made["invitations"][1]) == (409, "seat-taken")
    # Nothing tells it: it still follows, but sees no presence.
    seen = profile(bob, ada)
    assert (seen["relation"], seen["friend"]) == ("follow", False)
    assert people(ada)["followers"] == []
    assert people(ada)["blocked"] == [bob.name]
    relate(ada, bob, None)
    assert sees(bob)
    assert sit(bob, match) == (200, "")


def cookies(player: AccountPlayer) -> dict[str, str]:
    return {"cookie": f"tavola-session={player.http.cookies['tavola-session']}"}


@contextmanager
def connected(server: LiveServer, match: str, player: AccountPlayer) -> Iterator[SocketClient]:
    opened = Player(server, match, []).open_socket(additional_headers=cookies(player))
    with opened:
        client = SocketClient(opened)
        client.send(type="hello")
        client.receive_until("snapshot")
        yield client


def test_lines_of_a_blocked_person_do_not_arrive(
    server: LiveServer, ada: AccountPlayer, bob: AccountPlayer
) -> None:
    made = ada.begin(seats=[PERSON, LINK])
    match = made["match"]
    assert sit(bob, match, made["invitations"][1]) == (200, "")
    relate(ada, bob, "block")

    with connected(server, match, bob) as author, connected(server, match, ada) as reader:
        author.send(type="say", seat=1, text="hello")
        assert author.receive_until("chat")["lines"][0]["text"] == "hello"
        reader.send(type="say", seat=0, text="hi")
        # The next line arrives, the one before it does not.
        assert [one["text"] for one in reader.receive_until("chat")["lines"]] == ["hi"]
        assert author.receive_until("chat")["lines"][0]["text"] == "hi"
    with connected(server, match, ada) as reader:
        assert [one["text"] for one in reader.receive_until("chat")["lines"]] == ["hi"]
    lines = f"/api/matches/{match}/chat"
    assert [one["text"] for one in ada.http.get(lines).json()] == ["hi"]
    assert [one["text"] for one in bob.http.get(lines).json()] == ["hello", "hi"]
    told = ada.http.get("/api/notifications").json()["notifications"]
    assert [one for one in told if one["kind"] == "chat"] == []


def test_a_block_during_a_match_acts_at_once(
    server: LiveServer, ada: AccountPlayer, bob: AccountPlayer
) -> None:
    made = ada.begin(seats=[PERSON, LINK])
    match = made["match"]
    assert sit(bob, match, made["invitations"][1]) == (200, "")
    for player, token in ((ada, "Pnw"), (ada, "Pw"), (bob, "Pne"), (bob, "Pnw")):
        player.do(match, "play", token)
    with connected(server, match, bob) as author, connected(server, match, ada) as reader:
        author.send(type="say", seat=1, text="hello")
        assert reader.receive_until("chat")["lines"][0]["text"] == "hello"
        assert bob.do(match, "ask", "draw")["request"]["seat"] == 1
        relate(ada, bob, "block")
        told = reader.receive_until("chat")
        assert (told["lines"], told["whole"]) == ([], True)
        # The open request is declined, and the next one is not shown.
        assert ada.snapshot(match)["request"] is None
        ada.do(match, "play", "Pe")
        assert error_of(bob.ask(match, "ask", "draw")) == (409, "declined-before")
        assert ada.snapshot(match)["request"] is None
        relate(ada, bob, None)
        assert [one["text"] for one in reader.receive_until("chat")["lines"]] == ["hello"]
        assert bob.do(match, "ask", "draw")["request"]["waiting"] == [0]


def test_a_block_acts_at_once_for_a_spectator(
    server: LiveServer, ada: AccountPlayer, bob: AccountPlayer
) -> None:
    match = bob.begin(seats=[PERSON, LINK])["match"]
    with connected(server, match, bob) as author, connected(server, match, ada) as spectator:
        author.send(type="say", seat=0, text="hello")
        assert [one["text"] for one in spectator.receive_until("chat")["lines"]] == ["hello"]
        relate(ada, bob, "block")
        told = spectator.receive_until("chat")
        assert (told["lines"], told["whole"]) == ([], True)
        relate(ada, bob, None)
        assert [one["text"] for one in spectator.receive_until("chat")["lines"]] == ["hello"]


def test_relations_are_limited(
    ada: AccountPlayer, bob: AccountPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"name": ada.name, "kind": "follow"}
    assert error_of(ada.http.post("/api/people/relation", json=told)) == (404, "unknown-person")
    monkeypatch.setattr(relations, "MAX_RELATIONS", 0)
    told["name"] = bob.name
    assert error_of(ada.http.post("/api/people/relation", json=told)) == (409, "too-many-people")
    monkeypatch.setattr("tavola.server.people.service.RELATIONS", rate_limits.Limit(0.001, 1.0))
    told["kind"] = "block"
    ada.http.post("/api/people/relation", json=told)
    assert error_of(ada.http.post("/api/people/relation", json=told)) == (429, "too-fast")


def test_an_erased_person_has_no_profile_and_no_relation(
    server: LiveServer, ada: AccountPlayer, bob: AccountPlayer
) -> None:
    match = play(ada, bob, rated=True)
    relate(bob, ada, "follow")
    relate(ada, bob, "follow")
    assert ada.http.post("/api/account/delete", json={"password": PASSWORD}).is_success
    answer = server.http.get("/api/people/profile", params={"name": ada.name})
    assert error_of(answer) == (404, "unknown-person")
    assert people(bob)["friends"] == []
    assert people(bob)["following"] == []
    assert profile(bob, bob)["opponents"] == []
    (game,) = games(server, bob)["games"]
    assert game["id"] == match
    assert ada.name not in str(game)


def notices(player: AccountPlayer) -> list[Json]:
    answer = player.http.get("/api/notifications")
    found: list[Json] = answer.json()["notifications"]
    return [one for one in found if one["kind"] == "challenge"]


def test_a_person_is_challenged_and_takes_the_seat(
    server: LiveServer, ada: AccountPlayer, bob: AccountPlayer
) -> None:
    made = ada.begin(seats=[PERSON, LINK], to=bob.name, rated=True)
    match = made["match"]
    (notice,) = notices(bob)
    assert (notice["match"], notice["by"], notice["detail"]) == (match, ada.name, "invite 1")
    # The seat is not there for others, who have no link.
    with signed_up_player(server) as cleo:
        assert sit(cleo, match) == (409, "not-offered")
    assert sit(bob, match) == (200, "")
    assert sit(bob, match) == (409, "seated-already")
    assert [seat["name"] for seat in bob.snapshot(match)["seats"]] == [ada.name, bob.name]


def test_a_challenge_is_declined(
    server: LiveServer, ada: AccountPlayer, bob: AccountPlayer
) -> None:
    match = ada.begin(seats=[PERSON, LINK], to=bob.name)["match"]
    assert bob.http.post(f"/api/matches/{match}/decline").status_code == 204
    assert notices(bob) == []
    (notice,) = notices(ada)
    assert (notice["match"], notice["detail"]) == (match, "declined")
    assert sit(bob, match) == (409, "not-offered")
    again = bob.http.post(f"/api/matches/{match}/decline")
    assert error_of(again) == (401, "unknown-invitation")


def test_an_open_bell_rings_when_a_challenge_is_declined_at_once(
    server: LiveServer, ada: AccountPlayer, bob: AccountPlayer
) -> None:
    bells = f"{server.address.replace('http', 'ws', 1)}/api/notifications/socket"
    with ExitStack() as opened:
        ada_bell, bob_bell = (
            opened.enter_context(connect(bells, additional_headers=cookies(one)))
            for one in (ada, bob)
        )
        for bell in (ada_bell, bob_bell):
            bell.send(json.dumps({"tokens": []}))
            assert json.loads(bell.recv(PATIENCE))["unread"] == 0
        match = ada.begin(seats=[PERSON, LINK], to=bob.name)["match"]
        assert json.loads(bob_bell.recv(PATIENCE))["unread"] == 1
        assert bob.http.post(f"/api/matches/{match}/decline").status_code == 204
        (notice,) = json.loads(ada_bell.recv(PATIENCE))["notifications"]
        assert notice["detail"] == "declined"


def test_a_challenge_of_a_blocked_person_does_not_arrive(
    server: LiveServer, ada: AccountPlayer, bob: AccountPlayer
) -> None:
    relate(bob, ada, "block")
    match = ada.begin(seats=[PERSON, LINK], to=bob.name)["match"]
    assert notices(bob) == []
    assert sit(bob, match) == (409, "not-offered")
    for name, code in ((ada.name, "unknown-person"), ("no one", "unknown-person")):
        wanted = {"game": "potlatch", "seats": [PERSON, LINK], "to": name}
        assert error_of(ada.http.post("/api/matches", json=wanted)) == (404, code)
    wanted = {"game": "potlatch", "seats": [PERSON, LINK], "to": bob.name}
    assert error_of(server.http.post("/api/matches", json=wanted)) == (401, "signed-out")
    wanted["seats"] = [PERSON, PERSON]
    assert error_of(ada.http.post("/api/matches", json=wanted)) == (422, "nothing-to-offer")
