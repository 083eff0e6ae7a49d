"""What differs between two pictures, to be sent instead of the later one.

A change of a value is either `[after]`: the value is another, or an object: some of its members are
others, those of a list by their places, and its `length` if that is another. Members that are not
named are as they were. `{"seq": [7], "log": {"length": 3, "2": [{...}]}}` makes a picture of the
one before; in the browser `changed` in `web/src/lib/changes.ts` does it. What changes in a view,
the core finds out (`crates/core/src/change.rs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from msgspec import Raw

from tavola.server.wire.told import Snapshot

Change = Raw | list[Any] | dict[str, Any]
"""What becomes of a value, for an encoder of JSON."""

_MEMBERS = Snapshot.__struct_fields__
_members = attrgetter(*_MEMBERS)


def between(before: Snapshot, after: Snapshot) -> dict[str, Change]:
    """What makes one picture of another."""
    found: dict[str, Change] = {}
    for name, one, other in zip(_MEMBERS, _members(before), _members(after), strict=True):
        if one is other:
            continue
        change: Change | None
        if name == "view":
            view = after.view.changes(before.view)
            change = None if view is None else Raw(view)
        elif name == "log":
            change = places(before.log, after.log)
        else:
            change = None if one == other else [other]
        if change is not None:
            found[name] = change
    return found


def places(before: Sequence[Raw], after: Sequence[Raw]) -> Change | None:
    """What makes one list of another; `None` if they are the same."""
    others = [
        place
        for place, (one, other) in enumerate(zip(before, after, strict=False))
        if one is not other and one != other
    ]
    others.extend(range(len(before), len(after)))
    # A list of which most is new is cheaper read anew than mended.
    if 4 * len(others) > 3 * len(after):
        return [after]
    found: dict[str, Any] = {} if len(before) == len(after) else {"length": len(after)}
    found.update((str(place), [after[place]]) for place in others)
    return found or None
