"""Seeds that draws follow from. Matches that are there already have none."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.add_column("matches", sa.Column("seed", sa.String(64), nullable=True))
    op.add_column(
        "matches",
        sa.Column("contribute", sa.Boolean, nullable=False, server_default=sa.false()),
    )
