"""Puzzle results have an order, from which a rating follows."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    number = sa.Column("number", sa.Integer, nullable=False, server_default="0")
    op.add_column("puzzle_results", number)
