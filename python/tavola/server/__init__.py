"""The server: matches kept for good, told to every viewer. `docs/reference/server-api.md` is its protocol."""
