"""Matches, their seats and their logs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("confirm", sa.Boolean, nullable=False),
        sa.Column("start", sa.Text, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("engine_due", sa.Boolean, nullable=False),
    )
    op.create_index("ix_matches_engine_due", "matches", ["engine_due"])
    op.create_table(
        "seats",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("seconds", sa.Float, nullable=True),
        sa.Column("token_hash", sa.String(64), nullable=True),
    )
    op.create_table(
        "events",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("token", sa.String(255), nullable=True),
        sa.Column("command", sa.String(64), nullable=True),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("key", sa.String(16), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.UniqueConstraint("match", "command", name="events_command_once"),
    )
