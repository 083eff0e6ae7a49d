"""Pictures of positions: complete, as the viewer sees them, in every game, language and colour."""

from __future__ import annotations

import base64
import io
import random
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import resvg_py
from PIL import Image

import tavola
from tavola import raster
from tavola import view as views
from tavola.messages import translated

SVG = "{http://www.w3.org/2000/svg}"


def played(name: str, seed: int = 1, most: int = 120, **options: int) -> tavola.Match:
    """A match of random actions."""
    match = tavola.Match(tavola.load(name, **options), seed=seed)
    rng = random.Random(seed)
    while match.state.outcome is None and len(match.actions) < most:
        match.play(rng.choice(match.state.legal_actions))
    return match


def check(svg: str) -> ElementTree.Element:
    """Checks that a picture is complete; returns its tree."""
    root = ElementTree.fromstring(svg)
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg))
    assert {one or other for one, other in used} <= set(ids)
    assert len(ids) == len(set(ids))
    assert "⟨" not in svg, "a message is missing"
    assert "currentColor" not in svg, "a colour is missing"
    return root


@pytest.mark.parametrize("name", tavola.games())
def test_every_position_has_a_complete_picture(name: str) -> None:
    match = played(name)
    for state in match.states[:: max(1, len(match.states) // 4)]:
        for seat in (None, *range(state.game.seats)):
            for language in ("en", "ja"):
                picture = state.picture(seat, language=language)
                root = check(picture.svg())
                assert "var(--" not in picture.svg() + picture.svg("dark")
                assert root.get("width") == "720"
                assert root.get("aria-label") == picture.title


def test_a_picture_says_whose_turn_it_is_and_what_the_scores_are() -> None:
    state = tavola.load("potlatch").start().play("Pnw")
    texts = [one.text for one in check(state.picture().svg()).iter(f"{SVG}text")]
    assert texts[:2] == ["Potlatch Klone", "Turn 1"]
    assert texts.count("to play") == 1
    assert texts.count("0/3") == 2
    assert "Turn 1, seen by Blue" in state.picture(1).title
    assert "1手番目（青の視点）" in state.picture(1, language="ja").title


def test_a_picture_of_the_end_names_the_winner() -> None:
    match = played("potlatch", most=1000)
    assert match.state.outcome is not None
    texts = [one.text for one in check(match.state.picture().svg()).iter(f"{SVG}text")]
    assert texts.count("won") == len(match.state.outcome.winners)
    assert "to play" not in texts


def test_cards_and_supplies_are_in_the_picture() -> None:
    title = tavola.load("proteus").start().picture().title
    assert "Move: none yet: No red tile is face up yet." in title
    assert "Tiles to place 9" in title


@pytest.mark.parametrize("name", tavola.games())
def test_only_the_seat_to_act_sees_its_choices(name: str) -> None:
    for state in played(name, most=40).states:
        cells = [cell for area in views.view(state).areas for cell in area.cells]
        marks = [mark for cell in cells for mark in cell.marks]
        choices = {mark.symbol for mark in marks if mark.choosing}
        choices -= {mark.symbol for mark in marks if not mark.choosing}
        for seat in (None, *range(state.game.seats)):
            svg = state.picture(seat).svg()
            seen = {symbol for symbol in choices if f'href="#{symbol}"' in svg}
            assert seen == (choices if seat == state.to_act else set())


def test_a_picture_contains_only_the_symbols_that_it_uses() -> None:
    state = tavola.load("potlatch").start()
    assert 'id="chip-neutral"' not in state.picture().svg()
    assert 'id="pawn-red"' in state.picture().svg()
    assert "<defs>" not in state.picture().svg("page")


def test_a_picture_marks_what_was_just_played() -> None:
    before = tavola.load("potlatch").start()
    after = before.play("Pw")
    plain = check(after.picture().svg())
    marked = check(after.picture(played=[(before, "Pw")]).svg())
    count = f"{SVG}polygon"
    assert len(list(marked.iter(count))) > len(list(plain.iter(count)))
    with pytest.raises(tavola.IllegalAction):
        after.picture(played=[(before, "Pe")])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seat": 2}, "seat"),
        ({"seat": -1}, "seat"),
        ({"language": "fr"}, 'language must be en or ja, not "fr"'),
        ({"width": 239}, "width must be from 240 to 4000 pixels, not 239"),
        ({"width": 4001}, "not 4001"),
    ],
)
def test_a_wrong_argument_is_named(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tavola.load("potlatch").start().picture(**arguments)  # type: ignore[arg-type]


def test_wrong_colours_are_named() -> None:
    picture = tavola.load("potlatch").start().picture()
    with pytest.raises(ValueError, match='light, dark, both or page, not "sepia"'):
        picture.svg("sepia")
    with pytest.raises(ValueError, match="light or dark, not 'both'"):
        picture.png(colours="both")


def test_a_state_shows_itself_in_a_notebook() -> None:
    state = tavola.load("passtally").start()
    shown = state._repr_html_()
    (source,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', shown)
    svg = base64.b64decode(source).decode()
    assert svg == state.picture().svg("both")
    assert "prefers-color-scheme:dark" in svg
    assert 'alt="Passtally; Turn 1; ' in shown
    assert state._repr_svg_() == state.picture().svg()


def test_a_description_is_escaped() -> None:
    svg = tavola.load("potlatch").start().svg(title='"<&>')
    assert ElementTree.fromstring(svg).get("aria-label") == '"<&>'


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_picture_is_saved(tmp_path: Path, colours: str) -> None:
    picture = tavola.load("potlatch").start().picture(width=300)
    picture.save(tmp_path / "a.svg", colours=colours)
    assert (tmp_path / "a.svg").read_text("utf-8") == picture.svg(colours)
    picture.save(tmp_path / "a.PNG", colours=colours)
    with Image.open(tmp_path / "a.PNG") as image:
        assert image.width == 600
        pixel = image.convert("RGB").getpixel((300, 4))
    assert isinstance(pixel, tuple)
    assert (max(pixel) > 128) == (colours == "light")
    with pytest.raises(tavola.PictureError, match=r"a.jpg: the name must end in .svg, .png"):
        picture.save(tmp_path / "a.jpg")


def test_a_png_has_text() -> None:
    svg = tavola.load("potlatch").start().picture(width=300).svg()
    without = re.sub(r"<text.*?</text>", "", svg)
    assert raster.png(svg, 300) != raster.png(without, 300)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        raster, "find_spec", lambda name: None if name == "PIL" else find_spec(name)
    )
    raster.check_packages("resvg_py")
    with pytest.raises(
        tavola.PictureError, match=r"Pillow; install them with: pip install 'tavola"
    ):
        raster.check_packages("resvg_py", "PIL")


def test_a_missing_font_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    raster._check_fonts.cache_clear()
    monkeypatch.setattr(raster, "_render", lambda svg, width: b"the same")
    with pytest.raises(tavola.PictureError, match="no font"):
        raster.png("<svg/>", 9)


def test_a_machine_without_japanese_letters_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    dejavu = Path(pytest.importorskip("matplotlib").get_data_path(), "fonts/ttf/DejaVuSans.ttf")

    def render(svg: str, width: int) -> bytes:
        plain = svg.replace("system-ui", "DejaVu Sans")
        fonts: Any = {"skip_system_fonts": True, "font_files": [str(dejavu)]}
        return bytes(resvg_py.svg_to_bytes(svg_string=plain, width=width, **fonts))

    monkeypatch.setattr(raster, "_render", render)
    monkeypatch.setattr(raster, "_known", {})
    state = tavola.load("potlatch").start()
    assert state.picture(width=300).png()
    japanese = state.picture(language="ja", width=300)
    with pytest.raises(tavola.PictureError, match="install Noto Sans CJK") as caught:
        japanese.png()
    assert "Noto Sans CJK を入れてください" in translated(caught.value, "ja")
    with pytest.raises(tavola.PictureError, match="Noto"):
        list(tavola.Match(tavola.load("potlatch")).replay(language="ja").gif())
    # Link previews are drawn as far as possible, and the log says what they lack.
    svg = japanese.svg("light")
    assert raster.png(svg, 300, complete=False)
    assert "赤" in raster.missing_characters(svg)


def test_a_gif_has_every_frame_and_one_size() -> None:
    match = played("proteus", most=4)
    replay = match.replay()
    *steps, image = replay.gif(width=240, seconds=0.5)
    assert steps == [None] * len(replay.frames)
    assert image is not None
    with Image.open(io.BytesIO(image)) as shown:
        assert getattr(shown, "n_frames", 1) == len(replay.frames)
        assert shown.width == 240
        assert shown.info["duration"] == 500


def test_pictures_need_no_package_for_images() -> None:
    assert "PIL" not in vars(sys.modules["tavola.raster"])
