"""How the matches of accounts ended."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.add_column("standings", sa.Column("reason", sa.Text, nullable=True))
    standings = sa.table("standings", sa.column("match"), sa.column("reason"))
    events = sa.table("events", sa.column("match"), sa.column("kind"))
    aborted = sa.select(events.c.match).where(events.c.kind == "abort")
    op.execute(standings.update().where(standings.c.match.in_(aborted)).values(reason="aborted"))
