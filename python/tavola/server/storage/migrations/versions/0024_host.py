"""Decisions of the host: roles, bans, mutes, an announcement, and the log of these acts."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    for name in ("disabled", "muted"):
        op.add_column("accounts", sa.Column(name, sa.String(32), nullable=True))
    for name in ("organizer", "moderator"):
        op.add_column(
            "accounts", sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())
        )
    op.add_column("seats", sa.Column("muted", sa.String(32), nullable=True))
    op.add_column("reports", sa.Column("closed", sa.String(32), nullable=True))
    op.create_table(
        "bans",
        sa.Column("network", sa.String(64), primary_key=True),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("until", sa.String(32), nullable=True),
    )
    op.create_table(
        "announcements",
        sa.Column("language", sa.String(16), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_table(
        "audit_log",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("actor", sa.String(32), nullable=True),
        sa.Column("act", sa.String(32), nullable=False),
        sa.Column("account", sa.String(32), nullable=True, index=True),
        sa.Column("match", sa.String(32), nullable=True),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )
