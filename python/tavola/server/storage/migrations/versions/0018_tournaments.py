"""Tournaments: their logs, players and boards."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("status", sa.String(16), nullable=False, index=True),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("created", sa.String(32), nullable=False, index=True),
        sa.Column("organizer", sa.String(32), nullable=True, index=True),
        sa.Column("organizer_hash", sa.String(64), nullable=True),
    )
    op.create_table(
        "tournament_players",
        sa.Column("tournament", sa.String(32), sa.ForeignKey("tournaments.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("account", sa.String(32), nullable=True, index=True),
        sa.Column("token_hash", sa.String(64), nullable=True),
        sa.Column("deleted", sa.Boolean, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_table(
        "tournament_events",
        sa.Column("tournament", sa.String(32), sa.ForeignKey("tournaments.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("change", sa.JSON, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_table(
        "tournament_boards",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("tournament", sa.String(32), nullable=False, index=True),
        sa.Column("ranking", sa.JSON, nullable=True),
        sa.Column("absent", sa.Integer, nullable=True),
    )
