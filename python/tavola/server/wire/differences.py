"""What differs between two pictures, to be sent instead of the later one.

A change of a value is either `[after]`: the value is another, or an object: some of its members are
others, those of a list by their places, and its `length` if that is another. Members that are not
named are as they were. `{"seq": [7], "log": {"length": 3, "2": [{...}]}}` makes a picture of the
one before; in the browser `changed` in `web/src/lib/changes.ts` does it.

What is written already is compared as it is written, and taken apart only where it is large: to say
exactly what is another costs more than to say a little more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

Change = list[Any] | dict[str, Any]
"""What becomes of a value, for an encoder of JSON."""

LARGE = 500
"""From so many bytes on it is looked for what is another in a value that is another."""

_object = msgspec.json.Decoder(dict[str, Raw]).decode
_list = msgspec.json.Decoder(list[Raw]).decode


class Differences:
    """What differs between the pictures before and after an event.

    Viewers' pictures have most in common: what is found out for one of them is kept for the others.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[int, int], Change | None] = {}

    def between(self, before: Struct, after: Struct) -> dict[str, Change]:
        """What makes one picture of another: both have the same members."""
        found: dict[str, Change] = {}
        for name in after.__struct_fields__:
            one, other = getattr(before, name), getattr(after, name)
            if one is other:
                continue
            change: Change | None
            if isinstance(other, Raw):
                # By their identity: the pictures outlive this.
                pair = id(one), id(other)
                if pair not in self._found:
                    self._found[pair] = written(one, other)
                change = self._found[pair]
            elif name == "view":
                change = self.between(one, other) or None
            elif name == "log":
                change = places(one, other)
            else:
                change = None if one == other else [other]
            if change is not None:
                found[name] = change
        return found


def written(before: Raw, after: Raw) -> Change | None:
    """What makes one piece of JSON of another; `None` if they are the same."""
    if before == after:
        return None
    if len(memoryview(before)) < LARGE or len(memoryview(after)) < LARGE:
        return [after]
    match bytes(memoryview(before)[:1]), bytes(memoryview(after)[:1]):
        case b"{", b"{":
            return _members(_object(before), _object(after))
        case b"[", b"[":
            return places(_list(before), _list(after))
    return [after]


def places(before: Sequence[Raw], after: Sequence[Raw]) -> Change | None:
    """What makes one list of another; `None` if they are the same."""
    others = [
        place
        for place, (one, other) in enumerate(zip(before, after, strict=False))
        if one is not other and one != other
    ]
    # A list of which most is new is cheaper read anew than mended.
    if 4 * (len(others) + max(len(after) - len(before), 0)) > 3 * len(after):
        return [after]
    found: dict[str, Any] = {} if len(before) == len(after) else {"length": len(after)}
    for place in others:
        change = written(before[place], after[place])
        if change is not None:
            found[str(place)] = change
    for place in range(len(before), len(after)):
        found[str(place)] = [after[place]]
    return found or None


def _members(before: dict[str, Raw], after: dict[str, Raw]) -> Change | None:
    if not before.keys() <= after.keys():
        return [after]
    found: dict[str, Change] = {}
    for name, value in after.items():
        change = written(before[name], value) if name in before else [value]
        if change is not None:
            found[name] = change
    return found or None
