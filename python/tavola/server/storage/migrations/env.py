"""Runs the migrations on the connection that `migrate.py` gives."""

from alembic import context

from tavola.server.storage.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
