"""Who plays: accounts, the seats that are somebody's, and how strong they are."""
