"""`python -m tavola`: the command line."""

import sys

from tavola.cli import main

sys.exit(main())
