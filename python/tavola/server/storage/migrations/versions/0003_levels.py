"""Engines by level."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.add_column("seats", sa.Column("level", sa.Integer, nullable=True))
