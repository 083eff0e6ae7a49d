"""A position as a picture: `tavola.State.picture` makes it."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from tavola import raster
from tavola.atomic_write import atomic_write
from tavola.errors import Message, PictureError
from tavola.page_template import render

__all__ = ["Picture"]

SUFFIXES = (".svg", ".png")

_LABEL = re.compile(r'aria-label="([^"]*)"')


class _State(Protocol):
    """The part of a state that a picture needs."""

    @property
    def game(self) -> Any: ...
    @property
    def turn(self) -> int: ...
    def picture_svg(self, viewer: int | None, **options: Any) -> str: ...


class Picture:
    """A position with its turn, scores and cards. It shows itself in a notebook.

    >>> import tavola
    >>> picture = tavola.load("potlatch").start().picture(seat=1)
    >>> picture.title
    'Potlatch Klone; Turn 1, seen by Blue; 2 actions left: move your pawn (no chip to move); ...'
    """

    def __init__(
        self,
        state: _State,
        *,
        seat: int | None = None,
        language: str = "en",
        width: int = 720,
        rings: Sequence[str] | None = None,
        arrows: Sequence[tuple[str, str]] | None = None,
        played: Sequence[tuple[_State, str]] | None = None,
    ) -> None:
        """Draw a state.

        Args:
            state: The state.
            seat: The seat that sees it; None for a spectator.
            language: Its code, such as "en".
            width: The width in pixels, from 240 to 4000.
            rings: Cells to mark with a ring.
            arrows: Pairs of cells to join with an arrow.
            played: States before the last actions, each with the token. The picture marks what
                they did.

        Raises:
            ValueError: If there is no such seat or language, or the width is out of range.
            IllegalAction: If an action of `played` is not legal in its state.
        """
        self._state = state
        self._seat = seat
        self._width = width
        self._options = {
            "language": language,
            "width": width,
            "rings": list(rings or ()),
            "arrows": list(arrows or ()),
            "played": list(played or ()),
        }
        self._svgs: dict[str, str] = {}
        self.svg()

    def __repr__(self) -> str:
        return f"<Picture of {self._state.game.name}, turn {self._state.turn}>"

    @property
    def title(self) -> str:
        """The position in words, for screen readers."""
        found = _LABEL.search(self.svg())
        return html.unescape(found[1]) if found else ""

    def svg(self, colours: str = "light") -> str:
        """Return the picture as SVG.

        Args:
            colours: "light" or "dark"; "both" for a picture that follows its page, which only
                browsers can show; "page" for the variables and symbols of a page.

        Raises:
            ValueError: For another value.

        >>> import tavola
        >>> tavola.load("potlatch").start().picture().svg()[:4]
        '<svg'
        """
        if colours not in self._svgs:
            self._svgs[colours] = self._state.picture_svg(
                self._seat, colours=colours, **self._options
            )
        return self._svgs[colours]

    def png(self, *, colours: str = "light", width: int | None = None) -> bytes:
        """Return the picture as PNG. It needs the extra `tavola[picture]`.

        Args:
            colours: "light" or "dark".
            width: The width of the image in pixels; by default twice that of the picture.

        Raises:
            PictureError: If a package or a font is missing.
            ValueError: For other colours.
        """
        if colours not in ("light", "dark"):
            raise ValueError(f"the colours of a PNG are light or dark, not {colours!r}")
        return raster.png(self.svg(colours), width or 2 * self._width)

    def save(self, path: str | Path, *, colours: str = "light", width: int | None = None) -> None:
        """Write the picture to a file.

        Args:
            path: A path that ends in `.svg` or `.png`.
            colours: As in `svg` and `png`.
            width: The width of a PNG in pixels.

        Raises:
            PictureError: If the name ends otherwise, or a package or a font is missing.
            OSError: If the file cannot be written.
        """
        png = file_suffix(path, SUFFIXES) == ".png"
        content = self.png(colours=colours, width=width) if png else self.svg(colours).encode()
        atomic_write(Path(path), content)

    def _repr_html_(self) -> str:
        source = base64.b64encode(self.svg("both").encode()).decode()
        return render("picture.html", title=self.title, width=self._width, source=source)


def file_suffix(path: str | Path, suffixes: Sequence[str]) -> str:
    """Return the suffix of the name of a file to write.

    Raises:
        PictureError: If it is none of the `suffixes`.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in suffixes:
        raise PictureError(
            Message(
                "{file}: the name must end in {suffixes}", file=path, suffixes=", ".join(suffixes)
            )
        )
    return suffix
