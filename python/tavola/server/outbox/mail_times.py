"""When an address receives its mail: at once, but for quiet hours, or once a day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from tavola.server.errors import RequestError
from tavola.server.schema.notifications import EmailOptions


def check_options(options: EmailOptions) -> None:
    """Check that this machine knows the time zone.

    Raises:
        RequestError: `time-zone`.
    """
    try:
        _zone(options.zone)
    except (ValueError, OSError, LookupError):
        raise RequestError("time-zone", zone=options.zone) from None


def due_at(options: EmailOptions, at: datetime) -> datetime:
    """Return when a notification may be sent.

    Args:
        options: The choices of its receiver.
        at: When it happens, in UTC.

    Examples:
        >>> night = datetime(2026, 11, 27, 23, 30, tzinfo=UTC)
        >>> due_at(EmailOptions(quiet=(22, 7)), night).isoformat()
        '2026-11-28T07:00:00+00:00'
        >>> due_at(EmailOptions(zone="Asia/Tokyo", digest=18), night).isoformat()
        '2026-11-28T09:00:00+00:00'
    """
    try:
        local = at.astimezone(_zone(options.zone))
    except (ValueError, OSError, LookupError):
        # The machine knew the zone when the receiver chose it.
        local = at
    if options.digest is not None:
        return _next(local, options.digest)
    if options.quiet is not None and _is_quiet(local.hour, *options.quiet):
        return _next(local, options.quiet[1])
    return at


def _zone(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)


def _is_quiet(hour: int, first: int, last: int) -> bool:
    """Return whether an hour is among those from the first to before the last, over midnight."""
    return (hour - first) % 24 < (last - first) % 24


def _next(local: datetime, hour: int) -> datetime:
    """Return the next time at which the clocks of a zone show an hour."""
    found = local.replace(hour=hour, minute=0, second=0, microsecond=0)
    return (found if found >= local else found + timedelta(days=1)).astimezone(UTC)
