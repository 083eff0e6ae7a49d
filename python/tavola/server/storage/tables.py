"""The tables of matches, seats and events."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("confirm", sa.Boolean, nullable=False),
    sa.Column("start", sa.Text, nullable=False),
    sa.Column("time", sa.JSON(none_as_null=True), nullable=True),
    # The random draws follow from it; revealed at the end. See docs/explanation/fairness.md.
    sa.Column("seed", sa.String(64), nullable=True),
    sa.Column("contribute", sa.Boolean, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("created", sa.String(32), nullable=False),
    # Written with the log: the match's engine must search again after a restart.
    sa.Column("engine_due", sa.Boolean, nullable=False, index=True),
    # When the creator of a challenge was last present; null: it is not in the lobby.
    sa.Column("offered", sa.String(32), nullable=True, index=True),
    sa.Index("ix_matches_created", "created", "id"),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("name", sa.String(64), nullable=False),
    # The name as `fold` makes it, which searches read.
    sa.Column("folded", sa.Text, nullable=False, server_default=""),
    sa.Column("seconds", sa.Float, nullable=True),
    sa.Column("level", sa.Integer, nullable=True),
    sa.Column("token_hash", sa.String(64), nullable=True),
    # The account that holds it, too; whether the seat bears its name; whether it has been deleted.
    sa.Column("account", sa.String(32), nullable=True, index=True),
    sa.Column("member", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("deleted", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("invitation_hash", sa.String(64), nullable=True),
    # The name of the host's agent that plays it.
    sa.Column("agent", sa.String(64), nullable=True),
    # Whether the account is a bot.
    sa.Column("bot", sa.Boolean, nullable=False, server_default=sa.false()),
    # Until when a moderator lets it write no chat.
    sa.Column("muted", sa.String(32), nullable=True),
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("token", sa.String(255), nullable=True),
    sa.Column("command", sa.String(64), nullable=True),
    # The position after the event and its key: a replay must lead to the same.
    sa.Column("position", sa.Text, nullable=False),
    sa.Column("key", sa.String(16), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("spent", sa.Integer, nullable=False),
    sa.UniqueConstraint("match", "command", name="events_command_once"),
    # Finds the match before a rematch.
    sa.Index(
        "ix_events_rematch",
        "token",
        sqlite_where=sa.text("kind = 'rematch'"),
        postgresql_where=sa.text("kind = 'rematch'"),
    ),
)
