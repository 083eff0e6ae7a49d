"""`tavola` as a process whose webhooks may lead to private addresses."""

from __future__ import annotations

import sys
from unittest.mock import patch

from tavola.cli import main
from tavola.server.outbox import notifier
from tavola.server.outbox.public_http import PublicHttp

if __name__ == "__main__":
    with patch.object(notifier, "PublicHttp", lambda **_: PublicHttp(allow_private=True)):
        sys.exit(main())
