"""API tokens, bot accounts, and when a summary was written."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    for table in ("accounts", "seats"):
        bot = sa.Column("bot", sa.Boolean, nullable=False, server_default=sa.false())
        op.add_column(table, bot)
    op.add_column("standings", sa.Column("changed", sa.String(32), nullable=True))
    op.create_index("ix_standings_changed", "standings", ["changed"])
    op.create_table(
        "api_tokens",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column(
            "account", sa.String(32), sa.ForeignKey("accounts.id"), nullable=False, index=True
        ),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("scopes", sa.JSON, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("expires", sa.String(32), nullable=True),
        sa.Column("used", sa.String(32), nullable=True),
    )
