"""What differs between two pictures, to be sent instead of the later one.

A change of a value is either `[after]`: the value is another, or an object: some of its members are
others, those of a list by their places, and its `length` if that is another. Members that are not
named are as they were. `{"seq": [7], "log": {"length": 3, "2": [{...}]}}` makes a picture of the
one before; in the browser `applyDiff` in `web/src/lib/api/diff.ts` does it. What changes in a view,
the core finds out (`crates/core/src/diff.rs`).
"""

from __future__ import annotations

from itertools import compress, count
from operator import attrgetter, is_not
from typing import Any

from msgspec import Raw

from tavola.server.schema.event_list import EventList
from tavola.server.schema.responses import CommonState

Patch = Raw | list[Any] | dict[str, Any]
"""What becomes of a value, for an encoder of JSON."""

_MEMBERS = CommonState.__struct_fields__
_members = attrgetter(*_MEMBERS)


def diff_common(before: CommonState, after: CommonState) -> dict[str, Patch]:
    """What makes of what all viewers saw alike what they see now."""
    found: dict[str, Patch] = {}
    one, other = _members(before), _members(after)
    # Nearly everywhere it is the same object.
    for place in compress(count(), map(is_not, one, other)):
        name = _MEMBERS[place]
        if name == "log":
            if (change := diff_log(before.log, after.log)) is not None:
                found[name] = change
        elif one[place] != other[place]:
            found[name] = [other[place]]
    return found


def diff_log(before: EventList, after: EventList) -> Patch | None:
    """What makes one log of another; `None` if they are the same."""
    had = len(before)
    found: dict[str, Any] = {} if had == len(after) else {"length": len(after)}
    same = len(found)
    for place in after.changed_places(before):
        told = after[place]
        if place >= had or before[place] != told:
            found[str(place)] = [told]
    # A list of which most is new is cheaper read anew than mended.
    if 4 * (len(found) - same) > 3 * len(after):
        return [after]
    return found or None
