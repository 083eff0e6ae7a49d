"""A time for every turn."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.add_column("matches", sa.Column("turn_seconds", sa.Integer, nullable=True))
