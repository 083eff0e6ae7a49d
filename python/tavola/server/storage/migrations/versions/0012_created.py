"""Matches in the order of their creation."""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.create_index("ix_matches_created", "matches", ["created", "id"])
