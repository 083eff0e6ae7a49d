"""Several processes side by side: who keeps which match, and how they talk."""
