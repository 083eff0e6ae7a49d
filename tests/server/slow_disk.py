"""`tavola` on a disk that takes its time: what is answered too early is lost at a kill."""

import time

import sqlalchemy as sa

from tavola.cli import main


def commit_slowly(_: sa.Connection) -> None:
    time.sleep(0.02)


if __name__ == "__main__":
    sa.event.listen(sa.Engine, "commit", commit_slowly)
    main()
