"""Analysis of finished matches in worker processes."""
