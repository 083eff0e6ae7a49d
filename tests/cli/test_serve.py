"""`tavola serve`: its address, ports in use, errors and its end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import tavola
from tavola.cli import databases, serve
from tavola.cli.agents import check_agent
from tavola.cli.app import run
from tavola.cli.errors import UsageError
from tavola.cli.locales import Translator
from tavola.cli.serve import Server
from tavola.server.settings import Settings
from tavola.server.storage.database import Database


def server(
    *, translate: Translator | None = None, port: int = 0, settings: Settings | None = None
) -> Server:
    return Server(
        translate=translate or Translator("en"),
        host="127.0.0.1",
        port=port,
        settings=settings or Settings(),
        browser=False,
        verbose=False,
    )


@pytest.mark.long
def test_it_serves_and_ends_on_ctrl_c(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tavola", "--port", "0", "--lang", "ja"]
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    with subprocess.Popen(
        [*command, "--database", f"sqlite:///{tmp_path / 'a' / 'b.db'}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = process.stdout.readline().split()[-1]
        assert str(tmp_path / "a" / "b.db") in process.stdout.readline()
        assert httpx.get(f"{address}/healthz").json()["status"] == "ok"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert "Traceback" not in process.stderr.read()


def test_a_taken_port_gets_a_message_and_the_next_free_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with server(port=port)._listen() as listening:
            free = listening.getsockname()[1]
        assert port < free <= port + serve.NEXT_PORTS
    assert capsys.readouterr().out == f"Port {port} is in use; using {free} instead.\n"


def test_no_free_port_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "NEXT_PORTS", 0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=str(port)):
            server(port=port)._listen()


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("0.0.0.0", "http://localhost:80"),
        ("::", "http://localhost:80"),
        ("::1", "http://[::1]:80"),
        ("tavola.example", "http://tavola.example:80"),
    ],
)
def test_the_address_can_be_typed_into_a_browser(host: str, address: str) -> None:
    assert serve._address(host, 80) == address


@pytest.mark.parametrize(
    "given",
    ["club.example", "https://club.example/", "https://me@club.example", "ws://club.example", "*"],
)
def test_what_no_browser_calls_an_origin_is_refused(
    given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", "--origin", given, "--lang", "en"]) == 2
    assert f"--origin cannot be “{given}”: an origin is written https" in capsys.readouterr().err


def test_origins_are_as_browsers_name_them() -> None:
    assert (
        serve.origin(Translator("en"), "HTTPS://Club.example:8443") == "https://club.example:8443"
    )


def test_a_database_is_shown_without_its_password() -> None:
    shown = databases.shown("postgresql+psycopg://me:secret@db/tavola")
    assert "secret" not in shown
    assert "db/tavola" in shown


def test_no_browser_is_opened_where_there_is_no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not serve._has_browser()


@pytest.mark.parametrize(
    ("database", "url", "said"),
    [
        ("sqlite:///tavola.db", "redis://127.0.0.1:6379", "tavola.db"),
        ("postgresql://db/tavola", "redis://:secret@127.0.0.1:1", "127.0.0.1:1"),
        ("postgresql://db/tavola", "http://127.0.0.1", "redis://"),
    ],
)
def test_what_cannot_join_several_servers_is_said(database: str, url: str, said: str) -> None:
    with pytest.raises(UsageError) as fault:
        server(settings=Settings(database=database, fan_out=url)).run()
    assert said in str(fault.value)
    assert "secret" not in str(fault.value)


@pytest.mark.parametrize(
    ("database", "english", "japanese"),
    [
        ("sqlite:///{folder}", "cannot open the file", "ファイルを開けません"),
        ("sqlite:///{text}", "not a database file", "データベースのファイルではありません"),
        ("mysql://db/tavola", "only SQLite and PostgreSQL", "使えるのは SQLite と PostgreSQL です"),
        ("nothing", "not a database URL", "データベースの URL ではありません"),
        ("sqlite:///tavola.db?uri=perhaps", "'perhaps'", "'perhaps'"),
        ("sqlite:///tavola.db?timeout=soon", "'soon'", "'soon'"),
    ],
)
def test_what_is_wrong_with_a_database_is_said_in_both_languages(
    tmp_path: Path, database: str, english: str, japanese: str
) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database" * 100)
    url = database.format(folder=tmp_path, text=text)
    for translate, said in ((Translator("en"), english), (Translator("ja"), japanese)):
        with pytest.raises(UsageError) as fault:
            server(translate=translate)._open(url)
        assert said in str(fault.value)


def test_a_database_that_can_only_be_read_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    file = tmp_path / "tavola.db"
    Database(f"sqlite:///{file}").close()
    url = f"sqlite:///file:{file}?mode=ro&uri=true"
    for translate, said in (
        (Translator("en"), "read-only"),
        (Translator("ja"), "読み取り専用です"),
    ):
        with pytest.raises(UsageError, match=said):
            server(translate=translate)._open(url)
    assert not list(elsewhere.iterdir())


def test_what_the_system_says_is_found_in_what_a_library_makes_of_it() -> None:
    with pytest.raises(UsageError) as fault:
        server(
            translate=Translator("ja"),
            settings=Settings(database="postgresql://db/tavola", fan_out="redis://127.0.0.1:1"),
        ).run()
    told = str(fault.value)
    assert told.startswith("redis://127.0.0.1:1 の Redis に接続できません：接続を拒否されました")


@pytest.mark.long
def test_an_agent_is_checked_before_the_server_starts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    agents = Path(__file__).parents[1] / "engines" / "python_agents.py"
    for given, english, japanese in (
        ("python:x.py:Y", "expected NAME=ENGINE", "NAME=ENGINE の形"),
        ("A=python:no.py:A", "there is no file 'no.py'", "no.py"),
        (f"A=python:{agents}:None_", "has no class None_; its agents: First, Random", "First"),
        (f"A=python:{agents}:Broken", "raised RuntimeError: no weights", "no weights"),
        ("A=level:9", "levels: 1 to 8", "1"),
    ):
        for language, words in (("en", english), ("ja", japanese)):
            assert run(["serve", "--engine", given, "--lang", language]) == 2
            assert words in capsys.readouterr().err
    assert run(["serve", "--engine", "A=random", "--engine", "A=random"]) == 2
    assert "two agents A" in capsys.readouterr().err


def test_an_agent_may_play_one_game_only() -> None:
    (first, *_) = tavola.games()
    assert tavola.load(first).network is None
    check_agent("net:nodes=10")
