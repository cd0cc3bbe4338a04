"""Run the HTTP transport: bind, announce, serve till a signal, drain, leave."""

import asyncio
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address

import uvicorn

from agrama.errors import AgramaError
from agrama.http.app import Endpoint, build_app
from agrama.http.options import HttpOptions
from agrama.server import Server

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
# After the drain only the last bytes of answers are left to be written.
_FLUSH_SECONDS = 5


class _Uvicorn(uvicorn.Server):
    """Drains the core before connections are closed, and leaves by returning, not by the signal."""

    def __init__(
        self, config: uvicorn.Config, endpoint: Endpoint, on_start: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._endpoint = endpoint
        self._on_start = on_start

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in _SIGNALS:
                loop.remove_signal_handler(number)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()  # not before: whoever reads the address may send a signal next

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        drain = asyncio.create_task(self._endpoint.drain())
        while not drain.done() and not self.force_exit:  # a second Ctrl-C is an order
            await asyncio.wait({drain}, timeout=0.1)
        drain.cancel()
        await super().shutdown(sockets)


class HttpServer:
    """A bound address that serves when `run` is called, till `stop` or a signal."""

    def __init__(
        self, server: Server, options: HttpOptions, on_start: Callable[[], None] = lambda: None
    ) -> None:
        self._listener = _bind(options)
        endpoint = Endpoint(server, options)
        config = uvicorn.Config(
            build_app(endpoint, options.path),
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=_FLUSH_SECONDS,
        )
        self._uvicorn = _Uvicorn(config, endpoint, on_start)
        host, port = self._listener.getsockname()[:2]
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{port}{options.path}"

    @property
    def is_loopback(self) -> bool:
        return ip_address(self._listener.getsockname()[0]).is_loopback

    def run(self) -> None:
        with self._listener:
            self._uvicorn.run(sockets=[self._listener])

    def stop(self) -> None:
        """Ask for a graceful end; from any thread."""
        self._uvicorn.should_exit = True


def serve(server: Server, options: HttpOptions) -> int:
    """Serve till SIGINT or SIGTERM; the exit status."""

    def announce() -> None:
        if options.token is None and not site.is_loopback:
            sys.stderr.write(f"agrama: whoever reaches {options.host} may ask: set --token-file\n")
        sys.stderr.write(f"agrama: serving {site.url}\n")
        sys.stderr.flush()

    site = HttpServer(server, options, announce)
    site.run()
    return 0


def _bind(options: HttpOptions) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            options.host, options.port, type=socket.SOCK_STREAM
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise AgramaError(f"cannot serve on {options.host}: {error}") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise AgramaError(
            f"cannot serve on {options.host}:{options.port}: {error}; choose another --port"
        ) from error
    return listener
