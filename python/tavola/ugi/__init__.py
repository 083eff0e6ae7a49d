"""The engine's side of UGI, the text protocol of docs/reference/ugi.md."""

from tavola.ugi.server import serve

__all__ = ["serve"]
