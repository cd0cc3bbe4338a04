"""MCP over standard input and output: one JSON message per line, nothing else on stdout.

The reader is the main thread: it takes what `read` gives, runs fast requests right there and writes
their answers together. Writing never blocks it: what the pipe does not take is queued, and a second
thread, started when first needed, pushes the rest. The server ends at end of input, on SIGTERM or
SIGINT, when its output is closed, and when the process that started it is gone.
"""

import gc
import os
import signal
import time
from collections.abc import Callable
from threading import Thread, main_thread
from typing import Any, NoReturn

from agrama.outlet import Outlet
from agrama.parents import Ancestry
from agrama.protocol.framing import Framer, TooLong
from agrama.protocol.messages import Chunks, as_line, encode_notification, too_long
from agrama.server import Server

# A larger buffer costs 15 µs per read: the allocator takes it from the system each time.
_READ_BYTES = 1 << 16
# Answers to pipelined requests leave together, but none waits longer than this for the others.
_GATHER_NS = 1_000_000
_POSTPONE_NS = 5_000_000
_WATCH_SECONDS = 0.5
_TIDY_TICKS = 20
DRAIN_SECONDS = 30.0


class _Stopped(BaseException):
    """A signal arrived while the reader waited for input."""


def serve(
    server: Server,
    *,
    heartbeat: bool = False,
    warm_up: Callable[[], object] | None = None,
    stdin_fd: int = 0,
    stdout_fd: int = 1,
) -> int:
    """Answer until the client goes; returns the exit status.

    `warm_up` is called once, after the first answer: what can wait so long belongs there.
    """
    return _Loop(server, stdin_fd, stdout_fd, warm_up).run(heartbeat=heartbeat)


def give_memory_back() -> None:
    """Return to the system what the C library keeps of freed memory: 2 MB for each large moment, 0.3 ms."""
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it
    if trim is not None:
        trim(0)


class _Loop:
    """The reader and its state."""

    def __init__(
        self,
        server: Server,
        stdin_fd: int,
        stdout_fd: int,
        warm_up: Callable[[], object] | None = None,
    ) -> None:
        self._prepare = warm_up
        self._server = server
        self._stdin = stdin_fd
        self._outlet = Outlet(stdout_fd)
        self._peer = server.connect(
            lambda out: self._outlet.write_all([*out.chunks, b"\n"]), rate_limited=False
        )
        self._framer = Framer()
        self._reading = False
        self._stopping = False
        self._orphaned = False
        self._cold = True
        self._untidy = False

    def run(self, *, heartbeat: bool) -> int:
        self._catch_signals()
        Thread(target=self._watch, name="agrama-parent", daemon=True).start()
        if heartbeat and not os.environ.get("MCP_DISABLE_HEARTBEAT"):
            self._send_heartbeat()
        # What is loaded stays: no collection should walk it, least of all inside a request.
        gc.freeze()
        gc.disable()
        try:
            self._read_all()
        except BrokenPipeError:
            pass
        finally:
            self._end()
        return 0

    def _read_all(self) -> None:
        outlet, framer, respond = self._outlet, self._framer, self._peer.respond
        read, stdin = os.read, self._stdin
        while not outlet.closed:
            try:
                self._reading = True
                data = b"" if self._stopping else read(stdin, _READ_BYTES)
                self._reading = False
            except (_Stopped, ConnectionResetError):
                return
            except BlockingIOError:
                self._reading = False
                self._wait_for_input()
                continue
            if framer.is_single(data):
                answer = respond(data)
                if type(answer) is bytes:
                    outlet.write(answer)
                elif type(answer) is Chunks:
                    outlet.write_all(answer.parts)
            elif data:
                self._answer(framer.feed(data))
            else:
                self._answer(framer.end())
                return
            if self._cold:
                self._warm_up()
            if self._untidy:
                self._tidy()
            if outlet.is_full:
                outlet.wait_for_room()

    def _warm_up(self) -> None:
        """After the first answer, load what the next requests will need while the client thinks."""
        import select

        self._cold = False
        if self._prepare is not None:
            self._prepare()
        if not select.select([self._stdin], [], [], 0)[0]:
            self._server.registry.load()
        if not select.select([self._stdin], [], [], 0)[0]:
            import jsonschema_rs  # noqa: F401 - loading it is the point
        gc.freeze()

    def _tidy(self) -> None:
        """Collect cyclic garbage between requests: nothing does it inside them."""
        import select

        if not select.select([self._stdin], [], [], 0)[0]:
            self._untidy = False
            gc.collect()
            give_memory_back()

    def _wait_for_input(self) -> None:
        """Somebody made standard input non-blocking; it may be the same file as our output."""
        import select

        select.select([self._stdin], [], [], 0.5)

    def _answer(self, messages: list[bytes | TooLong]) -> None:
        """Answer pipelined messages, those that are quick before the slow ones even begin.

        A tool that computes takes turns with this thread at the interpreter's lock, so it starts when
        what arrived with it is answered, or after a moment.
        """
        pool = self._server.pool
        pool.postpone()
        self._peer.gathers = True
        try:
            self._answer_quick(messages)
        finally:
            self._peer.gathers = False
            pool.resume()

    def _answer_quick(self, messages: list[bytes | TooLong]) -> None:
        outlet, clock, pool = self._outlet, time.monotonic_ns, self._server.pool
        parts: list[bytes] = []
        begun_ns = since_ns = clock()
        for message in messages:
            answer = self._respond(message)
            if type(answer) is bytes:
                parts.append(answer)
            elif type(answer) is Chunks:
                parts += answer.parts
            now_ns = clock()
            if parts and now_ns - since_ns > _GATHER_NS:
                outlet.write_all(parts)
                parts = []
                since_ns = now_ns
            if now_ns - begun_ns > _POSTPONE_NS:
                pool.resume()
                pool.postpone()
                begun_ns = now_ns
        if parts:
            outlet.write_all(parts)

    def _respond(self, message: bytes | TooLong) -> bytes | Chunks | None:
        if isinstance(message, bytes):
            return self._peer.respond(message)
        out = self._peer.receive_parsed(too_long(message.size_bytes))
        return None if out is None else as_line(out.data)

    def _send_heartbeat(self) -> None:
        offer = self._server.offer
        params = {"name": offer.name, "version": offer.version, "pid": os.getpid()}
        self._outlet.write(encode_notification("notifications/heartbeat", params) + b"\n")

    # Ending

    def _catch_signals(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._signalled)

    def _signalled(self, number: int, frame: Any) -> None:
        self._stopping = True
        if self._reading:
            self._reading = False
            raise _Stopped

    def _watch(self) -> NoReturn:
        """Notice that whoever started us is gone; and repeat a signal that came too early to wake `read`."""
        ancestry = Ancestry(self._stdin)
        ticks = 0
        while True:
            time.sleep(_WATCH_SECONDS)
            ticks += 1
            self._untidy = self._untidy or ticks % _TIDY_TICKS == 0
            if self._outlet.closed or (not self._orphaned and ancestry.is_broken()):
                self._orphaned = True
                self._stopping = True
            if self._stopping:
                signal.pthread_kill(main_thread().ident or 0, signal.SIGTERM)

    def _end(self) -> None:
        if not self._is_alone():
            self._server.close(DRAIN_SECONDS, self._is_alone)
            self._outlet.flush(DRAIN_SECONDS)
        self._peer.close()

    def _is_alone(self) -> bool:
        return self._orphaned or self._outlet.is_abandoned
