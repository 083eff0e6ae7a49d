"""Mail: to confirmed addresses only, once, when they want it, and never again after one click."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from tavola.server.outbox import deliveries, email, mail_times, recovery
from tavola.server.outbox.email import is_address
from tavola.server.outbox.mailer import parse_sender, parse_smtp_url
from tavola.server.schema.notifications import EmailOptions
from tests.server.databases import change, rows
from tests.server.live_server import Json, LiveServer, error_of, serve, wait_until
from tests.server.outbox.smtp_sink import Sink, smtp_sink, text_of
from tests.server.outbox.test_deliveries import ORIGIN, play_with, players, queue, quick
from tests.server.players import PASSWORD, AccountPlayer, signed_up_player

__all__ = ["quick"]

BOB = "bob@example.org"


@contextmanager
def club(folder: Path, sink: Sink, **chosen: object) -> Iterator[LiveServer]:
    """A server with mail."""
    mail = {"smtp": sink.url, "mail_from": "Club <club@example.org>", "origins": (ORIGIN,)}
    with serve(folder, **mail | chosen) as server:
        yield server


def add(player: AccountPlayer, address: str = BOB, **more: object) -> Json:
    told = {
        "channel": "email",
        "address": address,
        "kinds": ["turn", "over", "chat"],
        "password": PASSWORD,
    }
    answer = player.http.post("/api/account/destinations", json=told | more)
    assert answer.status_code == 201, answer.text
    made: Json = answer.json()["destination"]
    return made


def link_in(text: str, action: str) -> str:
    found = re.search(rf"{ORIGIN}/email#{action}=(\S+)", text)
    assert found is not None, text
    return found[1]


def confirm(player: AccountPlayer, sink: Sink, address: str = BOB, **more: object) -> Json:
    """Add an address and open the link that it receives."""
    made = add(player, address, **more)
    assert not made["confirmed"]
    link = link_in(text_of(sink.to(address)[-1]), "confirm")
    answer = player.http.post("/api/email/confirm", json={"link": link})
    assert answer.status_code == 204, answer.text
    return made


def test_an_address_is_confirmed_once_and_receives_its_mail(tmp_path: Path, quick: None) -> None:
    with smtp_sink() as sink, club(tmp_path, sink) as server, players(server) as (ada, bob):
        made = add(bob)
        play_with(ada, bob)
        (asked,) = sink.received
        assert (asked["To"], asked["From"]) == (BOB, "Club <club@example.org>")
        assert queue(server) == 0
        link = link_in(text_of(asked), "confirm")
        # Mail servers log this number.
        assert link.rpartition(".")[2] not in asked["Message-ID"]
        stranger = server.http
        for wrong in (link[:-1] + ("0" if link[-1] != "0" else "1"), "", ".", "a.1.b", "a.x.é"):
            refused = stranger.post("/api/email/confirm", json={"link": wrong})
            assert error_of(refused) == (410, "link-invalid")
        assert stranger.post("/api/email/confirm", json={"link": link}).status_code == 204
        refused = stranger.post("/api/email/confirm", json={"link": link})
        assert error_of(refused) == (410, "link-invalid")
        (_, listed) = bob.http.get("/api/account/destinations").json()["destinations"]
        assert (listed["id"], listed["address"], listed["confirmed"]) == (made["id"], BOB, True)
        # Nothing of it is another player's.
        assert BOB not in ada.http.get("/api/account/export").text
        match = play_with(ada, bob)
        wait_until(lambda: len(sink.received) == 2 and queue(server) == 0)
        mail = sink.received[1]
        assert mail["Subject"] == "Potlatch Klone: It's your turn"
        assert f"{ORIGIN}/match/{match}" in text_of(mail)
        assert mail["Auto-Submitted"] == "auto-generated"


def test_one_click_stops_the_mail_and_leaves_the_address(tmp_path: Path, quick: None) -> None:
    with smtp_sink() as sink, club(tmp_path, sink) as server, players(server) as (ada, bob):
        confirm(bob, sink)
        play_with(ada, bob)
        wait_until(lambda: len(sink.received) == 2)
        mail = sink.received[1]
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        url = str(mail["List-Unsubscribe"]).strip("<>")
        assert url.startswith(f"{ORIGIN}/api/email/unsubscribe/")
        path = url.removeprefix(ORIGIN)
        # A browser, and programs that look at links, are led to a page that asks.
        asked = server.http.get(path)
        assert (asked.status_code, asked.headers["location"].split("=")[0]) == (
            303,
            "/email#unsubscribe",
        )
        link = link_in(text_of(mail), "unsubscribe")
        assert asked.headers["location"].endswith(link)
        # The program of the mailbox has no cookie and no origin.
        form = {"List-Unsubscribe": "One-Click"}
        assert server.http.post(path, data=form).status_code == 204
        assert server.http.post(path, data=form).status_code == 204
        assert error_of(server.http.post(path[:-4] + "0000", data=form)) == (410, "link-invalid")
        (_, listed) = bob.http.get("/api/account/destinations").json()["destinations"]
        assert (listed["kinds"], listed["confirmed"]) == ([], True)
        play_with(ada, bob)
        assert queue(server) == 0


@pytest.mark.parametrize("answer", ["451 later", "banana"])
def test_a_server_that_fails_or_lies_is_asked_again(
    tmp_path: Path, quick: None, answer: str
) -> None:
    with smtp_sink() as sink, club(tmp_path, sink) as server, players(server) as (ada, bob):
        confirm(bob, sink)
        first = sink.attempts
        sink.answer = lambda number: answer if number <= first + 2 else "250 OK"
        play_with(ada, bob)
        wait_until(lambda: sink.attempts == first + 3 and queue(server) == 0)
        assert len(sink.received) == 2
        (_, listed) = bob.http.get("/api/account/destinations").json()["destinations"]
        assert listed["failed"] is None


@pytest.mark.parametrize("refuses_receiver", [True, False])
def test_a_refused_mail_is_given_up_and_the_person_told(
    tmp_path: Path, quick: None, refuses_receiver: bool
) -> None:
    with smtp_sink() as sink, club(tmp_path, sink) as server, players(server) as (ada, bob):
        confirm(bob, sink)
        first = sink.attempts
        refusal = "550 5.1.1 no such user"
        if refuses_receiver:
            sink.refusal = refusal
        else:
            sink.answer = lambda number: refusal
        play_with(ada, bob)
        wait_until(lambda: sink.attempts == first + 1 and queue(server) == 0)
        (_, listed) = bob.http.get("/api/account/destinations").json()["destinations"]
        assert listed["failed"] is not None
        # The next event is tried again: the mailbox may be there again.
        sink.refusal, sink.answer = None, lambda number: "250 OK"
        play_with(ada, bob)
        wait_until(lambda: len(sink.received) == 2 and queue(server) == 0)
        (_, listed) = bob.http.get("/api/account/destinations").json()["destinations"]
        assert listed["failed"] is None


@pytest.mark.long
def test_a_server_that_hangs_delays_only_its_mail(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with smtp_sink() as sink, club(tmp_path, sink) as server, players(server) as (ada, bob):
        confirm(bob, sink)
        monkeypatch.setattr(deliveries, "SEND_SECONDS", 0.5)
        sink.hangs = lambda number: 3 if number == 2 else 0
        sink.answer = lambda number: "451 later" if number == 2 else "250 OK"
        play_with(ada, bob)
        wait_until(lambda: len(sink.received) == 2 and queue(server) == 0)


@pytest.mark.long
def test_a_goodbye_that_never_comes_doubles_no_mail(tmp_path: Path, quick: None) -> None:
    with smtp_sink() as sink, club(tmp_path, sink) as server, players(server) as (ada, bob):
        confirm(bob, sink)
        sink.hangs_at_quit = 5
        play_with(ada, bob)
        wait_until(lambda: queue(server) == 0)
        assert len(sink.received) == 2


def test_without_encryption_nothing_is_sent_unless_the_host_says_so(tmp_path: Path) -> None:
    with smtp_sink() as sink:
        plain = sink.url.replace("smtp+insecure", "smtp")
        with club(tmp_path, sink, smtp=plain) as server, signed_up_player(server) as bob:
            told = {"channel": "email", "address": BOB, "kinds": [], "password": PASSWORD}
            refused = bob.http.post("/api/account/destinations", json=told)
            assert error_of(refused) == (503, "mail-failed")
            assert sink.attempts == 0


@pytest.mark.long
def test_what_waits_for_the_hour_of_the_digest_is_one_mail(tmp_path: Path, quick: None) -> None:
    hour = (datetime.now(UTC) + timedelta(hours=2)).hour
    with smtp_sink() as sink, club(tmp_path, sink) as server, players(server) as (ada, bob):
        confirm(bob, sink, email={"zone": "UTC", "digest": hour})
        played = [play_with(ada, bob) for _ in range(3)]
        wait_until(lambda: queue(server) == 3)
        due = {row[0] for row in rows(server.database, "SELECT due FROM deliveries")}
        assert {datetime.fromisoformat(one).hour for one in due} == {hour}
        assert len(sink.received) == 1
        change(server.database, "UPDATE deliveries SET due = '2026-01-01T00:00:00.000Z'")
        wait_until(lambda: len(sink.received) == 2 and queue(server) == 0)
        mail = sink.received[1]
        assert mail["Subject"] == "3 notifications from Tavola"
        assert all(f"/match/{match}" in text_of(mail) for match in played)


def test_mail_is_written_in_the_language_of_its_receiver(tmp_path: Path, quick: None) -> None:
    with smtp_sink() as sink, club(tmp_path, sink) as server, players(server) as (ada, bob):
        bob.http.headers["accept-language"] = "ja"
        confirm(bob, sink)
        play_with(ada, bob)
        wait_until(lambda: len(sink.received) == 2)
        assert sink.received[0]["Subject"] == "Tavola：メールアドレスの確認"
        assert sink.received[1]["Subject"].endswith(": あなたの手番です")


def test_an_address_is_added_with_the_password_and_in_its_limits(tmp_path: Path) -> None:
    with smtp_sink() as sink, club(tmp_path, sink) as server, players(server) as (ada, bob):
        url = "/api/account/destinations"
        told: Json = {"channel": "email", "address": BOB, "kinds": [], "password": PASSWORD}
        for changed, error in (
            ({"password": "wrong"}, (403, "wrong-password")),
            ({"address": "bob"}, (422, "email-address")),
            ({"address": "bob@example.org\nbcc: x@example.org"}, (422, "email-address")),
            ({"email": {"zone": "Moon/Sea"}}, (422, "time-zone")),
            ({"email": {"zone": "../../etc/passwd"}}, (422, "time-zone")),
        ):
            assert error_of(bob.http.post(url, json=told | changed)) == error
        assert sink.attempts == 0
        made = add(bob)
        for _ in range(4):
            assert bob.http.post(f"{url}/{made['id']}/confirmation").status_code == 204
        refused = bob.http.post(f"{url}/{made['id']}/confirmation")
        assert error_of(refused) == (429, "mail-limit")
        assert error_of(ada.http.post(f"{url}/{made['id']}/confirmation")) == (
            404,
            "unknown-destination",
        )
        assert sink.attempts == 5


def test_a_link_ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(email, "CONFIRMATION_SECONDS", -1)
    with smtp_sink() as sink, club(tmp_path, sink) as server, signed_up_player(server) as bob:
        add(bob)
        link = link_in(text_of(sink.received[0]), "confirm")
        refused = bob.http.post("/api/email/confirm", json={"link": link})
        assert error_of(refused) == (410, "link-invalid")


def test_mail_is_off_until_the_host_switches_it_on(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        told = {"channel": "email", "address": BOB, "kinds": [], "password": PASSWORD}
        refused = ada.http.post("/api/account/destinations", json=told)
        assert error_of(refused) == (409, "channel-off")
        for url, request in (
            ("/api/email/confirm", {"link": "a.1.b"}),
            (RECOVERY, {"address": BOB}),
        ):
            assert error_of(ada.http.post(url, json=request)) == (409, "channel-off")


RECOVERY = "/api/account/recovery"


def recovery_link_in(mail: EmailMessage) -> str:
    found = re.search(rf"{ORIGIN}/recovery#(\S+)", text_of(mail))
    assert found is not None
    return found[1]


def test_a_confirmed_address_sets_a_new_password_once(tmp_path: Path, quick: None) -> None:
    with smtp_sink() as sink, club(tmp_path, sink) as server, players(server) as (ada, bob):
        confirm(bob, sink)
        add(ada, "ada@example.org")
        http = server.http
        # Unknown, unconfirmed and confirmed addresses: the same answer.
        for address in ("cy@example.org", "ada@example.org", "BOB@example.org"):
            answer = http.post(RECOVERY, json={"address": address})
            assert (answer.status_code, answer.content) == (204, b"")
        wait_until(lambda: len(sink.received) == 3)
        mail = sink.received[2]
        assert (mail["To"], mail["Subject"]) == (BOB, "Tavola: set a new password")
        link = recovery_link_in(mail)
        url, told = f"{RECOVERY}/password", {"link": link, "password": "a new password"}
        for changed, error in (
            ({"link": link[:-1] + ("0" if link[-1] != "0" else "1")}, (410, "link-invalid")),
            ({"link": "x"}, (410, "link-invalid")),
            ({"password": "short"}, (422, "password-length")),
        ):
            assert error_of(http.post(url, json=told | changed)) == error
        assert bob.me() is not None
        answer = http.post(url, json=told)
        assert answer.json()["account"]["name"] == bob.name
        http.cookies.clear()
        # Every session has ended, and so has the link.
        assert bob.me() is None
        assert error_of(http.post(url, json=told)) == (410, "link-invalid")
        signed = http.post(
            "/api/account/sign-in", json={"name": bob.name, "password": "a new password"}
        )
        assert signed.status_code == 200


def test_the_link_of_a_password_ends_with_time_and_with_the_password(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with smtp_sink() as sink, club(tmp_path, sink) as server, signed_up_player(server) as bob:
        confirm(bob, sink)
        monkeypatch.setattr(recovery, "RECOVERY_SECONDS", -1)
        bob.http.post(RECOVERY, json={"address": BOB})
        wait_until(lambda: len(sink.received) == 2)
        monkeypatch.undo()
        bob.http.post(RECOVERY, json={"address": BOB})
        wait_until(lambda: len(sink.received) == 3)
        changed = {"old": PASSWORD, "new": "another password"}
        assert bob.http.post("/api/account/password", json=changed).status_code == 204
        for mail in sink.received[1:]:
            told = {"link": recovery_link_in(mail), "password": "a new password"}
            refused = server.http.post(f"{RECOVERY}/password", json=told)
            assert error_of(refused) == (410, "link-invalid")


def test_links_of_passwords_are_limited_and_survive_a_failing_server(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "RETRY_SECONDS", (0.05, 0.05))
    with smtp_sink() as sink, club(tmp_path, sink) as server, signed_up_player(server) as bob:
        confirm(bob, sink)
        sink.answer = lambda number: "451 later" if number < 4 else "250 OK"
        assert bob.http.post(RECOVERY, json={"address": BOB}).status_code == 204
        wait_until(lambda: len(sink.received) == 2)
        assert sink.attempts == 4
        for _ in range(3):
            assert bob.http.post(RECOVERY, json={"address": BOB}).status_code == 204
        assert error_of(bob.http.post(RECOVERY, json={"address": BOB})) == (429, "mail-limit")
        assert error_of(bob.http.post(RECOVERY, json={"address": "bob"})) == (422, "email-address")
        wait_until(lambda: len(sink.received) == 5)


@pytest.mark.parametrize(
    ("options", "at", "due"),
    [
        (EmailOptions(), "2026-11-27T03:00", "2026-11-27T03:00"),
        (EmailOptions(quiet=(22, 7)), "2026-11-27T23:59", "2026-11-28T07:00"),
        (EmailOptions(quiet=(22, 7)), "2026-11-27T06:59", "2026-11-27T07:00"),
        (EmailOptions(quiet=(22, 7)), "2026-11-27T07:00", "2026-11-27T07:00"),
        (EmailOptions(quiet=(9, 17)), "2026-11-27T12:00", "2026-11-27T17:00"),
        (EmailOptions(quiet=(9, 9)), "2026-11-27T09:30", "2026-11-27T09:30"),
        (EmailOptions("Asia/Tokyo", quiet=(22, 7)), "2026-11-27T14:00", "2026-11-27T22:00"),
        (EmailOptions(digest=8), "2026-11-27T08:00", "2026-11-27T08:00"),
        (EmailOptions(digest=8), "2026-11-27T08:01", "2026-11-28T08:00"),
        # The clocks go back between the two.
        (EmailOptions("Europe/Berlin", digest=8), "2026-10-24T10:00", "2026-10-25T07:00"),
    ],
)
def test_times_are_those_of_the_zone(options: EmailOptions, at: str, due: str) -> None:
    found = mail_times.due_at(options, datetime.fromisoformat(f"{at}+00:00"))
    assert found == datetime.fromisoformat(f"{due}+00:00")


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("ada@example.org", True),
        ("ada+club@mail.example.co.jp", True),
        ("ada@localhost", False),
        ("ada@@example.org", False),
        ("ada..b@example.org", False),
        (".ada@example.org", False),
        ("ada@example.org ", False),
        ("Ada <ada@example.org>", False),
        (f"{'a' * 65}@example.org", False),
    ],
)
def test_addresses_are_checked(address: str, good: bool) -> None:
    assert is_address(address) is good


def test_the_settings_of_mail_are_read() -> None:
    server = parse_smtp_url("smtp://club%40example.org:p%3Aw@mail.example.org")
    assert (server.user, server.password, server.port) == ("club@example.org", "p:w", 587)
    for wrong in ("mail.example.org", "http://mail.example.org", "smtp://", "smtp://a:port"):
        with pytest.raises(ValueError, match="not an SMTP URL"):
            parse_smtp_url(wrong)
    assert parse_sender("Club <club@example.org>").display_name == "Club"
    for wrong in ("", "club", "Club <club>"):
        with pytest.raises(ValueError, match="not an address"):
            parse_sender(wrong)
