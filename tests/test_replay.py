"""Replays: the positions that they show, and their page."""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import tavola
from tavola.messages import catalogue
from tavola.replay import Replay
from tests.test_picture import played


def data(page: str) -> dict[str, Any]:
    """The data of a page."""
    (packed,) = re.findall(r'id="data">([^<]+)<', page)
    loaded: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(packed)))
    return loaded


def test_chance_outcomes_are_shown_with_the_action_before() -> None:
    match = played("passtally", most=30)
    frames = match.replay().frames
    assert frames[0].number == 0
    assert frames[-1].number == len(match.actions)
    assert all(frame.state.to_act != tavola.CHANCE for frame in frames[1:-1])
    tokens = [token for frame in frames for _, token in frame.played]
    # The setup is too long to mark and is cut.
    assert tokens[-10:] == list(match.actions[-10:])


def test_a_replay_has_a_first_and_a_last_position() -> None:
    match = played("potlatch", most=12)
    replay = match.replay(first=3, last=6)
    assert [frame.number for frame in replay.frames] == [3, 4, 5, 6]
    assert replay.frames[0].played == ((match.states[2], match.actions[2]),)
    for first, last in ((-1, 3), (5, 4), (0, 13)):
        with pytest.raises(ValueError, match="from 0 to 12 in this order"):
            match.replay(first=first, last=last)
    with pytest.raises(ValueError, match="seat"):
        match.replay(seat=2)
    with pytest.raises(ValueError, match="12 actions have 13 states"):
        Replay(match.states[1:], match.actions)
    with pytest.raises(ValueError, match="13 states have as many shares, not 1"):
        Replay(match.states, match.actions, shares=[(0.5, 0.5)])


@pytest.mark.parametrize("name", tavola.games())
def test_a_page_contains_every_picture_in_both_languages(name: str) -> None:
    replay = played(name, most=14).replay(seat=0)
    page = replay.html()
    loaded = data(page)
    assert not re.findall(r'(?:src|href)="(?!#)|url\((?!#)|@import', page), "a link to a file"
    assert [len(loaded["captions"][language]) for language in ("en", "ja")] == [
        len(replay.frames)
    ] * 2
    for language in ("en", "ja"):
        for layout, width in (("wide", 720), ("narrow", 360)):
            for place, numbers in enumerate(loaded["pictures"][language][layout]):
                drawn = "".join(loaded["parts"][number] for number in numbers)
                picture = replay.picture(place, language=language, width=width)
                assert drawn == picture.svg("page")
    used = set(re.findall(r'href=\\?"#([^"\\]+)', json.dumps(loaded["parts"])))
    assert used <= set(re.findall(r'id="([^"]+)"', page))


def test_captions_tell_what_was_played() -> None:
    replay = tavola.Match(tavola.load("potlatch")).play("Pnw").replay()
    assert replay.caption(0, "en") == ""
    assert "Red moves the pawn to" in replay.caption(1, "en")
    assert "赤" in replay.caption(1, "ja")


def test_a_match_and_a_record_show_themselves_in_a_notebook() -> None:
    match = tavola.Match(tavola.load("potlatch")).play("Pnw")
    shown = match._repr_html_()
    (source,) = re.findall(r'srcdoc="([^"]+)"', shown)
    assert html.unescape(source) == match.replay().html()
    (record,) = tavola.read_records(match.record)
    assert record._repr_html_() == shown
    assert 'title="Replay of potlatch, 2 positions"' in shown


def test_a_replay_is_saved(tmp_path: Path) -> None:
    replay = tavola.Match(tavola.load("potlatch")).play("Pnw").replay(language="ja")
    replay.save(tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text("utf-8")
    assert '<html lang="ja">' in page
    replay.save(tmp_path / "a.gif", width=240, colours="dark")
    assert (tmp_path / "a.gif").read_bytes().startswith(b"GIF89a")
    with pytest.raises(tavola.PictureError, match=r"a.svg: the name must end in .html, .gif"):
        replay.save(tmp_path / "a.svg")


def test_every_message_of_the_page_is_used() -> None:
    script = files("tavola.replay").joinpath("page.js").read_text("utf-8")
    named = set(re.findall(r"words\(\)\.(\w+)", script)) | set(
        re.findall(r"button\('(\w+)'", script)
    )
    assert set(catalogue("tavola.replay", "en")) <= named | {"pause"}
