"""Every request: host names, origins, HEAD, private answers."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tavola.cli.serve import _names
from tests.server.live_server import LiveServer, error_of, serve
from tests.server.players import signed_up_player


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("named")
    with serve(folder, names=("Box",), origins=("https://club.example:8443",)) as running:
        yield running


@pytest.mark.parametrize("host", ["x:99999", "x y", "x/y", "[::1", "x:", "é"])
def test_a_host_that_is_none_is_refused(server: LiveServer, host: str) -> None:
    answer = server.http.get("/api/games", headers={b"host": host.encode()})
    assert error_of(answer) == (421, "host")
    assert error_of(server.http.get("/embed/x", headers={b"host": host.encode()})) == (421, "host")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8000", 200),
        ("tavola.localhost", 200),
        ("127.0.0.1:1", 200),
        ("[::1]:8000", 200),
        ("192.168.1.5", 200),
        ("club.example", 200),
        ("box:8000", 200),
        ("localhost.", 200),
        ("evil.example", 421),
        ("localhost.evil.example:8000", 421),
    ],
)
def test_a_server_has_names_of_its_own_only(named: LiveServer, host: str, status: int) -> None:
    answer = named.http.get("/api/games", headers={"host": host})
    assert answer.status_code == status
    if status == 421:
        assert error_of(answer) == (421, "host")
        assert "--origin" in answer.json()["message"]


def test_a_server_is_known_by_the_names_of_its_machine() -> None:
    machine = socket.gethostname()
    assert _names("tavola.example") == ("tavola.example", machine, f"{machine}.local")
    assert _names("") == (machine, f"{machine}.local")


def test_an_origin_without_a_host_is_no_page_of_ours(server: LiveServer) -> None:
    host, port = server.address.removeprefix("http://").split(":")
    head = "POST /api/matches HTTP/1.1\r\nHost:{}\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n"
    for name, status in (("", b" 421 "), (" localhost", b" 403 ")):
        with socket.create_connection((host, int(port)), 5) as connected:
            connected.sendall(head.format(name).encode())
            assert status in connected.recv(4096)


def test_head_is_answered_wherever_get_is(server: LiveServer) -> None:
    guest = server.create_match()
    paths = ("/", "/healthz", "/readyz", "/metrics", "/api/games", "/api/lobby", guest.url)
    for path in (*paths, f"{guest.url}/record", "/api/nothing"):
        got, head = server.http.get(path), server.http.head(path)
        assert head.status_code == got.status_code, path
        assert head.headers["content-type"] == got.headers["content-type"]
        assert head.content == b""
    # A stream would never end.
    assert server.http.head(f"{guest.url}/stream").status_code == 200
    assert error_of(server.http.put("/api/games")) == (405, "method")


def test_what_is_an_account_s_is_not_stored(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        for path in ("", "/matches", "/sessions", "/export"):
            assert ada.http.get(f"/api/account{path}").headers["cache-control"] == "no-store"
