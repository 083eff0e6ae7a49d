"""The numbers of deleted rows are not given again: clients and other processes remember them.

PostgreSQL never gives them again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

TABLES = ("runs", "chat", "reports", "outbox", "deliveries")
"""The tables with such numbers, and those that refer to one, after it."""


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return
    known = sa.MetaData()
    tables = [
        sa.Table(name, known, autoload_with=connection, sqlite_autoincrement=True)
        for name in TABLES
    ]
    for table in tables:
        old = f"old_{table.name}"
        for index in table.indexes:
            index.drop(connection)
        # SQLite lets the references to the table follow its name, so no row loses its parent.
        op.rename_table(table.name, old)
        table.create(connection)
        rows = sa.select(sa.text("*")).select_from(sa.table(old))
        op.execute(table.insert().from_select(table.columns.keys(), rows))
    for table in reversed(tables):
        op.drop_table(f"old_{table.name}")
