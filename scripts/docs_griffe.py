"""A Griffe extension: the examples of docstrings become blocks of code in the documentation."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"(?m)^(>>> .*(?:\n(?!\s*$).+)*(?:\n\n>>> .*(?:\n(?!\s*$).+)*)*)")


class Examples(griffe.Extension):
    """Put a fence around each run of lines that a doctest reads."""

    def on_object(self, *, obj: Any, **_others: Any) -> None:
        """Change the docstring of one object."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\1\n```", obj.docstring.value)
