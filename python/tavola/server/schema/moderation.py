"""Requests and responses of moderators; see `docs/reference/server-api.md`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class ContextLine(Struct, frozen=True):
    """A line of a chat with the name at its seat."""

    id: int
    seat: int
    name: str
    text: str
    at: str


class ReportedLine(Struct, frozen=True):
    """A chat line that players have reported.

    `account`: whether an account wrote it; `muted`: until when its writer is muted;
    `reported`: when the first report came; `lines`: the line with those around it.
    """

    line: int
    match: str
    game: str
    seat: int
    name: str
    account: bool
    muted: str | None
    reported: str
    reporters: tuple[str, ...]
    lines: tuple[ContextLine, ...]


class ReportList(Struct, frozen=True):
    """Open reports, the latest line first; `more`: the next `before`, or `None`."""

    reports: tuple[ReportedLine, ...]
    more: int | None


class ModeratorAct(Struct, frozen=True, forbid_unknown_fields=True):
    """An act of a moderator on a reported line; `hours`: of a mute, `None`: for good."""

    do: Literal["close", "delete", "mute"]
    hours: Annotated[int, Meta(ge=1, le=8760)] | None = None
