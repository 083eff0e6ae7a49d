"""Engines by level."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Goes forward; there is no way back but the copy that was made before."""
    op.add_column("seats", sa.Column("level", sa.Integer, nullable=True))
