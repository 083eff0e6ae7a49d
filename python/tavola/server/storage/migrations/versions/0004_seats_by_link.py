"""Seats by link, and the lobby."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.add_column("seats", sa.Column("invitation_hash", sa.String(64), nullable=True))
    op.add_column("matches", sa.Column("offered", sa.String(32), nullable=True))
    op.create_index("ix_matches_offered", "matches", ["offered"])
