"""What holds for all tests: none fails by the clock of a machine that has much else to do."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

# Ctrl-C ends a test as it ends a program, also where `make test` runs in the background: a shell
# lets the jobs of its background ignore SIGINT, and their children inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says more of the machine than of what is tested.
settings.register_profile(
    "tavola", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tavola")
