"""Snapshots and updates for viewers, presence, and rules pages."""
