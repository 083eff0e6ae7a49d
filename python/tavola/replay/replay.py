"""A game as a sequence of pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from tavola import raster
from tavola._core import CHANCE, Game, State, say
from tavola.atomic_write import atomic_write
from tavola.language import LANGUAGES
from tavola.messages import language_property
from tavola.page_template import frame
from tavola.picture import Picture, file_suffix
from tavola.replay.page import Caption, PageFrame, page

__all__ = ["Frame", "Replay", "Shares"]

SUFFIXES = (".html", ".gif")

MOST_MARKED = 6
"""The maximum number of actions that one frame marks and tells; a setup can have dozens."""

Shares = Sequence[Sequence[float]]
"""The share of each seat at each position."""


class _Event(msgspec.Struct, frozen=True):
    text: dict[str, Any] | None


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """A position that a replay shows.

    Attributes:
        number: The number of actions before it, chance outcomes included.
        state: The position.
        played: The actions since the last frame, each with the state before it.
    """

    number: int
    state: State
    played: tuple[tuple[State, str], ...]


class Replay:
    """A game to watch. It shows itself in a notebook, with a slider.

    >>> import tavola
    >>> match = tavola.Match(tavola.load("potlatch")).play("Pnw").play("Pw")
    >>> replay = match.replay(seat=1)
    >>> [frame.number for frame in replay.frames]
    [0, 1, 2]
    """

    def __init__(
        self,
        states: Sequence[State],
        actions: Sequence[str],
        *,
        seat: int | None = None,
        language: str = "en",
        first: int = 0,
        last: int | None = None,
        shares: Shares | None = None,
    ) -> None:
        """Choose the positions of a replay.

        A position in which chance acts is shown only as the first or the last.

        Args:
            states: The states of the game, one more than `actions`.
            actions: The tokens, chance outcomes included.
            seat: The seat that sees the game; None for a spectator.
            language: Its code, such as "en"; a page has all and begins with this one.
            first: The number of actions before the first position.
            last: The number of actions before the last position; None for the end.
            shares: The share of each seat at each position, for a graph below the board.

        Raises:
            ValueError: If the numbers of states, actions and shares do not agree, or there is no
                such seat, language or position.
        """
        end = len(actions) if last is None else last
        if len(states) != len(actions) + 1:
            raise ValueError(f"{len(actions)} actions have {len(actions) + 1} states")
        if shares is not None and len(shares) != len(states):
            raise ValueError(f"{len(states)} states have as many shares, not {len(shares)}")
        if not 0 <= first <= end <= len(actions):
            raise ValueError(
                f"first and last must be from 0 to {len(actions)} in this order, "
                f"not {first} and {end}"
            )
        self._seat = seat
        self._language = language
        numbers = [
            number
            for number in range(first, end + 1)
            if number in (first, end) or states[number].to_act != CHANCE
        ]
        self.frames = tuple(
            Frame(
                number=number,
                state=states[number],
                played=tuple((states[one], actions[one]) for one in range(before, number))[
                    : MOST_MARKED + 1
                ],
            )
            for before, number in zip(
                [max(first - 1, 0) if numbers[0] else 0, *numbers], numbers, strict=False
            )
        )
        self._shares = shares
        self.picture(0)

    def __repr__(self) -> str:
        return f"<Replay of {self.game.name}, {len(self.frames)} positions>"

    @property
    def game(self) -> Game:
        """The game."""
        return self.frames[0].state.game

    def picture(self, place: int, *, language: str | None = None, width: int = 720) -> Picture:
        """Return the picture of a frame, with marks for what was just played.

        Args:
            place: The index of the frame.
            language: Its code, such as "en"; None for that of the replay.
            width: The width in pixels.

        Raises:
            IndexError: If there is no such frame.
            ValueError: If there is no such language, or the width is out of range.
        """
        frame = self.frames[place]
        return frame.state.picture(
            self._seat,
            language=language or self._language,
            width=width,
            played=frame.played if len(frame.played) <= MOST_MARKED else (),
        )

    def caption(self, place: int, language: str) -> str:
        """Return the actions before a frame in words, as in the log.

        Args:
            place: The index of the frame.
            language: Its code, such as "en".

        Returns:
            The sentences; empty for the first frame and after a long setup.
        """
        frame = self.frames[place]
        if len(frame.played) > MOST_MARKED:
            return ""
        said = []
        for state, token in frame.played:
            events = msgspec.json.decode(state.events_json(token), type=list[_Event])
            texts = [msgspec.json.encode(one.text).decode() for one in events if one.text]
            sentences = [say(self.game.name, language, text) for text in texts]
            said.extend(sentences or [token])
        return language_property(language, "clause-gap").join(said)

    def html(self) -> str:
        """Return a page that plays the game: one HTML document without links to other files."""
        frames = [
            PageFrame(
                number=frame.number,
                captions={
                    language: Caption(text=self.caption(place, language), turn=frame.state.turn)
                    for language in LANGUAGES
                },
                draw=lambda language, width, place=place: self.picture(  # type: ignore[misc]
                    place, language=language, width=width
                ).svg("page"),
                shares=None if self._shares is None else tuple(self._shares[frame.number]),
            )
            for place, frame in enumerate(self.frames)
        ]
        style = self.picture(0).svg("both")
        return page(self.game, frames, style=style, language=self._language)

    def gif(
        self, *, width: int = 720, seconds: float = 0.8, colours: str = "light"
    ) -> Iterator[bytes | None]:
        """Make an animated GIF. It needs the extra `tavola[picture]`.

        Args:
            width: The width in pixels.
            seconds: The time of each position.
            colours: "light" or "dark".

        Yields:
            None after each position, and at last the image.

        Raises:
            PictureError: If a package or a font is missing.
        """

        def draw(place: int) -> str:
            return self.picture(place, width=min(width, 720)).svg(colours)

        return raster.gif(len(self.frames), draw, width, seconds)

    def save(self, path: str | Path, **options: Any) -> None:
        """Write the replay to a file.

        Args:
            path: A path that ends in `.html` or `.gif`.
            **options: For a GIF, as in `gif`.

        Raises:
            PictureError: If the name ends otherwise, or a package or a font is missing.
            OSError: If the file cannot be written.
        """
        if file_suffix(path, SUFFIXES) == ".gif":
            *_, image = self.gif(**options)
            assert image is not None, "the image comes last"
            atomic_write(Path(path), image)
        else:
            atomic_write(Path(path), self.html().encode())

    def _repr_html_(self) -> str:
        return frame(self, self.html(), "max-width: 760px; height: 820px")
