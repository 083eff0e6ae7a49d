"""`tavola admin`: bans, reports, the announcement, figures, the log and the check."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from rich.console import Console

from tavola.cli.admin.accounts import change
from tavola.cli.admin.printing import is_time, local_time, print_json, print_rows
from tavola.cli.databases import in_database, reported, shown
from tavola.cli.errors import UsageError
from tavola.cli.exit_codes import FAILED
from tavola.cli.locales import Translator
from tavola.cli.progress import show_progress
from tavola.language import LANGUAGES
from tavola.server.moderation import announcements, audit, bans, figures, reports
from tavola.server.moderation.account_acts import FOR_EVER
from tavola.server.schema.moderation import ReportedLine

MOST_REPORTS = 1000
"""How many reports are listed at most."""


def ban(
    translate: Translator, database: str, address: str, *, hours: int | None, reason: str
) -> int:
    """Ban an address or a network."""
    work = partial(bans.ban, address=address, hours=hours, reason=reason)
    network = in_database(translate, database, work)
    print(translate("admin.banned", address=network))
    return 0


def unban(translate: Translator, database: str, address: str) -> int:
    """Lift a ban."""
    network = in_database(translate, database, partial(bans.unban, address=address))
    print(translate("admin.unbanned", address=network))
    return 0


def list_bans(translate: Translator, database: str, *, json: bool) -> int:
    """Print the bans that hold."""
    rows = in_database(translate, database, bans.active, reads=True)
    if json:
        print_json([dict(row._mapping) for row in rows])
        return 0
    headings = ("admin.address", "admin.since", "admin.until", "admin.reason")
    print_rows(
        translate,
        headings,
        [
            (bans.shown(row.network), local_time(row.at), local_time(row.until), row.reason)
            for row in rows
        ],
    )
    return 0


def list_reports(translate: Translator, database: str, *, json: bool) -> int:
    """Print the open reports, the latest line first."""
    lines: list[ReportedLine] = []
    before: int | None = None
    while len(lines) < MOST_REPORTS:
        page = in_database(
            translate, database, partial(reports.open_reports, before=before), reads=True
        )
        lines += page.reports
        before = page.more
        if before is None:
            break
    if json:
        print_json(lines)
        return 0
    headings = ("admin.line", "admin.since", "admin.name", "admin.reporters", "admin.text")
    print_rows(
        translate,
        headings,
        [
            (
                str(one.line),
                local_time(one.reported),
                one.name,
                ", ".join(one.reporters),
                next(line.text for line in one.lines if line.id == one.line),
            )
            for one in lines
        ],
    )
    return 0


def announce(translate: Translator, database: str, texts: Sequence[str], *, end: bool) -> int:
    """Show an announcement to all visitors, or end it.

    Raises:
        UsageError: Without a text, or with a text and an end.
    """
    if end == bool(texts):
        raise UsageError(translate, "announce-text")
    if end:
        ended = in_database(translate, database, announcements.end)
        print(translate("admin.announcement-ended" if ended else "admin.no-announcement"))
        return 0
    by_language: dict[str, str] = {}
    for text in texts:
        language, equals, rest = text.partition("=")
        if equals and language in LANGUAGES:
            by_language[language] = rest
        else:
            by_language[translate.language] = text
    return change(
        translate,
        database,
        partial(announcements.announce, texts=by_language),
        "admin.announced",
        languages=", ".join(by_language),
    )


def print_figures(translate: Translator, database: str, *, json: bool) -> int:
    """Print figures of use."""
    found = in_database(translate, database, figures.figures, reads=True)
    if json:
        print_json(found)
        return 0
    games = ", ".join(f"{game} {count}" for game, count in found.by_game.items())
    rows = [
        ("admin.accounts", found.accounts, ""),
        ("admin.new-accounts", found.new_accounts, ""),
        ("admin.active-accounts", found.active_accounts, ""),
        ("admin.matches", found.matches, ""),
        ("admin.new-matches", found.new_matches, games),
        ("admin.running", found.running, ""),
        ("admin.actions", found.actions, ""),
        ("admin.chat-lines", found.chat_lines, ""),
        ("admin.open-reports", found.open_reports, ""),
        ("admin.tournaments", found.tournaments, ""),
        ("admin.running-tournaments", found.running_tournaments, ""),
    ]
    for key, value, more in rows:
        print(f"{translate(key)}: {value:,}" + (f" ({more})" if more else ""))
    return 0


def print_log(translate: Translator, database: str, *, limit: int, json: bool) -> int:
    """Print the latest acts of the host and of moderators."""
    entries = in_database(translate, database, partial(audit.latest, limit=limit), reads=True)
    if json:
        print_json(entries)
        return 0
    host, deleted = translate("admin.host"), translate("admin.deleted-account")
    headings = ("admin.at", "admin.by", "admin.act", "admin.subject", "admin.detail")
    print_rows(
        translate,
        headings,
        [
            (
                local_time(one.at),
                host if one.by is None else one.by or deleted,
                translate(f"act.{one.act}"),
                one.subject,
                _detail(translate, one),
            )
            for one in entries
        ],
    )
    return 0


def _detail(translate: Translator, entry: audit.Entry) -> str:
    """Return the detail of an act in words."""
    match entry.act:
        case "organizer" | "moderator":
            return translate("admin.given" if entry.detail == "+" else "admin.taken")
        case "mute" | "ban":
            end, _, reason = entry.detail.partition(" ")
            if end == FOR_EVER:
                return translate("admin.for-good")
            if is_time(end):
                until = translate("admin.until-then", time=local_time(end))
                return f"{until}  {reason}".rstrip()
            return entry.detail
        case "erase":
            # The id of the account, for running servers.
            return ""
        case _:
            return entry.detail


def check(translate: Translator, database: str, *, games: bool) -> int:
    """Check the database, with `games` also every stored match.

    Returns:
        The exit code: 1 if there are faults.
    """
    from tavola.server.storage.damage import all_faults

    with reported(translate, database):
        faults = in_database(translate, database, all_faults, reads=True)
        for fault in faults:
            print(fault)
        damaged = asyncio.run(_check_games(translate, database)) if games else 0
    key = "admin.faulty" if faults or damaged else "admin.sound"
    print(translate(key, database=shown(database), faults=len(faults) + damaged))
    return FAILED if faults or damaged else 0


async def _check_games(translate: Translator, url: str) -> int:
    """Replay every match and print those that do not agree with their logs; return how many."""
    import sqlalchemy as sa

    from tavola.server.errors import RequestError
    from tavola.server.live.load import MatchLoader
    from tavola.server.ops.rate_limits import RateLimits
    from tavola.server.ops.work_queue import WorkQueue
    from tavola.server.schema.errors import message_of
    from tavola.server.storage.database import Database
    from tavola.server.storage.tables import matches

    database, work = Database(url), WorkQueue(1, RateLimits())
    loader, damaged = MatchLoader(database, work), 0
    try:
        ids = await database.read(
            lambda connection: list(connection.execute(sa.select(matches.c.id)).scalars())
        )
        console = Console(stderr=True, highlight=False)
        with show_progress(console, translate("admin.matches"), total=len(ids)) as update:
            for done, match in enumerate(ids, start=1):
                try:
                    await loader.load(match)
                except RequestError as error:
                    # Deleted meanwhile, or a game that this command does not have.
                    if error.code not in ("unknown-match", "game-missing", "rules-changed"):
                        damaged += 1
                        print(f"{match}: {message_of(error, translate.language)}")
                update(done, match)
    finally:
        await loader.close()
        work.close()
        database.close()
    return damaged
