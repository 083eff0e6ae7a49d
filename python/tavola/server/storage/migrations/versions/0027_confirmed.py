"""Every destination says whether it is confirmed, and only browsers call themselves something."""

from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Migrate forward; the way back is the copy made before."""
    op.execute("UPDATE destinations SET confirmed = created WHERE channel != 'email'")
    op.execute("UPDATE destinations SET agent = '' WHERE channel != 'push'")
    op.execute("UPDATE destinations SET agent = 'Browser' WHERE channel = 'push' AND agent = ''")
