"""Streamable HTTP: the second transport. `serve.serve` runs it, `app.build_app` is the ASGI application."""
