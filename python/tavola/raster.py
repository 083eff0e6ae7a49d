"""SVG pictures as PNG and GIF images, by resvg and Pillow (`tavola[picture]`)."""

from __future__ import annotations

import html
import io
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tavola.errors import Message, PictureError

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["check_packages", "gif", "missing_characters", "png"]

PACKAGES = {"resvg_py": "resvg-py", "PIL": "Pillow"}

FONTS = "'Segoe UI', 'Helvetica Neue', 'Noto Sans', 'Noto Sans CJK JP', 'DejaVu Sans', 'Arial'"
"""Fonts in place of `system-ui`, which resvg does not know."""

ABSENT = "\U0010fffd"
"""A character for private use, which no font has."""

CELL = 24
"""The width and height of a character in the picture that finds missing ones, in pixels."""

MOST_NAMED = 12
"""The number of missing characters that a message names."""

SAMPLES = 8
"""The number of frames that the palette of a GIF is made from."""

LAST_SECONDS = 3.0
"""The minimum time of the last frame."""


def check_packages(*names: str) -> None:
    """Check that the packages for images are installed.

    Args:
        names: The names of their modules.

    Raises:
        PictureError: If one is missing.
    """
    missing = [PACKAGES[name] for name in names if find_spec(name) is None]
    if missing:
        raise PictureError(
            Message(
                "missing packages: {packages}; install them with: pip install 'tavola[picture]'",
                packages=", ".join(missing),
            )
        )


def png(svg: str, width: int, *, complete: bool = True) -> bytes:
    """Return an SVG picture as PNG.

    Args:
        svg: The picture, in fixed colours.
        width: The width of the image in pixels.
        complete: Whether a character that no font has is an error.

    Raises:
        PictureError: If a package is missing, or no font has a character of the picture.
    """
    check_packages("resvg_py", "PIL")
    _check_fonts()
    if complete:
        _check_characters(svg)
    return _render(svg, width)


def _render(svg: str, width: int) -> bytes:
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg.replace("system-ui", FONTS), width=width))


@cache
def _check_fonts() -> None:
    """Check that text appears in Images."""
    box = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    text = '<text y="8" font-family="system-ui, sans-serif" font-size="9">M</text></svg>'
    if _render(box + text, 9) == _render(box + "</svg>", 9):
        raise PictureError(Message("there is no font on this machine; install Noto Sans CJK"))


def _check_characters(svg: str) -> None:
    """Check that fonts have all characters of a picture."""
    if missing := missing_characters(svg):
        named = missing[:MOST_NAMED] + ("…" if len(missing) > MOST_NAMED else "")
        raise PictureError(
            Message(
                "no font on this machine has the characters {characters}; install Noto Sans CJK",
                characters=named,
            )
        )


_known: dict[str, bool] = {}
"""For characters whether a font has them."""


def missing_characters(svg: str) -> str:
    """Return the characters of a picture that no font on this machine has.

    A missing character looks like one that no font can have.

    Args:
        svg: The picture.
    """
    text = html.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", "", svg, flags=re.DOTALL))
    characters = sorted(
        {one for one in text if one > "\x7f" and unicodedata.category(one)[0] in "LNPS"}
    )
    unknown = [one for one in characters if one not in _known]
    if unknown:
        _known.update(zip(unknown, _are_drawn(unknown), strict=True))
    return "".join(one for one in characters if not _known[one])


def _are_drawn(characters: Sequence[str]) -> list[bool]:
    """Draw characters one below another, the absent one first, and return which differ from it."""
    from PIL import Image

    texts = "".join(
        f'<text x="4" y="{CELL * (place + 1) - 7}">{one}</text>'
        for place, one in enumerate([ABSENT, *characters])
    )
    height = CELL * (len(characters) + 1)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CELL} {height}" '
        f'font-family="system-ui, sans-serif" font-size="12">{texts}</svg>'
    )
    with Image.open(io.BytesIO(_render(svg, CELL))) as image:
        cells = [image.crop((0, top, CELL, top + CELL)).tobytes() for top in range(0, height, CELL)]
    return [cell != cells[0] for cell in cells[1:]]


def gif(
    count: int, draw: Callable[[int], str], width: int, seconds: float
) -> Iterator[bytes | None]:
    """Make an animated GIF.

    Args:
        count: The number of frames.
        draw: Returns the picture of a frame as SVG, in fixed colours and always of one width.
        width: The width of the image in pixels.
        seconds: The time of each frame.

    Yields:
        None after each frame, and at last the image.

    Raises:
        PictureError: If a package is missing, or no font has a character of the picture.
    """
    check_packages("resvg_py", "PIL")
    _check_fonts()
    from PIL import Image

    frames: list[Image.Image] = []
    for number in range(count):
        svg = draw(number)
        _check_characters(svg)
        with Image.open(io.BytesIO(_render(svg, width))) as image:
            frames.append(_opaque(image.convert("RGBA")))
        yield None
    height = max(frame.height for frame in frames)
    palette = _palette(frames)
    still = [
        _extended(frame, height).quantize(palette=palette, dither=Image.Dither.NONE)
        for frame in frames
    ]
    written = io.BytesIO()
    times = [round(1000 * seconds)] * len(still)
    times[-1] = max(times[-1], round(1000 * LAST_SECONDS))
    first, *others = still
    first.save(
        written, "GIF", save_all=True, append_images=others, duration=times, loop=0, optimize=False
    )
    yield written.getvalue()


def _opaque(image: Image) -> Image:
    """Return a picture with its own ground in the rounded corners."""
    from PIL import Image as Images

    ground = image.getpixel((image.width // 2, 2))
    below = Images.new("RGBA", image.size, ground)
    below.alpha_composite(image)
    return below.convert("RGB")


def _extended(frame: Image, height: int) -> Image:
    """Return a frame with more of its ground below, as high as the highest."""
    if frame.height == height:
        return frame
    from PIL import Image as Images

    extended = Images.new("RGB", (frame.width, height), frame.getpixel((0, 0)))
    extended.paste(frame)
    return extended


def _palette(frames: Sequence[Image]) -> Image:
    """Return one palette for all frames, so that colours do not flicker."""
    from PIL import Image as Images

    step = max(1, len(frames) // SAMPLES)
    chosen = [frames[-1], *frames[::step]][: SAMPLES + 1]
    sheet = Images.new("RGB", (frames[0].width, sum(frame.height for frame in chosen)))
    top = 0
    for frame in chosen:
        sheet.paste(frame, (0, top))
        top += frame.height
    return sheet.quantize(255, method=Images.Quantize.MEDIANCUT)
