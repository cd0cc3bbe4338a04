"""The fixture's tools and prompt that ask the client something, in both eras with one code."""

from collections.abc import Mapping
from typing import Any

from agrama.context import Context
from agrama.protocol.content import ClientRequest, elicit, list_roots, message, sample
from agrama.protocol.messages import dumps
from agrama.registry import Prompt, Registry, Tool


def _form(*names: str, kind: str = "string") -> dict[str, Any]:
    properties = {name: {"type": kind} for name in names}
    return {"type": "object", "properties": properties, "required": list(names)}


def _ask_model(question: str) -> ClientRequest:
    return sample([message("user", question)], max_tokens=100)


ASK_NAME = elicit("Your name, please", _form("name"))

DEFAULTS_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {
            "type": "string",
            "enum": ["active", "inactive", "pending"],
            "default": "active",
        },
        "verified": {"type": "boolean", "default": True},
    },
    "required": [],
}


def _titled(*names: str) -> list[dict[str, str]]:
    return [{"const": name, "title": name.title()} for name in names]


ENUMS_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {"type": "string", "oneOf": _titled("value1", "value2", "value3")},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["One", "Two", "Three"],
        },
        "untitledMulti": {
            "type": "array",
            "items": {"type": "string", "enum": ["option1", "option2", "option3"]},
        },
        "titledMulti": {
            "type": "array",
            "items": {"anyOf": _titled("value1", "value2", "value3")},
        },
    },
    "required": [],
}


def _outcome(answer: Mapping[str, Any]) -> str:
    return f"action={answer.get('action')}, content={dumps(answer.get('content') or {}).decode()}"


def _said(answer: Mapping[str, Any]) -> str:
    content = answer.get("content")
    return str(content.get("text")) if isinstance(content, dict) else str(content)


def _field(answer: Mapping[str, Any], name: str) -> str:
    return str((answer.get("content") or {}).get(name, "nobody"))


def _sampling(context: Context, arguments: dict[str, Any]) -> str:
    answers = context.ask({"answer": _ask_model(arguments["prompt"])})
    return f"LLM response: {_said(answers['answer'])}"


def _elicitation(context: Context, arguments: dict[str, Any]) -> str:
    answers = context.ask({"answer": elicit(arguments["message"], _form("response"))})
    return f"User response: {_outcome(answers['answer'])}"


def _elicit_form(form: dict[str, Any]) -> Any:
    def run(context: Context, arguments: dict[str, Any]) -> str:
        answers = context.ask({"answer": elicit("Please fill this in", form)})
        return f"Elicitation completed: {_outcome(answers['answer'])}"

    return run


def _greet(context: Context, arguments: dict[str, Any]) -> str:
    return f"Hello, {_field(context.ask({'user_name': ASK_NAME})['user_name'], 'name')}!"


def _ask_capital(context: Context, arguments: dict[str, Any]) -> str:
    return _said(
        context.ask({"capital_question": _ask_model("Which is the capital of France?")})[
            "capital_question"
        ]
    )


def _count_roots(context: Context, arguments: dict[str, Any]) -> str:
    roots = context.ask({"client_roots": list_roots()})["client_roots"].get("roots") or []
    return "Roots: " + ", ".join(str(root.get("uri")) for root in roots)


def _confirm(context: Context, arguments: dict[str, Any]) -> str:
    context.ask({"confirm": elicit("Sure?", _form("ok", kind="boolean"))}, state={"step": 1})
    return "state-ok" if context.state else "confirmed"


def _ask_three(context: Context, arguments: dict[str, Any]) -> str:
    questions = {
        "user_name": ASK_NAME,
        "greeting": _ask_model("Say hello"),
        "client_roots": list_roots(),
    }
    answers = context.ask(questions, state={"asked": 3})
    return f"{_said(answers['greeting'])} {_field(answers['user_name'], 'name')}"


def _two_rounds(context: Context, arguments: dict[str, Any]) -> str:
    """A stateless client sends the answers of the last round only: the state keeps the others."""
    name = (context.state or {}).get("name")
    if name is None:
        answer = context.ask({"step1": elicit("First: your name", _form("name"))}, state={})
        name = _field(answer["step1"], "name")
    question = elicit("Second: your colour", _form("color"))
    answer = context.ask({"step2": question}, state={"name": name})
    return f"{name} likes {_field(answer['step2'], 'color')}."


def _ask_what_client_can(context: Context, arguments: dict[str, Any]) -> str:
    questions: dict[str, ClientRequest] = {}
    if "sampling" in context.client_capabilities:
        questions["sampled"] = _ask_model("Say something")
    if "elicitation" in context.client_capabilities:
        questions["elicited"] = ASK_NAME
    context.ask(questions)
    return f"asked {len(questions)}"


def _need_sampling(context: Context, arguments: dict[str, Any]) -> str:
    return _said(context.ask({"needed": _ask_model("Say something")})["needed"])


def _report_then_ask(context: Context, arguments: dict[str, Any]) -> str:
    context.progress(1, 2)
    return _greet(context, arguments)


def _prompt_in_context(context: Context, arguments: Mapping[str, str]) -> str:
    answers = context.ask({"user_context": elicit("In which context?", _form("context"))})
    return f"In the context of {_field(answers['user_context'], 'context')}."


_INPUT_REQUIRED = {
    "elicitation": _greet,
    "sampling": _ask_capital,
    "list_roots": _count_roots,
    "request_state": _confirm,
    "multiple_inputs": _ask_three,
    "multi_round": _two_rounds,
    "tampered_state": _confirm,
    "capabilities": _ask_what_client_can,
}


def make_asking_tools() -> list[Tool]:
    named = [
        Tool("test_sampling", "Asks the model", _sampling, _form("prompt"), slow=True),
        Tool("test_elicitation", "Asks the user", _elicitation, _form("message"), slow=True),
        Tool("test_missing_capability", "Needs sampling", _need_sampling, slow=True),
        Tool("test_streaming_elicitation", "Reports, then asks", _report_then_ask, slow=True),
    ]
    forms = {"sep1034_defaults": DEFAULTS_FORM, "sep1330_enums": ENUMS_FORM}
    for name, form in forms.items():
        named.append(Tool(f"test_elicitation_{name}", "A form", _elicit_form(form), slow=True))
    for name, run in _INPUT_REQUIRED.items():
        named.append(Tool(f"test_input_required_result_{name}", "Asks first", run, slow=True))
    return named


def add_asking(registry: Registry) -> None:
    prompt = Prompt(
        "test_input_required_result_prompt",
        _prompt_in_context,
        description="Asks first",
        slow=True,
    )
    registry.add(*make_asking_tools(), prompt)
