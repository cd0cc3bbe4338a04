"""The other floor: the official SDK's server with an echo of so many bytes. Run as a file, where `mcp` is installed."""

from mcp.server import MCPServer

server = MCPServer("sdk")


@server.tool(structured_output=False)
def sized(size: int, label: str = "") -> str:
    """As many bytes as asked; `label` makes calls differ."""
    return "x" * size


if __name__ == "__main__":
    server.run(transport="stdio")
