"""SVG pictures as PNG and GIF images, by resvg and Pillow (`tavola[picture]`)."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tavola.errors import Message, PictureError

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["check_packages", "gif", "png"]

PACKAGES = {"resvg_py": "resvg-py", "PIL": "Pillow"}

FONTS = "'Segoe UI', 'Helvetica Neue', 'Noto Sans', 'Noto Sans CJK JP', 'DejaVu Sans', 'Arial'"
"""Fonts in place of `system-ui`, which resvg does not know."""

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


def png(svg: str, width: int) -> bytes:
    """Return an SVG picture as PNG.

    Args:
        svg: The picture, in fixed colours.
        width: The width of the image in pixels.

    Raises:
        PictureError: If resvg or every font is missing.
    """
    check_packages("resvg_py")
    _check_fonts()
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
        raise PictureError(Message("there is no font on this machine; install DejaVu Sans"))


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
        PictureError: If a package or every font is missing.
    """
    check_packages("resvg_py", "PIL")
    _check_fonts()
    from PIL import Image

    frames: list[Image.Image] = []
    for number in range(count):
        with Image.open(io.BytesIO(_render(draw(number), width))) as image:
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
