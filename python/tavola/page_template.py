"""Templates of HTML pages. Every value is escaped, unless its template marks it as safe."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["frame", "load", "render"]


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )


def load(*templates: str) -> None:
    """Read templates beforehand: the first page of a process takes a while otherwise."""
    for template in templates:
        _environment().get_template(template)


def render(template: str, **values: object) -> str:
    """Return a page.

    Args:
        template: The path of the template within the package, such as `report/page.html`.
        **values: The values that it names. A name without a value is an error.
    """
    return _environment().get_template(template).render(**values)


def frame(shown: object, page: str, style: str) -> str:
    """Return a page for a notebook.

    Args:
        shown: The object that it shows.
        page: The page.
        style: The size of the frame, as CSS.
    """
    return render("frame.html", title=repr(shown)[1:-1], page=page, style=style)
