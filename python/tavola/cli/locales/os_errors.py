"""The keys of our messages for errors of the operating system and of databases."""

from __future__ import annotations

import errno
import socket
import sqlite3

_SYSTEM = {
    errno.ENOENT: "why.no-such-file",
    errno.EACCES: "why.not-allowed",
    errno.EPERM: "why.not-allowed",
    errno.EISDIR: "why.is-a-directory",
    errno.ENOTDIR: "why.not-a-directory",
    errno.ENOSPC: "why.disk-full",
    errno.EROFS: "why.read-only",
    errno.EADDRNOTAVAIL: "why.address-not-available",
    errno.ECONNREFUSED: "why.refused",
}

_SQLITE = {
    sqlite3.SQLITE_CANTOPEN: "why.cannot-open",
    sqlite3.SQLITE_NOTADB: "why.not-a-database",
    sqlite3.SQLITE_CORRUPT: "why.damaged",
    sqlite3.SQLITE_READONLY: "why.read-only",
    sqlite3.SQLITE_BUSY: "why.in-use",
    sqlite3.SQLITE_LOCKED: "why.in-use",
    sqlite3.SQLITE_FULL: "why.disk-full",
    sqlite3.SQLITE_IOERR: "why.disk-error",
}


def message_key(error: BaseException) -> str | None:
    """Return the key of the message for an error, or `None` if there is none.

    If a library has wrapped an error of the system, the cause counts.
    """
    match error:
        case UnicodeDecodeError():
            return "why.not-utf8"
        case socket.gaierror():
            return "why.unknown-host"
        case sqlite3.Error():
            return _SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        case OSError():
            return _SYSTEM.get(error.errno or 0)
    cause = error.__cause__ or error.__context__
    return message_key(cause) if isinstance(cause, OSError) else None


def plain_message(error: BaseException) -> str:
    """Return the first line of the error's own message."""
    message = error.strerror if isinstance(error, OSError) else None
    return message or str(error).partition("\n")[0]
