"""Runs the migrations on the connection that `tavola.server.migrate` gives."""

from alembic import context

from tavola.server.store import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
