"""The files of the client: types, compression, and the policy that lets the core's module run."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tavola.server.http.security_middleware import CONTENT_SECURITY_POLICY
from tavola.server.http.static_files import StaticFiles
from tests.server.live_server import LiveServer


def test_the_module_of_the_core_is_compressed_and_has_its_type(tmp_path: Path) -> None:
    (tmp_path / "core.wasm").write_bytes(bytes(4096))
    asset = StaticFiles(tmp_path).find("core.wasm")
    assert asset is not None
    assert asset.media_type == "application/wasm"
    assert asset.compressed is not None
    assert gzip.decompress(asset.compressed) == bytes(4096)


def test_the_module_of_the_core_may_come_while_the_server_runs(tmp_path: Path) -> None:
    files = StaticFiles(tmp_path)
    assert files.find("core.wasm") is None
    (tmp_path / "core.wasm").write_bytes(b"module")
    asset = files.find("core.wasm")
    assert asset is not None
    assert asset.body == b"module"


def test_the_policy_lets_a_module_run_but_no_text_as_script() -> None:
    (scripts,) = (part for part in CONTENT_SECURITY_POLICY.split("; ") if "script-src" in part)
    assert scripts == "script-src 'self' 'wasm-unsafe-eval'"


ADDRESSES = [
    "/",
    "/learn",
    "/learn/potlatch/first",
    "/puzzles",
    "/puzzles/potlatch/1",
    "/rules/potlatch",
    "/lobby",
    "/matches",
    "/ratings",
    "/account",
    "/analysis",
    "/archive",
    "/match",
    "/match/none",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_of_the_client_is_a_page(server: LiveServer, address: str) -> None:
    # These servers have no client, and answer with a page that says so. An unknown address is JSON.
    assert server.http.get(address).headers["content-type"].startswith("text/html")


def test_the_page_of_a_board_names_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "preloads.json").write_text('{"match/*": ["assets/a.js", "assets/b.js"]}')
    files = StaticFiles(tmp_path)
    scripts = "</assets/a.js>; rel=modulepreload, </assets/b.js>; rel=modulepreload"
    assert files.preload_header("/match/abc") == scripts
    game = "</api/games/potlatch>; rel=preload; as=fetch; crossorigin"
    assert files.preload_header("/match/abc/", "potlatch") == f"{scripts}, {game}"
    assert files.preload_header("/lobby") == ""
    assert StaticFiles(tmp_path / "none").preload_header("/match/abc") == ""
