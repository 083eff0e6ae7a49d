"""Acts of the host and of moderators, and their log."""
