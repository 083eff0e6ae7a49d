"""The server: matches kept for good, told to every viewer. `docs/server.md` is its protocol."""
