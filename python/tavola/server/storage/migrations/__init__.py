"""The database's history: one file of `versions` per change, applied at start."""
