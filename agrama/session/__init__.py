"""Several agents on one repository: sessions, messages, claims, decisions, events."""
