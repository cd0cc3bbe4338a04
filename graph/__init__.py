"""Keeps and answers: the data model, the LMDB store, search and dependencies."""
