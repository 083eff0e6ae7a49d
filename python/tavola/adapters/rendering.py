"""Pictures of a state for the `render` methods of environments."""

from __future__ import annotations

import io
from typing import Final

from tavola._core import State

__all__ = ["RENDER_MODES", "check_mode", "render"]

RENDER_MODES: Final = ("ansi", "svg")
"""The render modes: text for a terminal, or an SVG picture as text."""

_WIDTH = 100


def check_mode(mode: str | None) -> None:
    """Check a render mode.

    Args:
        mode: A render mode; None for none.

    Raises:
        ValueError: If the mode is unknown; names all modes.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode is {' or '.join(RENDER_MODES)} or None, not {mode!r}")


def render(state: State, mode: str) -> str:
    """Draw a state.

    Args:
        state: The state.
        mode: "ansi" for the board of the terminal, 100 columns wide; "svg" for a picture.

    Returns:
        Text, or the source of an SVG picture.

    >>> import tavola
    >>> render(tavola.load("potlatch").start(), "svg")[:4]
    '<svg'
    """
    if mode == "svg":
        return state.svg()
    return _board(state)


def _board(state: State) -> str:
    """Return the board, the seats and the prompt as text."""
    # These imports take long, and most environments are never drawn.
    from rich.console import Console

    from tavola.cli.board import painter
    from tavola.view import view

    text = io.StringIO()
    console = Console(file=text, width=_WIDTH, highlight=False, markup=False, color_system=None)
    shown = view(state, state.to_act if state.to_act in range(state.game.seats) else None)
    paint = painter(state.game.name, "en", unicode=True)
    console.print(paint.board(shown, hints=False))
    console.print(paint.seats(shown))
    if legend := paint.legend(shown):
        console.print(legend)
    console.print(state.prompt)
    return text.getvalue()
