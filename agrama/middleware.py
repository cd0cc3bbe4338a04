"""The steps around what a request runs, each a function of the step inside it.

The user's middleware has one shape, `(context, request, next) -> result`; ours are built around `next`
instead, once per tool, so that a call costs one frame per step it really takes. Steps pass arguments
and results on unchanged unless changing them is what they are for. A cached answer comes back as
`Encoded`.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias

import orjson

from agrama.cache import ResponseCache
from agrama.context import (
    Context,
    InputRequired,
    Later,
    NeedsWorker,
    RequestCancelled,
    run_again,
)
from agrama.errors import AgramaError, ToolError
from agrama.metrics import Histogram
from agrama.protocol.faults import WrongCallError
from agrama.protocol.messages import Chunks, Request
from agrama.protocol.shape import CACHE_HIT, CACHE_MISS, Encoded, as_tool_result, encode_tool_result
from agrama.registry import BoundTool

Step: TypeAlias = Callable[[Context, Request], Any]
Middleware: TypeAlias = Callable[[Context, Request, Step], Any]

_QUICK_NS = 3_000_000
_CALLS_TO_PROVE = 16


def wrap(middleware: Sequence[Middleware], rest: Step) -> Step:
    """Put middleware of the user's around a step, the first outermost."""
    for each in reversed(middleware):
        rest = _bind(each, rest)
    return rest


def _bind(middleware: Middleware, rest: Step) -> Step:
    def run(context: Context, request: Request) -> Any:
        return middleware(context, request, rest)

    return run


def call(bound: BoundTool) -> Step:
    """The tool itself, innermost."""
    function = bound.tool.run

    def run(context: Context, request: Request) -> Any:
        return run_again(function, context, request.arguments)

    return run


class Pace:
    """Whether a tool has been quick of late; one call that was not makes the next ones prove it anew."""

    __slots__ = ("_to_prove",)

    def __init__(self) -> None:
        self._to_prove = _CALLS_TO_PROVE

    @property
    def quick(self) -> bool:
        return self._to_prove == 0

    def record(self, duration_ns: int) -> None:
        if duration_ns > _QUICK_NS:
            self._to_prove = _CALLS_TO_PROVE
        elif self._to_prove:
            self._to_prove -= 1


def paced(pace: Pace, clock: Callable[[], int], rest: Step) -> Step:
    """Note whether the tool itself was quick, whatever else took time."""
    record = pace.record

    def run(context: Context, request: Request) -> Any:
        begun_ns = clock()
        result = rest(context, request)
        record(clock() - begun_ns)
        return result

    return run


def measured(histogram: Histogram, clock: Callable[[], int], rest: Step) -> Step:
    """Record how long a tool, or another method, takes."""
    record = histogram.record

    def run(context: Context, request: Request) -> Any:
        try:
            result = rest(context, request)
        except BaseException as error:
            if not isinstance(error, NeedsWorker):
                failed = not isinstance(error, InputRequired | RequestCancelled)
                record(clock() - context.started_ns, failed=failed)
            raise
        record(clock() - context.started_ns)
        return result

    return run


def validated(bound: BoundTool, rest: Step) -> Step:
    """Check a tool's arguments and fill in what was left out; `params` stays as it came."""
    check = bound.validator.check

    def run(context: Context, request: Request) -> Any:
        arguments = request.params.get("arguments")
        if type(arguments) is not dict:
            arguments = _no_arguments(arguments)
        request.arguments = checked = check(arguments)
        budget = checked.get("max_tokens")
        if type(budget) is int:
            context.budget_tokens = budget
        return rest(context, request)

    return run


def _no_arguments(arguments: Any) -> dict[str, Any]:
    if arguments is None:
        return {}
    raise WrongCallError(
        "arguments must be an object",
        data={
            "parameter": "arguments",
            "expected": "an object",
            "got": type(arguments).__name__,
            "hint": "pass arguments by name",
        },
    )


def output_checked(bound: BoundTool, rest: Step) -> Step:
    """Hold a tool to its output schema. For tests, and for those who do not trust a tool."""
    output = bound.output
    if output is None:
        return rest

    def run(context: Context, request: Request) -> Any:
        result = rest(context, request)
        if isinstance(result, Encoded | Later):
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
                    f"The answer of {bound.tool.name} does not fit its schema: {reason}"
                )
        return shaped

    return run


def cached(
    cache: ResponseCache,
    identity: dict[str, Any],
    rest: Step,
) -> Step:
    """Answer again what was answered before, while nothing it depends on has changed."""

    def run(context: Context, request: Request) -> Any:
        params = request.params
        if "requestState" in params or "inputResponses" in params:
            return rest(context, request)
        what = request.cache_key = _cache_key(context, request)
        made_from = cache.now()
        body = cache.get(what, made_from)
        if body is not None:
            return Encoded(body)
        result = rest(context, request)
        if isinstance(result, Encoded | Later):
            return result
        result = as_tool_result(result)
        meta = {"agrama/cache": "miss", **context.meta}
        if context.revision.modern:
            meta.update(identity)
        encoded = encode_tool_result(result, context.revision, meta)
        body = encoded.join() if isinstance(encoded, Chunks) else encoded
        if not result.is_error:
            kept = body.replace(CACHE_MISS, CACHE_HIT, 1)
            cache.put(what, kept, made_from, ttl_seconds=context.ttl_seconds, files=context.files)
        return Encoded(body)

    return run


def _cache_key(context: Context, request: Request) -> tuple[Hashable, ...]:
    """What an answer is kept under, apart from the version of what it was made from."""
    return (
        context.principal,
        context.revision.name,
        request.params["name"],
        orjson.dumps(request.arguments, option=orjson.OPT_SORT_KEYS),
    )


def peeking(
    cache: ResponseCache,
    histogram: Histogram,
    clock: Callable[[], int],
) -> Step:
    """The cached answer of a slow tool, found without a worker; None when there is none.

    Goes where `cached` goes, after validation.
    """

    def run(context: Context, request: Request) -> Encoded | None:
        if "requestState" in request.params or "inputResponses" in request.params:
            return None
        what = request.cache_key = _cache_key(context, request)
        body = cache.get(what, cache.now(), counted=False)
        if body is None:
            return None
        cache.hits += 1
        histogram.record(clock() - context.started_ns)
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
