"""Finished matches and their positions."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.create_table(
        "finished",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("kind", sa.String(255), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("ended", sa.String(32), nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("winners", sa.Integer, nullable=False),
        sa.Column("reason", sa.String(64), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
    )
    op.create_index("ix_finished_ended", "finished", ["game", "ended", "match"])
    op.create_table(
        "played",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(16), nullable=False),
        sa.Column("token", sa.String(255), nullable=True),
        sa.Column("winners", sa.Integer, nullable=False),
    )
    op.create_index("ix_played_key", "played", ["key", "token", "winners", "match"])
    queue = op.create_table(
        "archive_queue",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
    )
    matches = sa.table("matches", sa.column("id"))
    op.execute(queue.insert().from_select(["match"], sa.select(matches.c.id)))
