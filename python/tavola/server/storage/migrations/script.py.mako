"""${message}."""

import sqlalchemy as sa
from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Goes forward; there is no way back but the copy that was made before."""
    ${upgrades if upgrades else "pass"}
