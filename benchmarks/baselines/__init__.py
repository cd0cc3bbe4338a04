"""Other tools that install from a registry, and how each is asked what ours is asked."""
