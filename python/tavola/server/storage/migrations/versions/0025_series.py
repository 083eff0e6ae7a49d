"""Rematches are found by the match that follows, for the score of a series."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    is_link = sa.text("kind = 'rematch'")
    op.create_index(
        "ix_events_rematch", "events", ["token"], sqlite_where=is_link, postgresql_where=is_link
    )
