"""MCP without I/O: bytes in, messages and answers out; no socket, thread, clock or file."""
