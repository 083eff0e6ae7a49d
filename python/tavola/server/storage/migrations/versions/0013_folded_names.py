"""The names of seats as searches compare them."""

import sqlalchemy as sa
from alembic import op

from tavola.server.schema.sanitize import fold

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.add_column("seats", sa.Column("folded", sa.Text, nullable=False, server_default=""))
    names = ("match", "seat", "name", "folded")
    seats = sa.table("seats", *(sa.column(name) for name in names))
    connection = op.get_bind()
    named = connection.execute(
        sa.select(seats.c.match, seats.c.seat, seats.c.name).where(seats.c.name != "")
    ).all()
    here = (seats.c.match == sa.bindparam("here")) & (seats.c.seat == sa.bindparam("number"))
    if named:
        connection.execute(
            seats.update().where(here).values(folded=sa.bindparam("key")),
            [{"here": match, "number": seat, "key": fold(name)} for match, seat, name in named],
        )
