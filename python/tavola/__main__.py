"""`python -m tavola`: the command line."""

from tavola.cli import main

main()
