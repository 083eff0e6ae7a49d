"""Engines: the built-in searches, and external programs that speak UGI."""

from tavola.engines.engine import Choice, Engine, Info, Limits
from tavola.engines.levels import levels
from tavola.engines.spec import engine

__all__ = ["Choice", "Engine", "Info", "Limits", "engine", "levels"]
