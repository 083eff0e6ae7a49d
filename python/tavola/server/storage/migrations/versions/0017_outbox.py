"""Events that a person should hear of."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0015"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("account", sa.String(32), nullable=True),
        sa.Column("holder", sa.String(64), nullable=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), nullable=True, index=True),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.Column("detail", sa.String(64), nullable=True),
        sa.Column("due", sa.String(32), nullable=False, index=True),
        sa.Column("read", sa.String(32), nullable=True),
        sa.Column("once", sa.String(160), nullable=True, unique=True),
    )
    op.create_index("ix_outbox_account", "outbox", ["account", "read"])
    op.create_index("ix_outbox_holder", "outbox", ["holder", "read"])
