"""Alias of `tavola.analysis`, kept for programs written before version 0.3."""

from tavola.analysis import *  # noqa: F403
from tavola.analysis import __all__ as __all__
