"""Agrama: a code-intelligence knowledge graph for AI agents, served over MCP."""

__version__ = "0.1.0"
