"""What the host and its moderators decide, and the log of these acts."""
