"""Clocks of several kinds; time as the events spent it; the server's own hours; chat."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.add_column("matches", sa.Column("time", sa.JSON, nullable=True))
    matches = sa.table("matches", sa.column("turn_seconds", sa.Integer), sa.column("time", sa.JSON))
    connection = op.get_bind()
    lengths = sa.select(matches.c.turn_seconds).where(matches.c.turn_seconds.is_not(None))
    for (seconds,) in connection.execute(lengths.distinct()).all():
        connection.execute(
            matches.update()
            .where(matches.c.turn_seconds == seconds)
            .values(time={"kind": "turn", "seconds": seconds})
        )
    op.drop_column("matches", "turn_seconds")
    op.add_column("events", sa.Column("spent", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("began", sa.String(32), nullable=False),
        sa.Column("alive", sa.String(32), nullable=False),
    )
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_index("ix_chat_match", "chat", ["match"])
    op.create_table(
        "reports",
        sa.Column("line", sa.Integer, sa.ForeignKey("chat.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
    )
