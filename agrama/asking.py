"""Questions to the client (sampling, elicitation, roots), one way for a tool in both eras.

With a handshake the question is a request of ours and the worker waits for its answer. Stateless, the
request ends with `input_required`; the client repeats it with the answers, and with the sealed state
that says how far the tool was.
"""

import os
import time
from collections.abc import Mapping
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

import orjson

from agrama.context import Context, InputRequired, RequestCancelled
from agrama.errors import AgramaError, ToolError
from agrama.protocol.content import ClientRequest
from agrama.protocol.faults import MissingCapabilityError, WrongCallError
from agrama.protocol.messages import (
    Outgoing,
    Request,
    Response,
    dumps,
    encode_notification,
    encode_request,
    encode_response,
)
from agrama.protocol.seal import open_state, seal_state

if TYPE_CHECKING:
    from agrama.peer import Peer


class _Question:
    """One request of ours on its way."""

    __slots__ = ("answer", "context", "done")

    def __init__(self, context: Context, done: Event) -> None:
        self.context = context
        self.done = done
        self.answer: Response | None = None


class Asking:
    """One peer's open questions."""

    def __init__(self, peer: "Peer") -> None:
        self._peer = peer
        self._open: dict[str, _Question] = {}
        self._count = 0
        self._lock = Lock()

    def ask(
        self, context: Context, requests: Mapping[str, ClientRequest], state: Any
    ) -> Mapping[str, Any]:
        """The client's answers by key; stateless, only when the request brought them."""
        missing = [
            request.capability
            for request in requests.values()
            if not self._can(context, request.capability)
        ]
        if context.revision.modern:
            if missing:
                raise MissingCapabilityError(*dict.fromkeys(missing))
            given = context.input_responses or {}
            if all(type(given.get(key)) is dict for key in requests):
                return {key: given[key] for key in requests}
            raise InputRequired(requests, state)
        if missing:
            raise ToolError(
                "The client cannot be asked: it did not declare " + ", ".join(missing),
                data={"hint": "use a client with this capability"},
            )
        return self._ask_now(context, requests)

    @staticmethod
    def _can(context: Context, capability: str) -> bool:
        if capability == "elicitation" and not context.revision.elicitation:
            return False
        return capability in context.client_capabilities

    def _ask_now(self, context: Context, requests: Mapping[str, ClientRequest]) -> dict[str, Any]:
        server = self._peer.server
        if context.request.id not in self._peer.in_flight:
            raise AgramaError("Only what is registered with slow=True may ask the client")
        questions = {key: self._put(context, request) for key, request in requests.items()}
        start_ns = server.clock()
        try:
            with server.pool.waiting():
                for question in questions.values():
                    left = server.options.ask_seconds - (server.clock() - start_ns) / 1e9
                    if not question.done.wait(max(0.0, left)):
                        raise ToolError("The client did not answer the question in time")
                    if context.cancelled:
                        raise RequestCancelled
        finally:
            # A person may think longer than a tool may run: waiting is not the tool's time.
            context.deadline_ns += server.clock() - start_ns
            self._drop(questions.values())
        return {key: _read_answer(question) for key, question in questions.items()}

    def _put(self, context: Context, request: ClientRequest) -> _Question:
        question = _Question(context, Event())
        with self._lock:
            self._count += 1
            identity = f"agrama-{self._count}"
            self._open[identity] = question
        context.deadline_ns = max(
            context.deadline_ns,
            self._peer.server.clock() + int(self._peer.server.options.ask_seconds * 1e9),
        )
        params = dict(request.params)
        if context.revision.name < "2025-11-25":
            params.pop("mode", None)
        data = encode_request(identity, request.method, params)
        self._peer.send(Outgoing(data, context.request.origin, "request", final=False))
        return question

    def _drop(self, questions: Any) -> None:
        """Forget questions; those without an answer are withdrawn at the client too."""
        with self._lock:
            mine = [key for key, question in self._open.items() if question in questions]
            dropped = [(key, self._open.pop(key)) for key in mine]
        for key, question in dropped:
            params = {"requestId": key, "reason": "no longer needed"}
            data = encode_notification("notifications/cancelled", params)
            origin = question.context.request.origin
            self._peer.send(Outgoing(data, origin, "notification", final=False))

    def answered(self, response: Response) -> None:
        """An answer of the client; one nobody waits for is dropped."""
        if type(response.id) is not str:
            return
        with self._lock:
            question = self._open.pop(response.id, None)
        if question is not None:
            question.answer = response
            question.done.set()

    def wake(self, context: Context) -> None:
        """Let a cancelled request notice."""
        with self._lock:
            waiting = [each for each in self._open.values() if each.context is context]
        for question in waiting:
            question.done.set()

    def read_retry(self, context: Context) -> None:
        """Take the answers and the state a repeated request carries, or refuse them."""
        params = context.request.params
        responses = params.get("inputResponses")
        if responses is not None and type(responses) is not dict:
            raise WrongCallError(
                "inputResponses must be an object",
                data={
                    "parameter": "inputResponses",
                    "expected": "an object with one answer per key",
                    "got": type(responses).__name__,
                    "hint": "repeat the keys of inputRequests",
                },
            )
        context.input_responses = responses
        if params.get("requestState") is not None:
            context.state = open_state(
                self._peer.server.key,
                params["requestState"],
                self._binding(context),
                time.time_ns(),
            )

    def encode_required(self, context: Context, needed: InputRequired) -> bytes:
        server = self._peer.server
        expires_ns = time.time_ns() + int(server.options.request_state_ttl_seconds * 1e9)
        result = {
            "_meta": server.identity_meta,
            "resultType": "input_required",
            "inputRequests": {
                key: {"method": request.method, "params": request.params}
                for key, request in needed.requests.items()
            },
            "requestState": seal_state(
                server.key, needed.state, self._binding(context), expires_ns, os.urandom(12)
            ),
        }
        return encode_response(context.request.id, dumps(result))

    def _binding(self, context: Context) -> bytes:
        """What a state is good for: this caller, this method, this very thing and its arguments."""
        request: Request = context.request
        about = {
            key: value
            for key, value in request.params.items()
            if key not in ("_meta", "requestState", "inputResponses")
        }
        return orjson.dumps(
            [self._peer.principal, request.method, about], option=orjson.OPT_SORT_KEYS
        )


def _read_answer(question: _Question) -> Any:
    answer = question.answer
    if answer is None:
        raise ToolError("The client did not answer the question")
    if answer.error is not None:
        raise ToolError(
            f"The client refused the question: {str(answer.error.get('message'))[:300]}",
            data={"got": answer.error},
        )
    return answer.result
