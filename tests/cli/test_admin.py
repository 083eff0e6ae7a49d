"""`tavola admin`: on the database of a server, also while it runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tavola.cli.app import build, run
from tests.server.databases import change, on_sqlite, url_of
from tests.server.live_server import PERSON, LiveServer, error_of, serve, wait_until
from tests.server.players import signed_up_player
from tests.server.server_process import process

Out = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A process of its own: its journal is not among what the commands say."""
    with process(tmp_path_factory.mktemp("server") / "tavola.db") as running:
        yield running.server


@pytest.fixture(autouse=True)
def database(
    server: LiveServer, terminal: None, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.setenv("TAVOLA_DATABASE", server.database)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("TAVOLA_ORIGIN", raising=False)


def admin(capsys: Out, *arguments: str, status: int = 0) -> str:
    """Run a command; return what it prints."""
    capsys.readouterr()
    language = () if "--lang" in arguments else ("--lang", "en")
    assert run(["admin", *arguments, *language]) == status
    told = capsys.readouterr()
    return told.err if status == 2 else told.out


def printed_json(capsys: Out, *arguments: str) -> Any:
    return json.loads(admin(capsys, *arguments, "--json"))


def test_accounts_are_listed_with_their_state(server: LiveServer, capsys: Out) -> None:
    with signed_up_player(server) as ada:
        admin(capsys, "grant", ada.name, "moderator")
        admin(capsys, "mute", ada.name, "--hours", "3")
        assert re.search(f"{ada.name} .* muted, moderator", admin(capsys, "accounts"))
        (row,) = printed_json(capsys, "accounts", ada.name.upper())
        assert (row["moderator"], row["organizer"], row["disabled"]) == (True, False, None)
        admin(capsys, "revoke", ada.name, "moderator")
        admin(capsys, "unmute", ada.name)
        (row,) = printed_json(capsys, "accounts", ada.name)
        assert (row["moderator"], row["muted"]) == (False, None)
        assert printed_json(capsys, "accounts", "no such name") == []


@pytest.mark.long
def test_every_act_is_logged(server: LiveServer, capsys: Out) -> None:
    before = len(printed_json(capsys, "log", "--limit", "1000"))
    with signed_up_player(server, "Grace") as grace:
        admin(capsys, "rename", "grace", "Grace H")
        admin(capsys, "disable", "Grace H", "--reason", "spam")
        wait_until(lambda: grace.me() is None)
        admin(capsys, "restore", "Grace H")
        link = admin(capsys, "password-link", "Grace H", "--origin", "https://club.example/")
        assert re.search(r"^https://club\.example/recovery#\S+$", link, re.MULTILINE)
        grace.name = "Grace H"
        assert grace.sign_in().is_success
    admin(capsys, "ban", "192.0.2.1", "--hours", "2", "--reason", "flood")
    assert [one["network"] for one in printed_json(capsys, "bans")] == ["192.0.2.1/32"]
    assert re.search(r"^192\.0\.2\.1 .* flood *$", admin(capsys, "bans"), re.MULTILINE)
    admin(capsys, "unban", "192.0.2.1")
    admin(capsys, "announce", "en=Closed", "ja=休みです")
    admin(capsys, "announce", "--end")
    log = printed_json(capsys, "log", "--limit", "1000")[before:]
    acts = ["rename", "disable", "restore", "password-link", "ban", "unban", "announce"]
    assert [one["act"] for one in log] == [*acts, "end-announcement"]
    assert {one["by"] for one in log} == {None}
    assert re.search(r"host +renamed +Grace +Grace H", admin(capsys, "log"))
    assert re.search(
        r"banned +192\.0\.2\.1 +until \d{4}-\d\d-\d\d \d\d:\d\d  flood", admin(capsys, "log")
    )


def test_the_log_is_in_words_of_the_language(server: LiveServer, capsys: Out) -> None:
    with signed_up_player(server) as ada:
        admin(capsys, "grant", ada.name, "moderator")
        admin(capsys, "revoke", ada.name, "moderator")
        admin(capsys, "mute", ada.name)
        log = admin(capsys, "log", "--lang", "ja")
        for act, detail in (
            ("モデレーター", "役割を付与"),
            ("モデレーター", "役割を解除"),
            ("チャット停止", "無期限"),
        ):
            assert re.search(f"ホスト +{act} +{ada.name} +{detail}", log)
        admin(capsys, "erase", ada.name, "--yes")
    *_, last = admin(capsys, "log").strip().splitlines()
    assert last.rstrip().endswith("account deleted")


def test_an_unknown_name_is_answered_with_similar_ones(server: LiveServer, capsys: Out) -> None:
    with signed_up_player(server) as ada:
        told = admin(capsys, "restore", f"{ada.name}x", status=2)
        assert told.splitlines()[-1].startswith("Similar names: ")
        assert ada.name in told
        assert "Similar" not in admin(capsys, "restore", "no such player", status=2)


def test_a_person_is_exported_and_erased(server: LiveServer, capsys: Out, tmp_path: Path) -> None:
    with signed_up_player(server) as ada:
        match = ada.begin(seats=[PERSON, PERSON])["match"]
        ada.do(match, "play", "Pnw")
        file = tmp_path / "ada.json"
        assert str(tmp_path) in admin(capsys, "export", ada.name, "--out", str(tmp_path), status=2)
        admin(capsys, "export", ada.name, "--out", str(file))
        exported = json.loads(file.read_text("utf-8"))
        own = ada.http.get("/api/account/export").json()
        assert [one["act"] for one in own["moderation"]] == ["export"]
        for part in ("account", "matches", "moderation", "results"):
            assert exported[part] == own[part], part
        assert "[Game" in exported["matches"][0]["record"]
        assert "--yes" in admin(capsys, "erase", ada.name, status=2)
        assert ada.me() is not None
        admin(capsys, "erase", ada.name, "--yes")
        assert ada.me() is None
        assert "no account" in admin(capsys, "restore", ada.name, status=2)
        assert ada.name not in admin(capsys, "log", "--limit", "1000")


def test_reports_are_listed_and_closed(server: LiveServer, capsys: Out) -> None:
    lines = []
    with server.create_match().connect() as chair:
        for text in ("rude", "ruder"):
            chair.send(type="say", seat=0, text=text)
            lines.append(chair.receive_until("chat")["lines"][0]["id"])
            chair.send(type="report", seat=1, line=lines[-1])
            chair.receive_until("reported")
        assert "ruder" in admin(capsys, "reports")
        assert [one["line"] for one in printed_json(capsys, "reports")] == lines[::-1]
        admin(capsys, "close-report", str(lines[0]))
        admin(capsys, "delete-line", str(lines[1]))
        assert [one["text"] for one in chair.receive_until("chat")["lines"]] == ["rude"]
    assert printed_json(capsys, "reports") == []


def test_figures_and_the_check(server: LiveServer, capsys: Out) -> None:
    server.create_match()
    figures = printed_json(capsys, "figures")
    assert figures["matches"] == sum(figures["by_game"].values()) >= 1
    assert "Games: " in admin(capsys, "figures")
    assert "is sound" in admin(capsys, "check", "--games")


@on_sqlite
def test_what_is_damaged_is_found(tmp_path: Path, capsys: Out) -> None:
    with serve(tmp_path) as server:
        server.create_match().play("Pnw")
        url = server.database
    change(tmp_path / "tavola.db", "UPDATE events SET position = 'x'")
    assert "is sound" in admin(capsys, "check", "--database", url)
    assert "has faults: 1" in admin(capsys, "check", "--games", "--database", url, status=1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bna"], ["bna", "Did you mean “ban”?"]),
        (["ban", "Ada"], ["“Ada”", "192.0.2.7"]),
        (["unban", "192.0.2.99"], ["no ban of 192.0.2.99."]),
        (["grant", "Ada", "king"], ["king", "organizer, moderator"]),
        (["restore", "no such player"], ["no account “no such player”"]),
        (["mute", "Ada", "--hours", "0"], ["--hours", "“0”"]),
        (["announce"], ["--end"]),
        (["announce", "x" * 301], ["300"]),
        (["delete-line", "999999"], ["999999"]),
        (["delete-line", "x"], ["LINE", "“x”"]),
        (["rename", "Ada"], ["NEW is missing"]),
        (["accounts", "--database", "sqlite:////nowhere/x.db"], ["/nowhere/x.db", "--database"]),
        (["accounts", "--database", "nonsense"], ["nonsense"]),
    ],
)
def test_wrong_commands_are_told_what_is_right(
    capsys: Out, arguments: list[str], said: list[str]
) -> None:
    told = admin(capsys, *arguments, status=2)
    for words in said:
        assert words in told
    assert run(["admin", *arguments, "--lang", "ja"]) == 2
    japanese = capsys.readouterr().err
    assert re.search("[ぁ-ん]", japanese), japanese
    assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", re.sub("no such player|`.*`", "", japanese)), (
        japanese
    )


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_command_has_help(capsys: Out, language: str) -> None:
    group: Any = build().commands["admin"]
    assert run(["admin", "--lang", language]) == 0
    overview = capsys.readouterr().out
    for name in group.commands:
        assert name in overview
        assert run(["admin", name, "--help", "--lang", language]) == 0
        told = capsys.readouterr().out
        assert "help." not in told
        assert bool(re.search("[ぁ-ん]", told)) is (language == "ja")


@pytest.mark.long
def test_a_database_of_another_schema_is_left_alone(tmp_path: Path, capsys: Out) -> None:
    with serve(tmp_path):
        pass
    file = tmp_path / "tavola.db"
    for revision, said in (("0001", "older schema"), ("9999", "newer version")):
        change(file, "UPDATE alembic_version SET version_num = :new", new=revision)
        assert said in admin(capsys, "accounts", "--database", url_of(file), status=2)


def test_a_banned_address_cannot_sign_in(server: LiveServer, capsys: Out) -> None:
    elsewhere = server.from_client("203.0.113.9")
    admin(capsys, "ban", "203.0.113.0/24")
    body = {"name": "Ada", "password": "correct horse"}
    wait_until(lambda: not elsewhere.http.get("/api/games").is_success)
    assert error_of(elsewhere.http.post("/api/account/sign-in", json=body)) == (403, "banned")
