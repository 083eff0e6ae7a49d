"""Agents of the host."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.add_column("seats", sa.Column("agent", sa.String(64), nullable=True))
