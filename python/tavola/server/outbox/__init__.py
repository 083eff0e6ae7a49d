"""The outbox: events that a person should hear of, and their delivery."""
