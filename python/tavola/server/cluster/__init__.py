"""Several server processes: match ownership, leases and remote calls."""
