"""The rules of a match: log, commands, time control and chance, without I/O."""
