"""Routes, refusals, headers: what answers, and that nothing answers with a trace."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

import tavola
from tavola.language import LANGUAGES
from tavola.messages import catalogue
from tavola.server.errors import STATUSES
from tavola.server.ops import rate_limits
from tavola.server.schema.errors import VALIDATION_FAULTS
from tests.server.live_server import ENGINE, HOT_SEAT, PERSON, LiveServer, error_of, serve

NEW = {"game": "potlatch", "seats": HOT_SEAT}


def test_health(server: LiveServer) -> None:
    assert server.http.get("/healthz").json() == {"status": "ok", "version": tavola.__version__}


def test_games(server: LiveServer) -> None:
    known = server.http.get("/api/games").json()
    assert [game["name"] for game in known] == list(tavola.games())
    (game,) = (game for game in known if game["name"] == "potlatch")
    assert game["seats"] == [2, 2]
    assert game["options"][0] == {"name": "actions", "values": ["2", "3"]}
    assert set(game["words"]) == set(LANGUAGES)
    assert not {"symbols", "theme", "rules"} & set(game)
    assert len(server.http.get("/api/games").content) < 20_000
    assert all(one["proofs"] is not one["has_chance"] for one in known)


def test_game(server: LiveServer) -> None:
    listed = {game["name"]: game for game in server.http.get("/api/games").json()}
    game = server.http.get("/api/games/potlatch").json()
    assert "<g" in game["symbols"]
    assert "colours" in game["theme"]
    assert "rules" not in game
    summary = listed["potlatch"]
    assert {key: game[key] for key in summary if key != "words"} == {
        key: value for key, value in summary.items() if key != "words"
    }
    for language, words in summary["words"].items():
        assert "game.title" in words
        assert words.items() <= game["words"][language].items()
    assert error_of(server.http.get("/api/games/chess")) == (404, "unknown-game")


def test_what_a_client_has_is_not_sent_again(server: LiveServer) -> None:
    first = server.http.get("/api/games")
    assert first.headers["content-encoding"] == "gzip"
    again = server.http.get("/api/games", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = server.http.get("/api/games", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == first.content


def test_preview(server: LiveServer) -> None:
    default = server.http.get("/api/games/potlatch/preview").json()["view"]
    row = server.http.get("/api/games/potlatch/preview", params={"layout": "row"}).json()["view"]
    assert default["game"] == row["game"] == "potlatch"
    assert default != row


@pytest.mark.parametrize("name", tavola.games())
def test_a_cover_is_a_position_in_the_middle_of_a_game(server: LiveServer, name: str) -> None:
    view = server.http.get(f"/api/games/{name}/cover").json()["view"]
    start = server.http.get(f"/api/games/{name}/preview").json()["view"]
    assert view["outcome"] is None
    assert view["pieces"] != start["pieces"]
    theme = server.http.get(f"/api/games/{name}").json()["theme"]
    areas = {area["id"] for area in view["areas"]}
    assert set(theme["cover"].get("areas", areas)) <= areas


def test_levels_look_further_and_blunder_less_towards_the_strongest(server: LiveServer) -> None:
    for game in server.http.get("/api/games").json():
        levels = game["levels"]
        assert len(levels) == 8
        sights = [level["lookahead"] for level in levels]
        assert sights == sorted(sights), game["name"]
        assert levels[0]["blunders"] > 0
        assert levels[-1]["blunders"] == 0


@pytest.mark.parametrize(
    ("path", "refusal"),
    [
        ("/api/games/chess/cover", (404, "unknown-game")),
        ("/api/games/chess/preview", (404, "unknown-game")),
        ("/api/games/chess/rules/en", (404, "unknown-game")),
        ("/api/games/potlatch/rules/tlh", (404, "unknown-language")),
        ("/api/games/potlatch/preview?layuot=row", (422, "unknown-option")),
        ("/api/games/potlatch/preview?layout=rwo", (422, "unknown-value")),
        ("/api/games/potlatch/preview?actions=", (422, "unknown-value")),
        ("/api/matches/%00", (404, "not-found")),
        ("/api/account/matches?after=%00", (422, "invalid")),
        ("/api/matches/none", (404, "unknown-match")),
        ("/api/matches/none/record", (404, "unknown-match")),
        ("/api/matches/none/explain", (404, "unknown-match")),
        ("/api/matches/" + "x" * 3000, (404, "unknown-match")),
        ("/api/nothing", (404, "not-found")),
        ("/api/matches", (405, "method")),
        ("/assets/nothing.js", (404, "not-found")),
        ("/..%2f..%2fetc/passwd.txt", (404, "not-found")),
        ("/%00.txt", (404, "not-found")),
        ("/api/matches/none/prospect?token=Pnw", (422, "invalid")),
        ("/api/matches/none/plan", (422, "invalid")),
        ("/api/matches/none/explain?" + "&".join(["touched=a"] * 17), (422, "invalid")),
    ],
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_refusals_by_address(
    server: LiveServer, path: str, refusal: tuple[int, str], language: str
) -> None:
    answer = server.http.get(path, headers={"accept-language": language})
    assert error_of(answer) == refusal
    assert answer.json()["message"].isascii() is (language == "en") or "“" in answer.text
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        (b"", (422, "invalid")),
        (b"{", (400, "malformed")),
        (b"\xff\xfe\x00", (400, "malformed")),
        (b"[" * 10_000, (422, "invalid")),
        (b'{"game": ' + b"[" * 10_000, (422, "invalid")),
        (b'{"options": {"a": "' + b"\\ud800" + b'"}}', (400, "malformed")),
        (b"null", (422, "invalid")),
        (b"[]", (422, "invalid")),
        (b"{}", (422, "invalid")),
        (b'{"game": 1, "seats": []}', (422, "invalid")),
        (b'{"game": "potlatch", "seats": 2}', (422, "invalid")),
        (b'{"game": "potlatch", "seats": [], "more": 1}', (422, "invalid")),
        (b'{"game": "potlatch", "seats": [{"kind": "cat"}]}', (422, "invalid")),
        (b'{"game": "potlatch", "seats": [{"kind": "engine", "seconds": 1e9}]}', (422, "invalid")),
        (b'{"game": "potlatch", "seats": [{"kind": "engine", "seconds": -1}]}', (422, "invalid")),
        (
            b'{"game": "potlatch", "seats": [{"kind": "engine", "seconds": NaN}]}',
            (400, "malformed"),
        ),
        (b'{"game": "potlatch", "seats": [], "options": {"actions": [2]}}', (422, "invalid")),
        (b'{"game": "potlatch", "seats": [], "confirm": 1}', (422, "invalid")),
        (b'{"game": "chess", "seats": []}', (404, "unknown-game")),
        (b'{"game": "potlatch", "seats": []}', (422, "seat-count")),
        (b'{"game": "potlatch", "seats": [], "options": {"x": 1}}', (422, "unknown-option")),
        (b'{"game": "potlatch", "seats": [], "options": {"actions": 4}}', (422, "unknown-value")),
        (b" " * (rate_limits.MAX_BODY_BYTES + 1), (413, "too-large")),
    ],
)
def test_refusals_of_a_new_match(server: LiveServer, body: bytes, refusal: tuple[int, str]) -> None:
    english = server.http.post("/api/matches", content=body)
    assert error_of(english) == refusal
    japanese = server.http.post(
        "/api/matches", content=body, headers={"accept-language": "ja, en;q=0.5"}
    )
    assert error_of(japanese) == refusal
    assert japanese.headers["content-language"] == "ja"
    assert japanese.json()["message"] != english.json()["message"]


def test_every_wrong_option_is_reported_and_long_ones_are_shortened(server: LiveServer) -> None:
    options = {"x": "1", "actions": 4, "layout": "y" * 3000}
    body = {"game": "potlatch", "seats": [], "options": options}
    for language, said in (("en", "There is no option “x”"), ("ja", "「x」というオプションは")):
        answer = server.http.post("/api/matches", json=body, headers={"accept-language": language})
        assert error_of(answer) == (422, "unknown-option")
        message = answer.json()["message"]
        assert said in message
        assert "actions" in message
        assert "triangle" in message
        assert len(message) < 700


def test_a_body_without_a_length_is_limited_too(server: LiveServer) -> None:
    pieces = (b" " * 10_000 for _ in range(10))
    assert error_of(server.http.post("/api/matches", content=pieces)) == (413, "too-large")


@pytest.mark.parametrize(
    "spoil",
    [
        {"id": ""},
        {"id": "x" * 65},
        {"id": 1},
        {"seq": "0"},
        {"seq": -1},
        {"seq": 1.5},
        {"seat": None},
        {"seat": -1},
        {"do": "cheat"},
        {"token": 5},
        {"token": "x" * 201},
        {"more": True},
    ],
)
def test_a_command_is_read_strictly(server: LiveServer, spoil: dict[str, object]) -> None:
    guest = server.create_match()
    command = {"id": "c", "seq": 0, "seat": 0, "do": "play", "token": "Pw"} | spoil
    answer = server.http.post(f"{guest.url}/commands", json=command, headers=guest.headers)
    assert error_of(answer) == (422, "invalid")
    assert guest.snapshot()["seq"] == 0


def test_every_reason_has_its_words() -> None:
    english, japanese = (catalogue("tavola.server.schema", language) for language in ("en", "ja"))
    assert STATUSES.keys() | {f"fault.{fault}" for fault in VALIDATION_FAULTS} | {"none"} == {
        key for key in english if not key.startswith("type.")
    }
    for key, text in english.items():
        assert text.isascii() or "“" in text
        # Japanese has its own punctuation, and no spaces around numbers.
        assert key == "type.null" or not japanese[key].isascii()
        assert not re.search(r"[():]", re.sub(r"`.*?`|NAME=VALUE", "", japanese[key])), key
    assert all(400 <= status < 600 for status in STATUSES.values())


def test_server_and_screens_word_an_error_alike() -> None:
    for language in ("en", "ja"):
        messages = Path(__file__).parents[3] / f"web/messages/{language}.json"
        screens = json.loads(messages.read_text("utf-8"))
        for code, text in catalogue("tavola.server.schema", language).items():
            # A screen has no parameters, says "game" for a match, and shows the current position.
            if "{" not in text and code not in ("paused", "stale"):
                assert screens.get(f"error_{code.replace('-', '_')}", text) == text, code


def test_every_answer_has_the_security_headers(server: LiveServer) -> None:
    for path in ("/api/games", "/", "/api/nothing", "/healthz"):
        answer = server.http.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"


def test_other_pages_may_not_command(server: LiveServer) -> None:
    for origin in ("https://evil.example", "null", "http://["):
        refused = server.http.post("/api/matches", json=NEW, headers={"origin": origin})
        assert error_of(refused) == (403, "origin")
        assert "set-cookie" not in refused.headers
    own = server.http.post("/api/matches", json=NEW, headers={"origin": server.address})
    assert own.status_code == 201


def test_allowed_origins_may_command(tmp_path: Path) -> None:
    with serve(tmp_path, origins=("https://club.example",)) as server:
        origin = {"origin": "https://club.example"}
        assert server.http.post("/api/matches", json=NEW, headers=origin).status_code == 201


def test_one_client_cannot_ask_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rate_limits.REQUESTS.burst >= 1000
    monkeypatch.setattr(rate_limits, "REQUESTS", rate_limits.Limit(0.1, 30.0))
    with serve(tmp_path) as server:
        answers = [server.http.get("/api/nothing") for _ in range(31)]
        assert [answer.status_code for answer in answers] == [404] * 30 + [429]
        assert error_of(answers[-1]) == (429, "too-fast")
        assert "content-security-policy" in answers[-1].headers


def test_without_a_client_the_page_explains_how_to_build_one(server: LiveServer) -> None:
    for path in ("/", "/m/abc"):
        page = server.http.get(path, headers={"accept": "text/html", "accept-language": "ja"})
        assert page.status_code == 503
        assert page.headers["content-type"].startswith("text/html")
        assert "make build" in page.text
        assert "ビルド" in page.text


class TestClient:
    @pytest.fixture
    def web(self, tmp_path: Path) -> Path:
        web = tmp_path / "web"
        (web / "assets").mkdir(parents=True)
        (web / "index.html").write_text("<!doctype html><title>Tavola</title>")
        (web / "assets" / "index-BuXb1q2Z.js").write_text("console.log(1);" * 200)
        (web / "assets" / "plain.css").write_text("a{}")
        (tmp_path / "secret.txt").write_text("secret")
        return web

    def test_its_page_answers_every_address_of_its_own(self, web: Path) -> None:
        with serve(web.parent, client=web) as server:
            for path in ("/", "/index.html", "/m/abc", "/rules/potlatch"):
                page = server.http.get(path)
                assert page.status_code == 200
                assert page.headers["content-type"] == "text/html; charset=utf-8"
                assert page.headers["cache-control"] == "no-cache"
                assert "<title>Tavola" in page.text
            assert error_of(server.http.get("/nothing.png")) == (404, "not-found")
            assert error_of(server.http.get("/..%2Fsecret.txt")) == (404, "not-found")

    def test_hashed_files_are_kept_and_compressed(self, web: Path) -> None:
        with serve(web.parent, client=web) as server:
            script = server.http.get("/assets/index-BuXb1q2Z.js")
            assert script.headers["content-type"] == "text/javascript; charset=utf-8"
            assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert script.headers["content-encoding"] == "gzip"
            assert script.text == "console.log(1);" * 200
            with server.http.stream("GET", "/assets/index-BuXb1q2Z.js") as raw:
                packed = b"".join(raw.iter_raw())
            assert gzip.decompress(packed).decode() == script.text
            assert server.http.get("/assets/plain.css").headers["cache-control"] == "no-cache"


def test_an_internal_error_is_reported_without_its_trace(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("tavola.server.snapshots.rules_page.render_page", fail)
    answer = server.http.get("/api/games/potlatch/rules/en")
    assert error_of(answer) == (500, "internal")
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text


def test_an_engine_may_sit_anywhere(server: LiveServer) -> None:
    guest = server.create_match(seats=[ENGINE, PERSON])
    assert [seat["kind"] for seat in guest.snapshot()["seats"]] == ["engine", "person"]
    assert guest.snapshot()["seats"][0]["seconds"] == 0.02
