"""Quick pairing: players who want the same game and clock now are seated together."""
