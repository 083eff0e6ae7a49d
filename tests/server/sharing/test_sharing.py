"""Pictures, previews and the widget: contents, languages, hidden information, caches, limits."""

from __future__ import annotations

import asyncio
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import tavola
from tavola.puzzles import puzzle_file
from tavola.server.analysis import draw as drawing
from tavola.server.analysis.draw import Animation, DrawTask, Page, draw
from tavola.server.http.security_middleware import SECURITY_HEADERS
from tavola.server.http.sharing_routes import picture
from tavola.server.ops import rate_limits
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.sharing import drawings
from tavola.server.sharing.card import HEIGHT, WIDTH, Card, _wrapped
from tavola.server.sharing.drawings import Drawings
from tests.server.live_server import SHORTEST, LiveServer, Player, error_of, serve

GAME = "potlatch"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with a client that is a page only."""
    folder = tmp_path_factory.mktemp("site")
    client = folder / "client"
    client.mkdir()
    (client / "index.html").write_text("<head><title>Tavola</title></head><body></body>")
    with serve(folder, client=client) as server:
        yield server


@pytest.fixture(scope="module")
def over(site: LiveServer) -> Player:
    seats = [{"kind": "person", "name": 'Ada "<b>'}, {"kind": "person", "name": "Bea & Co"}]
    match = site.create_match(seats=seats)
    for turn in SHORTEST:
        match.play(*turn)
    return match


def tags(page: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', page)
    return {name: unescape(value) for name, value in found}


def test_the_page_of_a_match_has_a_preview(site: LiveServer, over: Player) -> None:
    page = site.http.get(f"/match/{over.match}")
    assert page.headers["content-type"].startswith("text/html")
    assert "<b>" not in page.text
    found = tags(page.text)
    assert found["og:title"] == 'Potlatch Klone: Ada "<b> – Bea & Co'
    assert found["og:description"] == "Red won after 7 actions."
    assert found["twitter:card"] == "summary_large_image"
    assert found["og:url"] == f"{site.address}/match/{over.match}"
    assert found["og:image"] == found["twitter:image"]
    image = site.http.get(found["og:image"])
    assert image.headers["content-type"] == "image/png"
    assert Image.open(io.BytesIO(image.content)).size == (WIDTH, HEIGHT)
    etag = image.headers["etag"]
    again = site.http.get(found["og:image"], headers={"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    japanese = site.http.get(f"/match/{over.match}", headers={"accept-language": "ja"})
    assert tags(japanese.text)["og:description"] == "7手で赤の勝ち。"
    assert tags(japanese.text)["og:locale"] == "ja_JP"
    assert "Accept-Language" in japanese.headers["vary"]


def test_positions_and_puzzles_have_previews(site: LiveServer) -> None:
    position = tavola.load(GAME, actions=3).start().play("Pnw").text
    query = {"game": GAME, "actions": "3", "position": position}
    found = tags(site.http.get("/analysis", params=query).text)
    assert found["og:title"] == "Potlatch Klone: position"
    assert found["og:description"] == "Turn 1: Red to move."
    assert site.http.get(found["og:image"]).status_code == 200
    puzzle = puzzle_file(GAME).puzzles[0]
    found = tags(site.http.get(f"/puzzles/{GAME}/{puzzle.id}").text)
    assert f"level {puzzle.level}" in found["og:title"]
    for token in puzzle.play.split():
        assert token not in found["og:description"]
    assert site.http.get(found["og:image"]).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/match/none",
        "/analysis",
        "/analysis?id=1",
        "/analysis?game=chess",
        "/analysis?game=potlatch&position=x",
        "/analysis?game=potlatch&none=1",
        "/analysis?match=none",
        "/puzzles/potlatch/none",
        "/puzzles/chess/none",
    ],
)
def test_pages_without_a_preview_are_the_client(site: LiveServer, path: str) -> None:
    answer = site.http.get(path)
    assert answer.status_code == 200
    assert "og:" not in answer.text


def test_pictures_of_a_match(site: LiveServer, over: Player) -> None:
    url = f"/api/matches/{over.match}"
    first, last = (site.http.get(f"{url}/picture.svg", params={"ply": ply}) for ply in (0, 7))
    assert first.headers["content-type"] == "image/svg+xml"
    assert first.text != last.text == site.http.get(f"{url}/picture.svg").text
    ET.fromstring(last.text)
    png = site.http.get(f"{url}/picture.png", params={"ply": 3, "width": 400, "colours": "dark"})
    assert Image.open(io.BytesIO(png.content)).size[0] == 400
    japanese = site.http.get(f"{url}/picture.svg", params={"language": "ja"}).text
    assert "赤" in japanese
    assert error_of(site.http.get(f"{url}/picture.svg?ply=8")) == (422, "unknown-position")
    for query in ("ply=-1", "ply=x", "width=1", "width=99999", "colours=x", "language=xx"):
        assert error_of(site.http.get(f"{url}/picture.svg?{query}")) == (422, "invalid"), query
    assert error_of(site.http.get("/api/matches/none/picture.svg")) == (404, "unknown-match")


def test_animations_and_pages(site: LiveServer, over: Player) -> None:
    url = f"/api/matches/{over.match}"
    gif = site.http.get(f"{url}/replay.gif")
    image: Any = Image.open(io.BytesIO(gif.content))
    assert (image.format, image.n_frames) == ("GIF", 8)
    page = site.http.get(f"{url}/replay.html", params={"language": "ja"})
    assert 'lang="ja"' in page.text
    assert page.headers["content-disposition"].startswith("attachment")


def test_positions_are_drawn(site: LiveServer) -> None:
    position = tavola.load(GAME).start().play("Pnw").text
    url = f"/api/games/{GAME}/picture"
    drawn = site.http.get(f"{url}.svg", params={"position": position})
    assert drawn.text == tavola.load(GAME).parse(position).picture_svg(None)
    png = site.http.get(f"{url}.png", params={"position": position, "width": 300})
    assert Image.open(io.BytesIO(png.content)).size[0] == 300
    assert error_of(site.http.get(f"{url}.svg?position=x")) == (422, "not-a-position")
    assert error_of(site.http.get(f"{url}.svg?options=x")) == (422, "unknown-option")
    assert error_of(site.http.get("/api/games/chess/card.png")) == (404, "unknown-game")
    assert error_of(site.http.get(f"/api/games/{GAME}/puzzles/x/card.png")) == (
        404,
        "unknown-puzzle",
    )


class Spy:
    """A state that records who looks at it."""

    def __init__(self) -> None:
        self.viewers: list[int | None] = []

    def picture_svg(self, viewer: int | None, **options: Any) -> str:
        self.viewers.append(viewer)
        return "<svg></svg>"


def test_pictures_show_what_spectators_see() -> None:
    spy: Any = Spy()
    match: Any = SimpleNamespace(
        history=[SimpleNamespace(token="a")], position_after=lambda ply: SimpleNamespace(state=spy)
    )
    for ply in (None, 0, 1):
        picture(match, ply, "en", "light", 720)
    Card(spy, "en", "", "").svg()
    assert spy.viewers == [None] * 4


def test_the_widget_alone_may_stand_in_frames(site: LiveServer, over: Player) -> None:
    widget = site.http.get(f"/embed/{over.match}")
    assert "frame-ancestors *" in widget.headers["content-security-policy"]
    assert "script-src 'self'" in widget.headers["content-security-policy"]
    assert f'data-match="{over.match}"' in widget.text
    assert "<b>" not in widget.text
    assert re.search(r"<script[^>]*>[^<]", widget.text) is None
    assert 'lang="ja"' in site.http.get(f"/embed/{over.match}?language=ja").text
    assert error_of(site.http.get("/embed/none")) == (404, "unknown-match")
    for path in (f"/match/{over.match}", "/", "/embed", "/api/games"):
        policy = site.http.get(path).headers["content-security-policy"]
        assert policy == SECURITY_HEADERS["content-security-policy"], path


def test_the_widget_follows_a_running_match(site: LiveServer, over: Player) -> None:
    assert site.http.get(f"{over.url}/shared").json() == {
        "plies": list(range(8)),
        "over": True,
        "text": "Red won after 7 actions.",
    }
    running = site.create_match()
    running.play("Pnw")
    shared = site.http.get(f"{running.url}/shared", params={"language": "ja"}).json()
    assert (shared["plies"], shared["over"]) == ([0, 1], False)
    assert shared["text"] == "第1手番、赤の番。"


@given(
    query=st.dictionaries(
        st.sampled_from(["game", "position", "options", "language", "width", "ply", "match", "id"]),
        st.text(max_size=20) | st.sampled_from(["potlatch", "0", "en", "720"]),
        max_size=4,
    )
)
def test_any_query_is_answered(site: LiveServer, over: Player, query: dict[str, str]) -> None:
    for path in (
        "/analysis",
        f"/api/games/{GAME}/picture.svg",
        f"/api/matches/{over.match}/picture.svg",
        f"/embed/{over.match}",
    ):
        answer = site.http.get(path, params=query)
        assert answer.status_code in (200, 422), (path, query, answer.text)
        if answer.status_code == 422:
            error_of(answer)


def test_without_the_packages_there_are_no_images(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*names: str) -> None:
        raise tavola.PictureError("missing")

    monkeypatch.setattr(drawings, "check_packages", missing)
    client = tmp_path / "client"
    client.mkdir()
    (client / "index.html").write_text("<title>Tavola</title>")
    with serve(tmp_path, client=client) as server:
        match = server.create_match()
        assert error_of(server.http.get(f"{match.url}/card.png")) == (501, "no-images")
        found = tags(server.http.get(f"/match/{match.match}").text)
        assert "og:title" in found
        assert "og:image" not in found


def test_drawing_is_limited(site: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_WAITING_WORK", 0)
    answer = site.http.get(f"/api/games/{GAME}/card.png?options=layout%3Drow")
    assert error_of(answer) == (429, "busy")
    monkeypatch.undo()
    monkeypatch.setattr(rate_limits, "WORK", rate_limits.Limit(0.0, 0.0, "analysis-limit"))
    answer = site.http.get(f"/api/games/{GAME}/card.png?options=layout%3Drow")
    assert error_of(answer) == (429, "analysis-limit")


def test_what_is_not_drawn_in_time_is_stopped(
    site: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawings, "SECONDS", dict.fromkeys(drawings.SECONDS, 0.0))
    answer = site.http.get(f"/api/games/{GAME}/card.png?options=actions%3D3")
    assert error_of(answer) == (500, "drawing-failed")


def test_long_games_have_shorter_animations(monkeypatch: pytest.MonkeyPatch) -> None:
    match = tavola.Match(tavola.load(GAME))
    for turn in SHORTEST:
        for token in turn:
            match.play(token)
    monkeypatch.setattr(drawing, "MOST_FRAMES", 3)
    image: Any = Image.open(io.BytesIO(draw(Animation(match.record, "en", "light", 240))))
    assert image.n_frames == 4
    assert draw(Page(match.record, "en")).startswith(b"<!doctype html>")


@pytest.mark.parametrize("game", tavola.games())
@pytest.mark.parametrize("language", ["en", "ja"])
def test_cards_of_every_game(game: str, language: str) -> None:
    state = tavola.load(game).start()
    svg = Card(state, language, "A heading & <more>" * 9, "言葉" * 80).svg()
    root = ET.fromstring(svg)
    assert (root.get("width"), root.get("height")) == (str(WIDTH), str(HEIGHT))


@given(text=st.text(max_size=200), most=st.integers(2, 30), lines=st.integers(1, 5))
def test_any_text_is_wrapped(text: str, most: int, lines: int) -> None:
    assert len(_wrapped(text, most, lines)) <= lines


def test_the_cache_forgets_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[DrawTask] = []

    async def run(self: Drawings, task: DrawTask, client: str) -> bytes:
        drawn.append(task)
        return b"x" * 60

    async def work() -> None:
        cached = Drawings(RateLimits())
        one, two = Page("one", "en"), Page("two", "en")
        for task in (one, one, two, two, one):
            assert (await cached.get(task, "")).body == b"x" * 60
        # Two at once are one drawing.
        await asyncio.gather(*(cached.get(Page("three", "en"), "") for _ in range(3)))
        await cached.close()

    monkeypatch.setattr(drawings, "CACHE_BYTES", 100)
    monkeypatch.setattr(Drawings, "_run", run)
    asyncio.run(work())
    assert len(drawn) == 4
