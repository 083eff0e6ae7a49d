"""A process that draws one image or page: the task comes on standard input, the result goes out.

It runs beside the server at a low priority, so that no drawing delays an action.
"""

from __future__ import annotations

import os
import sys

import msgspec
from msgspec import Struct

import tavola
from tavola import raster
from tavola.replay import Replay

__all__ = ["MOST_FRAMES", "Animation", "Image", "Page", "Task", "draw"]

NICENESS = 10
MOST_FRAMES = 160
"""The maximum number of frames of an animation; of a longer game it shows every second one."""


class Image(Struct, frozen=True, tag="image"):
    """An SVG picture as PNG."""

    svg: str
    width: int


class Animation(Struct, frozen=True, tag="animation"):
    """A game as an animated GIF."""

    record: str
    language: str
    colours: str
    width: int


class Page(Struct, frozen=True, tag="page"):
    """A game as an HTML page."""

    record: str
    language: str


Task = Image | Animation | Page


def draw(task: Task) -> bytes:
    """Return the image or page of a task.

    Raises:
        tavola.PictureError: If a package or every font is missing.
    """
    if isinstance(task, Image):
        return raster.png(task.svg, task.width)
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


def main() -> int:
    """Draw the task of standard input; return the exit code."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    sys.stdout.buffer.write(draw(task))
    sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
