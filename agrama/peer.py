"""One client's connection: messages in, answers out, whatever carries them.

`receive` takes one message and gives its answer when there is one at once; everything else leaves
through `send`, from any thread. A request takes the stateless path when it carries its own version,
the handshake path otherwise. Every request gets exactly one answer, unless its client withdrew it.
"""

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from agrama import methods
from agrama.asking import Asking
from agrama.batch import Batch
from agrama.context import Context, InputRequired, Later, NeedsWorker, RequestCancelled
from agrama.control import CONTROL
from agrama.errors import AgramaError, InvalidRequestError, RateLimitError
from agrama.middleware import Step, explain
from agrama.protocol.content import ToolResult
from agrama.protocol.faults import error_meta, error_text, is_result, wire_code
from agrama.protocol.handshake import LEVELS, Caller, read_stateless
from agrama.protocol.lifecycle import REFUSALS, TRANSITIONS, Event, State
from agrama.protocol.messages import (
    CAPABILITIES_KEY,
    INVALID_REQUEST,
    VERSION_KEY,
    Chunks,
    Invalid,
    Message,
    Notification,
    Outgoing,
    Request,
    Response,
    as_line,
    dumps,
    encode_chunks,
    encode_error,
    encode_notification,
    encode_response,
    parse,
)
from agrama.protocol.revisions import LATEST_LEGACY, MODERN, V2025_03_26, Revision
from agrama.protocol.shape import (
    Encoded,
    as_tool_result,
    encode_result,
    encode_tool_result,
    response_too_long,
)
from agrama.recall import Recall
from agrama.subscriptions import Subscriptions
from agrama.workers import TokenBucket

if TYPE_CHECKING:
    from agrama.server import Server
    from agrama.session.settling import Settling

Data: TypeAlias = bytes | Chunks | None
Answer: TypeAlias = tuple[Data, int | None]  # nothing: it comes later
# Smaller answers are copied together faster than they are written in pieces.
_CHUNKED_BYTES = 1 << 16
_EVENTS = {"initialize": Event.INITIALIZE, "ping": Event.PING}
_INITIALIZED = ("notifications/initialized", "initialized")


