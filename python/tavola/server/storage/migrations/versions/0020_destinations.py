"""Destinations of notifications, their deliveries, and keys of the server."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.create_table(
        "server_keys",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("key", sa.Text, nullable=False),
    )
    op.create_table(
        "destinations",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column(
            "account", sa.String(32), sa.ForeignKey("accounts.id"), nullable=False, index=True
        ),
        sa.Column("channel", sa.String(16), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("kinds", sa.JSON, nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("agent", sa.String(200), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("failed", sa.String(32), nullable=True),
    )
    op.create_table(
        "deliveries",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "event",
            sa.Integer,
            sa.ForeignKey("outbox.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column(
            "destination",
            sa.String(16),
            sa.ForeignKey("destinations.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due", sa.String(32), nullable=False, index=True),
    )
