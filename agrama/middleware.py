"""The steps around every request, one callable shape: `(context, request, next) -> result`.

A chain is composed once, outermost first; `next(context, request)` runs the rest. Steps must pass
arguments and results on unchanged unless changing them is what they are for. A cached answer comes
back as `Encoded`.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias

import orjson

from agrama.cache import ResponseCache
from agrama.context import Context, Later
from agrama.errors import AgramaError, ToolError
from agrama.metrics import Metrics
from agrama.protocol.faults import WrongCallError
from agrama.protocol.messages import Request
from agrama.protocol.shape import CACHE_HIT, CACHE_MISS, Encoded, as_tool_result, encode_tool_result

Step: TypeAlias = Callable[[Context, Request], Any]
Middleware: TypeAlias = Callable[[Context, Request, Step], Any]


def compose(steps: Sequence[Middleware], last: Step) -> Step:
    """One callable out of many; the chain is fixed here, not per request."""
    chain = last
    for step in reversed(steps):
        chain = _bind(step, chain)
    return chain


def _bind(step: Middleware, rest: Step) -> Step:
    def run(context: Context, request: Request) -> Any:
        return step(context, request, rest)

    return run


def measure(metrics: Metrics, clock: Callable[[], int]) -> Middleware:
    """Record how long each tool, or each other method, takes."""

    def run(context: Context, request: Request, rest: Step) -> Any:
        name = request.params["name"] if request.method == "tools/call" else request.method
        failed = True
        try:
            result = rest(context, request)
            failed = False
            return result
        finally:
            metrics.record(name, clock() - context.started_ns, failed=failed)

    return run


def validate(context: Context, request: Request, rest: Step) -> Any:
    """Check a tool's arguments and fill in what was left out."""
    if request.method != "tools/call":
        return rest(context, request)
    arguments = request.params.get("arguments")
    if arguments is None:
        arguments = {}
    elif type(arguments) is not dict:
        raise WrongCallError(
            "arguments must be an object",
            data={
                "parameter": "arguments",
                "expected": "an object",
                "got": type(arguments).__name__,
                "hint": "pass arguments by name",
            },
        )
    checked = request.target.validator.check(arguments)
    request.params = {**request.params, "arguments": checked}
    budget = checked.get("max_tokens")
    if type(budget) is int:
        context.budget_tokens = budget
    return rest(context, request)


def check_output(context: Context, request: Request, rest: Step) -> Any:
    """Hold a tool to its output schema. For tests, and for those who do not trust a tool."""
    result = rest(context, request)
    if request.method != "tools/call" or isinstance(result, Encoded | Later):
        return result
    output = request.target.output
    if output is None:
        return result
    shaped = as_tool_result(result)
    if not shaped.is_error:
        reason = (
            "no structured content"
            if shaped.structured is None
            else output.first_error(shaped.structured)
        )
        if reason:
            raise AgramaError(
                f"The answer of {request.params['name']} does not fit its schema: {reason}"
            )
    return shaped


def cached(
    cache: ResponseCache, version_of: Callable[[Context], Hashable], server_meta: dict[str, Any]
) -> Middleware:
    """Answer again what was answered before, while nothing it depends on has changed."""

    def run(context: Context, request: Request, rest: Step) -> Any:
        if request.method != "tools/call" or not request.target.tool.cacheable:
            return rest(context, request)
        params = request.params
        if "requestState" in params or "inputResponses" in params:
            return rest(context, request)
        key = (
            context.principal,
            context.revision.name,
            params["name"],
            orjson.dumps(params["arguments"], option=orjson.OPT_SORT_KEYS),
            version_of(context),
        )
        body = cache.get(key)
        if body is not None:
            return Encoded(body)
        result = rest(context, request)
        if isinstance(result, Encoded | Later):
            return result
        result = as_tool_result(result)
        meta = {"agrama/cache": "miss", **context.meta}
        if context.revision.modern:
            meta.update(server_meta)
        body = encode_tool_result(result, context.revision, meta)
        if not result.is_error:
            kept = body.replace(CACHE_MISS, CACHE_HIT, 1)
            cache.put(key, kept, ttl_seconds=context.ttl_seconds, files=context.files)
        return Encoded(body)

    return run


def explain(error: Exception, name: str) -> AgramaError:
    """An error of any kind as one of ours, at the request boundary."""
    if isinstance(error, AgramaError):
        return error
    if isinstance(error, RecursionError | MemoryError):
        return ToolError(
            f"{name} ran out of {'stack' if isinstance(error, RecursionError) else 'memory'}"
        )
    return ToolError(
        f"{name} failed: {type(error).__name__}: {str(error)[:300]}",
        data={"hint": "this is a defect of the tool; its trace is on stderr"},
    )