class Peer:
    """The server's side of one connection (or of one stateless request)."""

    def __init__(
        self,
        server: "Server",
        send: Callable[[Outgoing], None],
        *,
        principal: str | None = None,
        bucket: TokenBucket | None = None,
        transport: str = "stdio",
        stateless: bool = False,
    ) -> None:
        self.server = server
        self.send = send
        self.principal = principal
        self.transport = transport
        self.stateless = stateless
        self.gathers = transport != "stdio"  # others wait behind what this thread waits for
        self.state = State.UNINITIALIZED
        self.caller = Caller(MODERN if stateless else LATEST_LEGACY)
        self.log_level = "info"
        self.in_flight: dict[str | int, Context] = {}
        self.subscriptions = Subscriptions(self)
        self._asking = Asking(self)
        self._bucket = bucket
        self._recall: Recall | None = None
        self._lock = Lock()
        self._accepts = False  # what the table says of a plain request in this state
        self._speaks_modern = stateless
        self._move(None)

    @property
    def revision(self) -> Revision:
        """The revision agreed on; the newest of its era before that."""
        return self.caller.revision

    def receive(self, data: bytes, origin: Any = None) -> Outgoing | None:
        """Take one message; its answer, if it is ready. Never raises."""
        return self.receive_parsed(parse(data), origin)

    def respond(self, data: bytes) -> bytes | Chunks | None:
        """`receive` for a transport of lines: its answer as one, with its end."""
        recall = self._recall
        if recall is not None and not self.in_flight:
            known = recall.answer(data)
            if known is not None:
                return known
        message = parse(data)
        if type(message) is Request:
            answer = self._start(message)[0]
            if message.cache_key is not None and self._bucket is None:
                self._learn(data, message)
            return as_line(answer)
        out = self.receive_parsed(message)
        return None if out is None else as_line(out.data)

    def receive_parsed(
        self, message: Message | list[Message], origin: Any = None
    ) -> Outgoing | None:
        if type(message) is Request:
            message.origin = origin
            data, code = self._start(message)
            return None if data is None else Outgoing(data, origin, "response", code)
        if type(message) is list:
            return self._receive_batch(message, origin)
        if type(message) is Notification:
            self._notified(message)
        elif type(message) is Response:
            self._asking.answered(message)
        elif type(message) is Invalid:
            return self._refuse(message, origin)
        return None

    def cancel(self, request_id: Any) -> None:
        """The client no longer wants this answer; unknown and finished ids are ignored."""
        if type(request_id) not in (int, str):
            return
        context = self._forget(request_id)
        if context is not None:
            context.cancel()
            self._asking.wake(context)
            self._deliver(context.request, None, None)
        elif (origin := self.subscriptions.end(request_id)) is not None:
            self.send(Outgoing(b"", origin, "nothing"))

    def shut_down(self) -> None:
        """Take no more work; streams of notifications end with their answer."""
        self._move(Event.SHUTDOWN)
        self.subscriptions.finish_all()

    def close(self) -> None:
        """The client is gone: nobody waits for what still runs."""
        self._move(Event.CLOSE)
        with self._lock:
            left, self.in_flight = list(self.in_flight.values()), {}
        for context in left:
            context.cancel()
            self._asking.wake(context)
        self.subscriptions.clear()
        self.server.disconnected(self)

    def _learn(self, data: bytes, request: Request) -> None:
        if self.server.middleware or self.state >= State.SHUTTING_DOWN:
            return  # the user's own must see every request
        if self._recall is None:
            self._recall = Recall(self.server)
        self._recall.learn(data, request, request.cache_key)

    # Requests

    def _start(self, request: Request) -> Answer:
        """The encoded answer and its error code, or nothing when it comes later."""
        revision = self.caller.revision
        try:
            meta = request.meta
            if self.stateless or VERSION_KEY in meta or CAPABILITIES_KEY in meta:
                revision = MODERN
                caller = self._admit_stateless(request)
            elif self._accepts and request.method not in _EVENTS:
                caller = self.caller
            else:
                self._admit(request)
                caller = self.caller
            if self._bucket is not None and not self._bucket.take():
                raise _too_fast("requests per second")
            return self._dispatch(request, caller)
        except AgramaError as error:
            return self._failure(request, error, revision)
        except Exception as error:  # noqa: BLE001 - the request boundary: everything is answered
            self.server.complain(request.method)
            return self._failure(request, explain(error, request.method), revision)

    def _admit(self, request: Request) -> None:
        """Let a request of the handshake era in, if the table does."""
        event = _EVENTS.get(request.method, Event.REQUEST)
        if (self.state, event) in TRANSITIONS:
            return
        if self.state is State.UNINITIALIZED and (
            self._speaks_modern or request.method in methods.MODERN_ONLY
        ):
            read_stateless(request.meta)  # names the field that is missing
        raise InvalidRequestError(
            f"{REFUSALS[self.state]}: {request.method} cannot be served",
            data={
                "parameter": "method",
                "expected": "initialize first" if not self.state else "another method",
                "got": request.method[:100],
                "hint": "send initialize, or the 2026-07-28 _meta fields with each request",
            },
        )

    def _admit_stateless(self, request: Request) -> Caller:
        caller = read_stateless(request.meta)
        if request.batch is not None:
            # A stream of notifications, for one, would hold up the answers of all the others.
            raise InvalidRequestError(
                f"{caller.revision.name} has no batches",
                data={"parameter": "message", "hint": "send each message on its own"},
            )
        self._speaks_modern = True
        if (self.state, Event.STATELESS) not in TRANSITIONS:
            raise InvalidRequestError(
                REFUSALS[self.state], data={"parameter": "method", "hint": "connect again"}
            )
        if request.method in methods.LEGACY_ONLY:
            raise methods.unknown_method(request.method, caller.revision)
        return caller

    def _dispatch(self, request: Request, caller: Caller) -> Answer:
        method = request.method
        server = self.server
        if self.in_flight and request.id in self.in_flight:
            raise InvalidRequestError(
                f"Request id {request.id!r} is still in flight",
                data={"parameter": "id", "expected": "a new id", "got": str(request.id)[:80]},
            )
        if method in CONTROL:
            result = CONTROL[method](self, request, caller)
            return None if result is None else encode_response(request.id, dumps(result)), None
        if method in methods.MODERN_ONLY and not caller.revision.modern:
            raise methods.unknown_method(method, caller.revision)
        route = server.find_route(request, caller.revision)
        context = Context(self, server, request, caller, server.clock(), route.limit_ns)
        if caller.revision.modern and request.params.keys() & methods.RETRY_KEYS:
            self._asking.read_retry(context)
        if route.slow and not (route.pace and route.pace.quick):
            if route.peek is not None:
                body = self._peek(context, route.peek)
                if body is not None:
                    return self._encode(context, body), None
            self._submit(request, context, route.chain)
            return None, None
        context.inline = True
        try:
            answer = self.run(context, route.chain)
        except NeedsWorker:
            context.inline = False
            self._submit(request, context, route.chain)
            return None, None
        if self.in_flight and answer[0] is not None:
            self._forget(request.id, context)  # it failed after it had asked to answer later
        return answer

    def _submit(self, request: Request, context: Context, chain: Step) -> None:
        with self._lock:
            if len(self.in_flight) >= self.server.options.max_in_flight:
                raise _too_fast(f"{len(self.in_flight)} requests in flight")
            self.in_flight[request.id] = context
        self.server.submit(self, context, chain)

    def _peek(self, context: Context, peek: Step) -> Any:
        """A slow request's answer if it is cached; what goes wrong here is told by the full run."""
        try:
            return peek(context, context.request)
        except AgramaError:
            return None
        finally:
            if context.owned is not None:
                self.server.release(context)

    def work(self, context: Context, chain: Step) -> None:
        """A slow request on a worker's thread."""
        if not context.cancelled:
            self.finish(context, *self.run(context, chain))

    def run(self, context: Context, chain: Step) -> Answer:
        """Run a request through the chain; its answer, or nothing if that comes later."""
        settling = self.server.settling
        if settling is None:
            return self._run(context, chain)
        settling.owed.begin()
        try:
            answer = self._run(context, chain)
        finally:
            seq = settling.owed.end()
        return answer if not seq else self._acknowledge(context, answer, settling, seq)

    def _acknowledge(
        self, context: Context, answer: Answer, settling: "Settling", seq: int
    ) -> Answer:
        """The answer to a request that wrote, when that is durable."""
        if context.inline and (self.gathers or not settling.is_prompt):
            if answer[0] is not None:
                self.hold(context)
            settling.later(seq, lambda error: self._settled(context, answer, error))
            return None, None
        error = settling.now(seq)
        return answer if error is None else self._failure(context.request, error, context.revision)

    def _settled(self, context: Context, answer: Answer, error: AgramaError | None) -> None:
        if error is not None:
            answer = self._failure(context.request, error, context.revision)
        if answer[0] is not None:
            self.finish(context, *answer)

    def _run(self, context: Context, chain: Step) -> Answer:
        request = context.request
        try:
            return self._encode(context, chain(context, request)), None
        except RequestCancelled:
            return None, None
        except InputRequired as needed:
            return self._asking.encode_required(context, needed), None
        except AgramaError as error:
            return self._failure(request, error, context.revision)
        except Exception as error:  # noqa: BLE001 - the request boundary: everything is answered
            name = str(request.params.get("name", request.method))
            self.server.complain(name)
            return self._failure(request, explain(error, name), context.revision)
        finally:
            if context.owned is not None:
                self.server.release(context)

    def _encode(self, context: Context, result: Any) -> bytes | Chunks | None:
        request = context.request
        body: bytes | Chunks
        if type(result) is Encoded:
            body = result.body
        elif type(result) is Later:
            return None
        else:
            meta = context.meta
            if context.revision.modern:
                meta = {**self.server.identity_meta, **meta}
            if request.method == "tools/call":
                body = encode_tool_result(as_tool_result(result), context.revision, meta)
            else:
                body = encode_result(result, context.revision, meta)
        if type(body) is bytes and len(body) < _CHUNKED_BYTES:
            return encode_response(request.id, body)
        chunks = encode_chunks(request.id, body)
        if chunks.size_bytes > self.server.options.max_response_bytes:
            raise response_too_long(chunks.size_bytes, self.server.options.max_response_bytes)
        return chunks

    def finish(self, context: Context, data: Data, code: int | None) -> None:
        """Send a late answer, if somebody still waits for it."""
        if data is None and not context.cancelled:
            return  # deferred: `settle` will come
        if self._forget(context.request.id, context) is not None:
            self._deliver(context.request, data, code)

    def settle(self, context: Context, result: Any) -> None:
        """What a `Later` was resolved with, as the answer."""
        request, revision = context.request, context.revision
        try:
            if isinstance(result, AgramaError):
                raise result
            data, code = self._encode(context, result), None
        except AgramaError as error:
            data, code = self._failure(request, error, revision)
        except Exception as error:  # noqa: BLE001 - the request boundary: everything is answered
            data, code = self._failure(request, explain(error, request.method), revision)
        if self._forget(request.id, context) is not None:
            self._deliver(request, data, code)

    def hold(self, context: Context) -> None:
        """Keep a request open after its function returned."""
        with self._lock:
            self.in_flight.setdefault(context.request.id, context)
        self.server.watch(self)

    def overdue(self, now_ns: int) -> None:
        """Answer what ran past its deadline without noticing; its late result is dropped."""
        for context in list(self.in_flight.values()):
            if now_ns > context.deadline_ns + methods.GRACE_NS and self._forget(
                context.request.id, context
            ):
                context.cancel()
                self._asking.wake(context)
                self._deliver(
                    context.request,
                    *self._failure(context.request, context.lateness(), context.revision),
                )

    def _forget(self, identity: Any, context: Context | None = None) -> Context | None:
        """Take a request out of flight; None when another thread was first."""
        with self._lock:
            found = self.in_flight.get(identity)
            if found is None or (context is not None and found is not context):
                return None
            del self.in_flight[identity]
            return found

    def _deliver(self, request: Request, data: Data, code: int | None) -> None:
        if request.batch is not None:
            whole = request.batch.add(data)
            if whole is not None:
                self.send(whole)
        elif data is not None:
            self.send(Outgoing(data, request.origin, "response", code))
        elif request.origin is not None:
            self.send(Outgoing(b"", request.origin, "nothing"))

    def _failure(self, request: Request, error: AgramaError, revision: Revision) -> Answer:
        if is_result(error, revision, request.method):
            result = ToolResult(text=error_text(error), is_error=True, meta=error_meta(error))
            meta = self.server.identity_meta if revision.modern else {}
            return encode_chunks(
                request.id, encode_tool_result(result, revision, meta)
            ).join(), None
        code = wire_code(error, revision)
        return encode_error(request.id, code, error.message, error.data), code

    # Everything that is not a request

    def _receive_batch(self, messages: list[Message], origin: Any) -> Outgoing | None:
        if self.caller.revision is not V2025_03_26 or not self._accepts:
            return self._refuse(
                Invalid(
                    None,
                    INVALID_REQUEST,
                    "Batches exist in 2025-03-26 only: send one message at a time",
                    {
                        "parameter": "message",
                        "expected": "one JSON object",
                        "got": f"an array of {len(messages)}",
                        "hint": "send each message on its own",
                    },
                ),
                origin,
            )
        batch = Batch(origin)
        for message in messages:
            if type(message) is Request:
                message.batch = batch.expect()
                message.origin = origin
                data, _ = self._start(message)
                if data is not None:
                    batch.add(data)
            else:
                answer = self.receive_parsed(message, origin)
                if answer is not None:
                    batch.expect().add(answer.data)
        return batch.close()

    def _refuse(self, invalid: Invalid, origin: Any) -> Outgoing:
        # 2026-07-28 has no null ids: where the id is unknown the field is left out.
        handshake = self.state is not State.UNINITIALIZED or not self._speaks_modern
        data = invalid.encode(keep_null_id=handshake and not self.stateless)
        return Outgoing(data, origin, "response", invalid.code)

    def _notified(self, note: Notification) -> None:
        if note.method in _INITIALIZED:
            self._move(Event.INITIALIZED)
        elif note.method == "notifications/cancelled":
            self.cancel(note.params.get("requestId"))

    def _move(self, event: Event | None) -> None:
        """Follow the table; an event it does not know in this state changes nothing."""
        if event is not None:
            self.state = TRANSITIONS.get((self.state, event), self.state)
        self._accepts = (self.state, Event.REQUEST) in TRANSITIONS
        if self.state >= State.SHUTTING_DOWN:
            self._recall = None

    def begin(self, caller: Caller) -> None:
        """The handshake told who is there."""
        self.caller = caller
        self._move(Event.INITIALIZE)
        self.server.connected(self)

    # What a running request says to its client

    def report_progress(
        self, context: Context, progress: float, total: float | None, message: str | None
    ) -> None:
        token = context.request.meta.get("progressToken")
        if type(token) not in (int, str) or context.cancelled:
            return
        params: dict[str, Any] = {"progressToken": token, "progress": progress}
        if total is not None:
            params["total"] = total
        if message is not None and context.revision.progress_message:
            params["message"] = message
        self._notify(context, "notifications/progress", params)

    def log(self, context: Context, level: str, data: Any, logger: str | None) -> None:
        wanted = context.caller.log_level if context.revision.modern else self.log_level
        if wanted is None or LEVELS.index(level) < LEVELS.index(wanted) or context.cancelled:
            return
        params = {"level": level, "data": data}
        if logger is not None:
            params["logger"] = logger
        self._notify(context, "notifications/message", params)

    def ask(self, context: Context, requests: Any, state: Any) -> Any:
        return self._asking.ask(context, requests, state)

    def defer(self, context: Context) -> Later:
        self.hold(context)
        return Later(lambda result: self.settle(context, result))

    def _notify(self, context: Context, method: str, params: dict[str, Any]) -> None:
        data = encode_notification(method, params)
        self.send(Outgoing(data, context.request.origin, "notification", final=False))


def _too_fast(what: str) -> RateLimitError:
    return RateLimitError(
        f"Too many requests: {what}",
        data={"parameter": "message", "hint": "wait for answers, then send again"},
    )
