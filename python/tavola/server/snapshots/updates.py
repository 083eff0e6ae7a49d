"""Updates: what viewers of the same seats receive after an event, complete or as a patch."""

from __future__ import annotations

from msgspec import Raw

from tavola.server.schema.patch import Patch, patch_common
from tavola.server.schema.responses import ChangeMessage, CommonState, UpdateMessage, encode
from tavola.server.snapshots.snapshot import SnapshotParts


class CommonPatch:
    """The part of an update that is the same for all viewers.

    Args:
        common: The part of the snapshot that is the same for all viewers.
    """

    def __init__(self, common: CommonState) -> None:
        self._common = common
        self._before: CommonState | None = None
        self._patch: dict[str, Patch] = {}

    def patch_from(self, before: CommonState) -> dict[str, Patch]:
        """Return the patch from an earlier snapshot, computed once."""
        if self._before is not before:
            self._before, self._patch = before, patch_common(before, self._common)
            # Viewers may have received different clocks: a new one gets a fresh clock.
            self._patch["clock"] = [self._common.clock]
        return self._patch


class Update:
    """An update for the viewers of the same seats, encoded once for all of them.

    Args:
        common_patch: The part that is the same for all viewers.
        before: The snapshot that they received last, if any.
        after: The snapshot that it leads to.
    """

    def __init__(
        self, common_patch: CommonPatch, before: SnapshotParts | None, after: SnapshotParts
    ) -> None:
        self._common_patch = common_patch
        self._before = before
        self._after = after
        self._full_message = self._patch_message = b""

    @property
    def seq(self) -> int:
        """Sequence number of the snapshot after the update."""
        return self._after.common.seq

    @property
    def is_final(self) -> bool:
        """Whether the match is over with it."""
        return self._after.common.status == "over"

    @property
    def base_seq(self) -> int | None:
        """Sequence number of the snapshot that the patch applies to."""
        return None if self._before is None else self._before.common.seq

    @property
    def full_message(self) -> bytes:
        """The message with the complete snapshot."""
        if not self._full_message:
            self._full_message = encode(UpdateMessage(self.seq, self._after.snapshot))
        return self._full_message

    @property
    def patch_message(self) -> bytes:
        """The message with the patch."""
        if not self._patch_message:
            self._patch_message = self._encode_patch()
        return self._patch_message

    def _encode_patch(self) -> bytes:
        before, after = self._before, self._after
        assert before is not None, "the client has a snapshot"
        patch = self._common_patch.patch_from(before.common).copy()
        if before.seats != after.seats:
            patch["seats"] = [after.seats]
        if (view := after.view.patch(before.view)) is not None:
            patch["view"] = Raw(view)
        if before.can != after.can:
            patch["can"] = [after.can]
        return encode(ChangeMessage(after.common.seq, patch))
