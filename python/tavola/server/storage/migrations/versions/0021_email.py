"""E-mail addresses among the destinations."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.add_column("destinations", sa.Column("confirmed", sa.String(32), nullable=True))
    op.add_column("destinations", sa.Column("email", sa.JSON(none_as_null=True), nullable=True))
