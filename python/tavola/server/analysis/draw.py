"""Draws images and pages, in a worker process."""

from __future__ import annotations

from msgspec import Struct

import tavola
from tavola import raster
from tavola.replay import Replay

__all__ = ["MOST_FRAMES", "Animation", "DrawTask", "Image", "Page", "draw"]

MOST_FRAMES = 160
"""The maximum number of frames of an animation; of a longer game it shows every second one."""


class Image(Struct, frozen=True, tag_field="job", tag="image"):
    """An SVG picture as PNG."""

    svg: str
    width: int


class Animation(Struct, frozen=True, tag_field="job", tag="animation"):
    """A game as an animated GIF."""

    record: str
    language: str
    colours: str
    width: int


class Page(Struct, frozen=True, tag_field="job", tag="page"):
    """A game as an HTML page."""

    record: str
    language: str


DrawTask = Image | Animation | Page


def draw(task: DrawTask) -> bytes:
    """Return the image or page of a task.

    Raises:
        tavola.PictureError: If a package or every font is missing.
    """
    if isinstance(task, Image):
        return raster.png(task.svg, task.width, complete=False)
    (record,) = tavola.read_records(task.record)
    replay = Replay(tuple(record.states()), record.actions, language=task.language)
    if isinstance(task, Page):
        return replay.html().encode()
    frames = replay.frames
    step = -(-len(frames) // MOST_FRAMES)
    replay.frames = tuple(frames[:-1:step]) + frames[-1:]
    *_, image = replay.gif(width=task.width, colours=task.colours)
    assert image is not None, "the image comes last"
    return image
