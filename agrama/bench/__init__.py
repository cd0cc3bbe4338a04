"""Measures the real server on a real repository, beside the floors of the same machine."""
