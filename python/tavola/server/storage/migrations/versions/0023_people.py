"""Private profiles, presence, and whom accounts follow and block."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    private = sa.Column("private", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("accounts", private)
    op.add_column("accounts", sa.Column("seen", sa.String(32), nullable=True))
    op.create_table(
        "relations",
        sa.Column("account", sa.String(32), sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("other", sa.String(32), sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_index("ix_relations_other", "relations", ["other", "kind"])
