"""The client: challenges, games, chat, events, errors and lost connections."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from tavola.client import (
    AccountStateMessage,
    AsyncClient,
    Client,
    GameEndMessage,
    GameStartMessage,
    GameTurnMessage,
    NotificationMessage,
    ServerError,
    Unreachable,
)
from tavola.client import feed as feeds
from tavola.server.schema.requests import EngineSeat, LinkSeat, PersonSeat
from tests.server.live_server import LiveServer
from tests.server.players import PASSWORD, AccountPlayer, signed_up_player

ALL = ["read", "play", "challenge", "tournament"]


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "FIRST_DELAY", 0.01)


def token_of(player: AccountPlayer, scopes: list[str] = ALL) -> str:
    wanted = {"name": "Script", "scopes": scopes, "days": 1, "password": PASSWORD}
    token: str = player.http.post("/api/account/tokens", json=wanted).json()["secret"]
    return token


@contextmanager
def clients(server: LiveServer) -> Iterator[tuple[Client, Client]]:
    with (
        signed_up_player(server) as ada,
        signed_up_player(server) as bob,
        Client(server.address, token_of(ada)) as first,
        Client(server.address, token_of(bob)) as second,
    ):
        yield first, second


def link(server: LiveServer, match: str, invitation: str | None) -> str:
    return f"{server.address}/match/{match}#take=1.{invitation}"


def test_a_game_from_challenge_to_end(server: LiveServer) -> None:
    with clients(server) as (ada, bob):
        assert ada.account().bot is False
        made = ada.create("potlatch", [PersonSeat(), LinkSeat()], rated=True)
        game = bob.accept(link(server, made.match, made.invitations[1]))
        assert game.seats == (1,)
        assert not game.is_my_turn
        mine = ada.game(made.match)
        assert mine.is_my_turn
        assert tuple(mine.state.legal_actions) == ("Pne", "Pnw", "Pse", "Psw", "Pw")
        after = ada.play(mine, "Pnw")
        assert after.state.text == mine.state.play("Pnw").text
        ada.say(after, "Hello")
        assert [line.text for line in bob.chat(made.match)] == ["Hello"]
        over = ada.resign(after)
        assert over.is_over
        assert over.result is not None
        assert [one.match for one in bob.games()] == [made.match]
        assert [one.is_over for one in bob.watch(made.match)] == [True]


def test_the_lobby(server: LiveServer) -> None:
    with clients(server) as (ada, bob):
        made = ada.create("potlatch", lobby=True)
        assert made.match in [one.match for one in bob.lobby()]
        assert bob.accept(made.match).seats == (1,)
        other = ada.create("potlatch", lobby=True)
        ada.withdraw(other.match)
        with pytest.raises(ServerError) as refused:
            bob.accept(other.match)
        assert refused.value.code == "not-offered"


def test_challenges(server: LiveServer) -> None:
    with clients(server) as (ada, bob):
        name = bob.account().name
        heard = bob.events()
        next(heard)
        asked = [ada.create("potlatch", to=name).match for _ in range(2)]
        notices = (one.notification for one in heard if isinstance(one, NotificationMessage))
        told = [next(notices), next(notices)]
        assert {(one.kind, one.match) for one in told} == {("challenge", one) for one in asked}
        assert bob.accept(asked[0]).seats == (1,)
        bob.decline(asked[1])
        with pytest.raises(ServerError) as refused:
            bob.accept(asked[1])
        assert refused.value.code == "not-offered"


@pytest.mark.long
def test_events(server: LiveServer) -> None:
    with clients(server) as (ada, bob):
        heard = bob.events()
        # Notifications come too.
        events = (one for one in heard if not isinstance(one, NotificationMessage))
        assert isinstance(next(events), AccountStateMessage)
        made = ada.create("potlatch")
        bob.accept(link(server, made.match, made.invitations[1]))
        start = next(events)
        assert isinstance(start, GameStartMessage)
        for token in ("Pnw", "Pw"):
            ada.play(ada.game(made.match), token)
        turn = next(events)
        assert isinstance(turn, GameTurnMessage)
        ada.resign(ada.game(made.match))
        assert isinstance(next(events), GameEndMessage)


def test_errors_have_codes(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        with Client(server.address, "tavola.wrong") as client:
            for ask in (client.account, lambda: next(client.events())):
                with pytest.raises(ServerError) as refused:
                    ask()
                assert (refused.value.code, refused.value.status) == ("token-invalid", 401)
                assert "(token-invalid)" in str(refused.value)
        with Client(server.address, token_of(ada, ["read", "challenge"])) as client:
            made = client.create("potlatch", [PersonSeat(), EngineSeat(level=1)])
            game = client.game(made.match)
            with pytest.raises(ServerError) as refused:
                client.play(game, "Pnw")
            assert refused.value.params == {"scope": "play"}


def test_an_illegal_action_is_an_error_of_the_server_and_of_the_core(server: LiveServer) -> None:
    with clients(server) as (ada, _):
        game = ada.game(ada.create("potlatch").match)
        with pytest.raises(ServerError) as refused:
            ada.play(game, "Pq")
        assert refused.value.code == "illegal"


def test_lost_connections_are_made_again(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = httpx.HTTPTransport.handle_request
    failures = itertools.count()

    def unsteady(self: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        if next(failures) % 2 == 0:
            raise httpx.ConnectError("cut", request=request)
        return send(self, request)

    with clients(server) as (ada, _):
        match = ada.create("potlatch", [PersonSeat(), EngineSeat(level=1)]).match
        monkeypatch.setattr(httpx.HTTPTransport, "handle_request", unsteady)
        game = ada.game(match)
        assert ada.play(game, "Pnw").seq == game.seq + 1
        assert isinstance(next(ada.events()), AccountStateMessage)
        assert next(ada.watch(match)).seq == game.seq + 1


def test_a_server_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from tavola.client import calls

    monkeypatch.setattr(calls, "ATTEMPTS", 1)
    with Client("http://127.0.0.1:1", "tavola.x") as client, pytest.raises(Unreachable) as found:
        client.account()
    assert "127.0.0.1:1" in str(found.value)


def test_the_async_client_does_the_same(server: LiveServer) -> None:
    async def play(ada: AsyncClient, bob: AsyncClient) -> None:
        made = await ada.create("potlatch", lobby=True)
        assert made.match in [one.match for one in await bob.lobby()]
        game = await bob.accept(made.match)
        await bob.say(game, "Hello")
        assert [line.text for line in await ada.chat(made.match)] == ["Hello"]
        seen = []
        async for moment in bob.watch(made.match):
            seen.append(moment.seq)
            if moment.is_over:
                break
            mine = await ada.game(made.match)
            if mine.seq == 0:
                await ada.play(mine, mine.state.legal_actions[0])
            else:
                await ada.resign(mine)
        assert seen == [0, 1, 2]
        events = ada.events()
        assert isinstance(await anext(events), AccountStateMessage)
        await events.aclose()
        assert [one.match async for one in bob.games()] == [made.match]

    async def run(first: str, second: str) -> None:
        async with (
            AsyncClient(server.address, first) as ada,
            AsyncClient(server.address, second) as bob,
        ):
            await play(ada, bob)

    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        asyncio.run(run(token_of(ada), token_of(bob)))
