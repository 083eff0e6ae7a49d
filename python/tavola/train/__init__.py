"""Training of networks by self-play (extra `tavola[train]`)."""
