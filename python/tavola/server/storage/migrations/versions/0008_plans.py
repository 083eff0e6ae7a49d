"""Planned turns."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.create_table(
        "plans",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("after", sa.Integer, nullable=False),
        sa.Column("key", sa.String(16), nullable=False),
        sa.Column("lines", sa.JSON, nullable=False),
        sa.Column("answers", sa.JSON, nullable=False),
    )
