"""Why the system or a database did not do something: the keys of our words for it."""

from __future__ import annotations

import errno
import socket
import sqlite3

_SYSTEM = {
    errno.ENOENT: "why.no-such-file",
    errno.EACCES: "why.not-allowed",
    errno.EPERM: "why.not-allowed",
    errno.EISDIR: "why.is-a-folder",
    errno.ENOTDIR: "why.no-folder",
    errno.ENOSPC: "why.full",
    errno.EROFS: "why.read-only",
    errno.EADDRNOTAVAIL: "why.not-here",
    errno.ECONNREFUSED: "why.nobody-there",
}

_SQLITE = {
    sqlite3.SQLITE_CANTOPEN: "why.cannot-open",
    sqlite3.SQLITE_NOTADB: "why.no-database",
    sqlite3.SQLITE_CORRUPT: "why.damaged",
    sqlite3.SQLITE_READONLY: "why.read-only",
    sqlite3.SQLITE_BUSY: "why.in-use",
    sqlite3.SQLITE_LOCKED: "why.in-use",
    sqlite3.SQLITE_FULL: "why.full",
    sqlite3.SQLITE_IOERR: "why.disk-error",
}


def message_key(error: BaseException) -> str | None:
    """The key of why something was not done; `None` where we have no words for it.

    Libraries that meet an error of the system tell of it in their own, behind which it is found.
    """
    match error:
        case UnicodeDecodeError():
            return "why.no-text"
        case socket.gaierror():
            return "why.unknown-host"
        case sqlite3.Error():
            return _SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        case OSError():
            return _SYSTEM.get(error.errno or 0)
    behind = error.__cause__ or error.__context__
    return message_key(behind) if isinstance(behind, OSError) else None


def plain_message(error: BaseException) -> str:
    """What an error says itself, in a line."""
    said = error.strerror if isinstance(error, OSError) else None
    return said or str(error).partition("\n")[0]
