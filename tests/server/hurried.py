"""`tavola` with little patience: what is waited for when a process dies takes half as long."""

from tavola.cli import main
from tavola.server import leases, uptime

if __name__ == "__main__":
    leases.SECONDS, leases.RENEWED = 3.0, 0.75
    uptime.GRACE = 10.0
    main()
