"""Settings of a server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_data_path

from tavola._core import _processors


def default_database() -> str:
    """Return the default database, in the user's data folder."""
    return f"sqlite:///{user_data_path('tavola', appauthor=False) / 'tavola.db'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a server.

    Attributes:
        database: An SQLAlchemy URL.
        client: The folder of the built browser client.
        fan_out: The URL of the Redis through which several processes share one database; none: this
            is the only process.
        origins: The public addresses of this server (`https://club.example`), and of other pages
            that may use it.
        names: Further host names of this server, beside `localhost`, IP addresses and `origins`.
        agents: The agents that play on this server: engine specifications by name.
        push: Whether notifications go to browsers, through the push services of their makers.
        webhooks: Whether notifications go to addresses that players enter.
        smtp: The URL of the SMTP server that sends our mail; none: mail is off. Mail needs one of
            the `origins` for its links.
        mail_from: The sender of the mail.
        words: The words that names and chat must not have.
        new_account_hours: For how long a new account writes no web addresses in chat and has fewer
            open challenges.
        private_webhooks: Whether these addresses may be private or `http`, for tests.
        engine_threads: Number of engines that search at the same time.
        analysis_processes: Number of processes that analyse finished matches.
        work_threads: Number of threads for hints, searches of the archive and closed matches.
    """

    database: str = field(default_factory=default_database)
    client: Path = Path(__file__).resolve().parents[1] / "web"
    fan_out: str | None = None
    origins: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    agents: Mapping[str, str] = field(default_factory=dict)
    push: bool = False
    webhooks: bool = False
    smtp: str | None = None
    mail_from: str = ""
    words: tuple[str, ...] = ()
    new_account_hours: int = 24
    private_webhooks: bool = False
    engine_threads: int = max(1, _processors() - 1)
    analysis_processes: int = max(1, _processors() // 2)
    work_threads: int = max(2, _processors() // 2)
