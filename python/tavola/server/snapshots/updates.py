"""Updates: what one kind of viewer is told of what was logged, whole or as what it changes."""

from __future__ import annotations

from msgspec import Raw

from tavola.server.schema.diff import Change, between
from tavola.server.schema.responses import ChangeMessage, Common, UpdateMessage, encode
from tavola.server.snapshots.snapshot import Picture


class News:
    """What was logged, as far as all viewers are told the same.

    Args:
        common: What all see alike of the picture that it led to.
    """

    def __init__(self, common: Common) -> None:
        self._common = common
        self._before: Common | None = None
        self._changes: dict[str, Change] = {}

    def changes(self, before: Common) -> dict[str, Change]:
        """What becomes of the picture before, but for what is its viewers' own; found out once."""
        if self._before is not before:
            self._before, self._changes = before, between(before, self._common)
            # Not everybody has seen the same clock: it may have been shown to newcomers since.
            self._changes["clock"] = [self._common.clock]
        return self._changes


class Update:
    """What was logged as those who hold the same seats are told: written once for all of them.

    Args:
        news: What is the same for everybody.
        before: The picture that they were shown last, if there is one.
        picture: The picture that it led to.
    """

    def __init__(self, news: News, before: Picture | None, picture: Picture) -> None:
        self._news = news
        self._before = before
        self._picture = picture
        self._whole = self._changes = b""

    @property
    def seq(self) -> int:
        """The number of the picture that it led to."""
        return self._picture.common.seq

    @property
    def over(self) -> bool:
        """Whether the match is over with it."""
        return self._picture.common.status == "over"

    @property
    def since(self) -> int | None:
        """The number of the picture that the changes begin with."""
        return None if self._before is None else self._before.common.seq

    @property
    def whole(self) -> bytes:
        """The message with the whole picture."""
        if not self._whole:
            self._whole = encode(UpdateMessage(self.seq, self._picture.snapshot))
        return self._whole

    @property
    def changes(self) -> bytes:
        """The message to those who have the picture before."""
        if not self._changes:
            self._changes = self._written()
        return self._changes

    def _written(self) -> bytes:
        before, after = self._before, self._picture
        assert before is not None, "the caller has seen `since`"
        changes = self._news.changes(before.common).copy()
        if before.seats != after.seats:
            changes["seats"] = [after.seats]
        if (view := after.view.diff(before.view)) is not None:
            changes["view"] = Raw(view)
        if before.can != after.can:
            changes["can"] = [after.can]
        return encode(ChangeMessage(after.common.seq, changes))
