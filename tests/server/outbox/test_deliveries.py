"""Deliveries to browsers and webhooks: once, signed, encrypted, and again after failures."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from tavola.server.http.bell import Bell
from tavola.server.outbox import deliveries
from tavola.server.outbox.public_http import PublicHttp
from tavola.server.outbox.push import decode
from tests.server.databases import dump, rows
from tests.server.live_server import PATIENCE, PERSON, Json, LiveServer, error_of, serve, wait_until
from tests.server.outbox.receivers import Browser, Received, Receiver, receiver
from tests.server.players import PASSWORD, AccountPlayer, signed_up_player

LINK = {"kind": "link"}
ORIGIN = "https://club.example"


@contextmanager
def club(folder: Path, **chosen: object) -> Iterator[LiveServer]:
    """A server with all channels, whose receivers may be on this machine."""
    switched: dict[str, object] = {
        "push": True,
        "webhooks": True,
        "private_webhooks": True,
        "origins": (ORIGIN,),
    }
    with serve(folder, **switched | chosen) as server:
        yield server


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeat failed deliveries soon."""
    monkeypatch.setattr(deliveries, "BACKOFF_SECONDS", (0.1, 0.1, 0.1))
    monkeypatch.setattr(deliveries, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(deliveries, "SEND_SECONDS", 1)


def add(player: AccountPlayer, channel: str, address: str, **more: object) -> Json:
    told = {"channel": channel, "address": address, "kinds": ["turn", "over"]} | more
    answer = player.http.post("/api/account/destinations", json=told)
    assert answer.status_code == 201, answer.text
    made: Json = answer.json()
    return made


def play_with(ada: AccountPlayer, bob: AccountPlayer) -> str:
    """Ada makes it Bob's turn."""
    made = ada.begin(seats=[PERSON, LINK])
    told = {"invitation": made["invitations"][1], "token": secrets.token_urlsafe(32)}
    assert bob.http.post(f"/api/matches/{made['match']}/seats", json=told).is_success
    for token in ("Pnw", "Pw"):
        ada.do(made["match"], "play", token)
    match: str = made["match"]
    return match


@contextmanager
def players(server: LiveServer) -> Iterator[tuple[AccountPlayer, AccountPlayer]]:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        yield ada, bob


def queue(server: LiveServer) -> int:
    return len(rows(server.database, "SELECT id FROM deliveries"))


@pytest.mark.long
def test_a_webhook_is_signed_and_delivered_once(tmp_path: Path, quick: None) -> None:
    with club(tmp_path) as server, receiver() as hook, players(server) as (ada, bob):
        secret = add(bob, "webhook", f"{hook.url}/club")["secret"]
        match = play_with(ada, bob)
        wait_until(lambda: queue(server) == 0 and len(hook.received) == 1)
        (request,) = hook.received
        said = json.loads(request.body)
        assert (request.path, said["kind"], said["match"]) == ("/club", "turn", match)
        assert said["url"] == f"{ORIGIN}/match/{match}"
        assert said["text"] == f"Potlatch Klone: It's your turn {said['url']}"
        parts = dict(part.split("=") for part in request.headers["tavola-signature"].split(","))
        signed = f"{parts['t']}.".encode() + request.body
        expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
        assert parts["v1"] == expected
        assert abs(time.time() - int(parts["t"])) < 60
        # The secret is shown once, and exported never.
        listed = bob.http.get("/api/account/destinations").json()
        assert listed["channels"] == ["push", "webhook"]
        assert secret not in json.dumps(listed)


def check_token(header: str, audience: str, public: str) -> None:
    """Checks a VAPID header as a push service does."""
    token, key = header.removeprefix("vapid t=").split(", k=")
    assert key == public
    signed, _, made = token.rpartition(".")
    signature = decode(made)
    pair = (int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(key)).verify(
        encode_dss_signature(*pair), signed.encode(), ec.ECDSA(hashes.SHA256())
    )
    claims = json.loads(decode(signed.split(".")[1]))
    assert claims["aud"] == audience
    assert claims["sub"] == ORIGIN
    assert 0 < claims["exp"] - time.time() <= 24 * 3600


@pytest.mark.long
def test_a_browser_receives_what_only_it_can_read(tmp_path: Path, quick: None) -> None:
    browser = Browser()
    with club(tmp_path) as server, receiver() as service, players(server) as (ada, bob):
        bob.http.headers["accept-language"] = "ja"
        add(bob, "push", f"{service.url}/send/1", keys=browser.keys)
        match = play_with(ada, bob)
        wait_until(lambda: len(service.received) == 1)
        (request,) = service.received
        said = json.loads(browser.decrypt(request.body))
        assert (said["path"], said["body"]) == (f"/match/{match}", "あなたの手番です")
        assert request.headers["content-encoding"] == "aes128gcm"
        public = bob.http.get("/api/account/destinations").json()["push_key"]
        check_token(request.headers["authorization"], service.url, public)
    with club(tmp_path) as again, signed_up_player(again) as cy:
        # The key is the server's for ever.
        assert cy.http.get("/api/account/destinations").json()["push_key"] == public


def failing(times: int, status: int) -> Receiver:
    running = Receiver()
    running.answer = lambda request: status if len(running.received) <= times else 200
    return running


@pytest.mark.long
@pytest.mark.parametrize("status", [500, 302, 403, 429])
def test_a_receiver_that_fails_is_asked_again(tmp_path: Path, quick: None, status: int) -> None:
    hook = failing(2, status)
    with club(tmp_path) as server, players(server) as (ada, bob):
        add(bob, "webhook", hook.url)
        play_with(ada, bob)
        wait_until(lambda: queue(server) == 0 and len(hook.received) == 3)
        assert {request.path for request in hook.received} == {"/"}
        assert len({request.headers["tavola-event"] for request in hook.received}) == 1
        (_, listed) = bob.http.get("/api/account/destinations").json()["destinations"]
        assert listed["failed"] is None
    hook.close()


@pytest.mark.long
def test_a_receiver_that_never_answers_is_given_up(tmp_path: Path, quick: None) -> None:
    hook = Receiver()
    other = Receiver()

    def hang(request: Received) -> int:
        time.sleep(1.5)
        return 200

    hook.answer = hang
    with club(tmp_path) as server, players(server) as (ada, bob):
        add(bob, "webhook", hook.url)
        add(bob, "webhook", other.url)
        play_with(ada, bob)
        wait_until(lambda: queue(server) == 0)
        assert len(hook.received) == 4
        # It delayed no other destination.
        assert len(other.received) == 1
        metrics = server.http.get("/metrics").text
        assert 'tavola_deliveries_total{channel="webhook",result="failed"}' in metrics
        assert 'tavola_deliveries_waiting{channel="webhook"} 0.0' in metrics
        shown = bob.http.get("/api/account/destinations").json()["destinations"][1:]
        assert [one["failed"] is None for one in shown] == [False, True]
    hook.close()
    other.close()


def test_one_that_hangs_delays_only_its_own(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "SLOTS", 2)
    monkeypatch.setattr(deliveries, "SEND_SECONDS", 2 * PATIENCE)
    with receiver() as hook, receiver() as other:
        enough = threading.Event()
        hook.answer = lambda request: 200 if enough.wait(PATIENCE) else 500
        with club(tmp_path) as server, players(server) as (ada, bob):
            add(bob, "webhook", hook.url)
            add(bob, "webhook", other.url)
            for _ in range(3):
                play_with(ada, bob)
            wait_until(lambda: len(other.received) == 3)
            assert len(hook.received) == 1
            enough.set()
            wait_until(lambda: queue(server) == 0)
            assert len(hook.received) == 3


@pytest.mark.long
def test_those_that_failed_leave_slots_to_others(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "SLOTS", 3)
    monkeypatch.setattr(deliveries, "FAILED_SLOTS", 1)
    monkeypatch.setattr(deliveries, "SEND_SECONDS", 2 * PATIENCE)
    with ExitStack() as running:
        hooks = [running.enter_context(receiver()) for _ in range(3)]
        other = running.enter_context(receiver())
        enough = threading.Event()
        for hook in hooks:
            hook.answer = lambda request: 500
        server = running.enter_context(club(tmp_path))
        ada, bob = running.enter_context(players(server))
        for hook in hooks:
            add(bob, "webhook", hook.url)
        play_with(ada, bob)
        wait_until(lambda: queue(server) == 0)
        for hook in hooks:
            hook.answer = lambda request: 200 if enough.wait(PATIENCE) else 500
        add(bob, "webhook", other.url)
        play_with(ada, bob)
        wait_until(lambda: len(other.received) == 1)
        enough.set()
        wait_until(lambda: queue(server) == 0)
        assert {len(hook.received) for hook in hooks} == {5}


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(tmp_path: Path, quick: None, status: int) -> None:
    hook = failing(99, status)
    with club(tmp_path) as server, players(server) as (ada, bob):
        add(bob, "push", hook.url, keys=Browser().keys)
        play_with(ada, bob)
        wait_until(lambda: queue(server) == 0 and len(hook.received) == 1)
        assert bob.http.get("/api/account/destinations").json()["destinations"][1:] == []
    hook.close()


def test_nothing_is_sent_of_kinds_not_chosen_nor_after_a_return(
    tmp_path: Path, quick: None
) -> None:
    hook = failing(99, 500)
    with club(tmp_path) as server, players(server) as (ada, bob):
        number = add(bob, "webhook", hook.url)["destination"]["id"]
        address = f"/api/account/destinations/{number}"
        assert bob.http.post(address, json={"kinds": ["over"]}).is_success
        match = play_with(ada, bob)
        assert queue(server) == 0
        assert bob.http.post(address, json={"kinds": ["over", "chat"]}).is_success
        ada.do(match, "resign")
        wait_until(lambda: len(hook.received) > 0)
        assert {json.loads(request.body)["kind"] for request in hook.received} == {"over"}
        bob.http.post("/api/notifications/read", json={})
        wait_until(lambda: queue(server) == 0)
        assert bob.http.delete(address).status_code == 204
        assert error_of(bob.http.delete(address)) == (404, "unknown-destination")
        assert error_of(ada.http.post(address, json={"kinds": []})) == (
            404,
            "unknown-destination",
        )
    hook.close()


@pytest.mark.long
def test_channels_are_silent_while_a_stream_is_read(tmp_path: Path, quick: None) -> None:
    with club(tmp_path) as server, receiver() as hook, players(server) as (ada, bob):
        add(bob, "webhook", hook.url)
        with bob.http.stream("GET", "/api/account/stream") as answer:
            lines = answer.iter_lines()
            assert '"state"' in next(lines)
            match = play_with(ada, bob)
            next(line for line in lines if '"kind":"turn"' in line)
            wait_until(lambda: queue(server) == 0)
        assert hook.received == []
        ada.do(match, "resign")
        wait_until(lambda: len(hook.received) == 1)
        assert json.loads(hook.received[0].body)["kind"] == "over"


@pytest.mark.long
def test_a_stream_that_is_not_read_delays_a_channel_for_a_while(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "HELD_SECONDS", 1)

    async def stuck(*_: object) -> None:
        return

    monkeypatch.setattr(Bell, "mark_streamed", stuck)
    with club(tmp_path) as server, receiver() as hook, players(server) as (ada, bob):
        add(bob, "webhook", hook.url)
        with bob.http.stream("GET", "/api/account/stream") as answer:
            lines = answer.iter_lines()
            next(lines)
            begun = time.monotonic()
            play_with(ada, bob)
            wait_until(lambda: len(hook.received) == 1)
            assert time.monotonic() - begun >= 1


@pytest.mark.long
def test_a_deleted_account_receives_nothing_and_leaves_nothing(tmp_path: Path, quick: None) -> None:
    hook = failing(99, 500)
    with club(tmp_path) as server, players(server) as (ada, bob):
        add(bob, "webhook", f"{hook.url}/bobs")
        play_with(ada, bob)
        exported = bob.http.get("/api/account/export").json()["destinations"]
        assert [one["address"] for one in exported] == [f"{hook.url}/bobs"]
        assert bob.http.post("/api/account/delete", json={"password": PASSWORD}).is_success
        assert queue(server) == 0
        assert "/bobs" not in dump(server.database)
    hook.close()


def test_nothing_leaves_a_host_that_has_not_switched_it_on(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        shown = ada.http.get("/api/account/destinations").json()
        assert (shown["channels"], shown["push_key"]) == ([], None)
        assert [one["channel"] for one in shown["destinations"]] == ["bell"]
        told = {"channel": "webhook", "address": "https://example.com", "kinds": []}
        refused = ada.http.post("/api/account/destinations", json=told)
        assert error_of(refused) == (409, "channel-off")


@pytest.mark.parametrize(
    "address",
    [
        "http://example.com/",
        "https://user@example.com/",
        "https://example.com:8443/",
        "ftp://example.com",
        "https://[::1",
        "nothing",
    ],
)
def test_addresses_that_are_no_public_ones_are_rejected(tmp_path: Path, address: str) -> None:
    with club(tmp_path, private_webhooks=False) as server, signed_up_player(server) as ada:
        told = {"channel": "webhook", "address": address, "kinds": ["turn"]}
        refused = ada.http.post("/api/account/destinations", json=told)
        assert error_of(refused) == (422, "destination-address")


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("1.1.1.1", True),
        ("2606:4700::1111", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("2002:7f00:1::", False),
        ("64:ff9b::7f00:1", False),
    ],
)
def test_only_public_addresses_are_connected_to(address: str, public: bool) -> None:
    assert PublicHttp()._is_public(address) is public


@pytest.mark.long
def test_a_server_without_these_channels_starts_without_their_client() -> None:
    code = "import tavola.server.app, sys; sys.exit('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_keys_of_a_browser_are_checked(tmp_path: Path) -> None:
    with club(tmp_path) as server, signed_up_player(server) as ada:
        good = Browser().keys
        for keys in (None, good | {"auth": "AA"}, good | {"p256dh": "AA"}):
            told: Json = {
                "channel": "push",
                "address": "https://a.example",
                "kinds": [],
                "keys": keys,
            }
            refused = ada.http.post("/api/account/destinations", json=told)
            assert error_of(refused) == (422, "push-keys")
