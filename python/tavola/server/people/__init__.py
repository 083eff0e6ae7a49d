"""People: profiles, friends and presence."""
