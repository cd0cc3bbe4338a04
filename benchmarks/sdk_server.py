"""The official SDK's server with a tool equal to `wire_server.py`'s `sized`, over stdio."""

from mcp.server import MCPServer

server = MCPServer("sdk")


@server.tool(structured_output=False)
def sized(size: int, label: str = "") -> str:
    return "x" * size


if __name__ == "__main__":
    server.run(transport="stdio")
