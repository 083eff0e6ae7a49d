"""What a match is, and its rules of conduct: no clock, no socket, no database."""
