"""The server: it stores matches and updates every viewer (docs/reference/server-api.md)."""
