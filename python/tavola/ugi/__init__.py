"""UGI, the text protocol between engines and programs: the engine's side (docs/reference/ugi.md)."""

from tavola.ugi.server import serve

__all__ = ["serve"]
