"""The progress of accounts with puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.create_table(
        "puzzle_results",
        sa.Column("account", sa.String(32), sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("puzzle", sa.String(80), primary_key=True),
        sa.Column("clean", sa.Boolean, nullable=False),
    )
    op.create_table(
        "puzzle_days",
        sa.Column("account", sa.String(32), sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
    )
