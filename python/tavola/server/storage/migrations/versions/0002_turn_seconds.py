"""A time for every turn."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Goes forward; there is no way back but the copy that was made before."""
    op.add_column("matches", sa.Column("turn_seconds", sa.Integer, nullable=True))
