"""Prompts: instructions for an agent, filled from the graph when they are asked for."""

from collections.abc import Mapping

from agrama.code_resources import complete_symbol, read_map
from agrama.context import Context
from agrama.registry import Prompt, PromptArgument
from agrama.tools import run_tool


def onboard(context: Context, arguments: Mapping[str, str]) -> str:
    from agrama.graph.stats import collect_stats

    stats = collect_stats(context.snapshot.reader)
    languages = ", ".join(
        f"{name} ({row['files']} files)" for name, row in stats["languages"].items()
    )
    return (
        f"You are new to this repository: {stats['files']} files, {stats['symbols']} symbols, "
        f"{stats['edges']} resolved relations; languages: {languages}.\n\n"
        f"Its most used files and symbols:\n\n{read_map(context, '')}\n\n"
        "Read the files that matter for your task with read_code, follow find_references where a "
        "name is used, and ask query_decisions what was decided before you change anything. Then "
        "say in a few sentences how the repository is built and where your task belongs."
    )


def plan_change(context: Context, arguments: Mapping[str, str]) -> str:
    task = arguments["task"]
    return (
        f"Plan this change: {task}\n\nWhat the repository has on it:\n\n"
        f"{run_tool(context, 'get_context', task=task).text}\n\n"
        "Name the symbols to change, what depends on them (analyze_impact with symbols), the tests "
        "to run and those to write. Say what could go wrong. Record the decision with "
        "record_decision before writing code."
    )


def review_change(context: Context, arguments: Mapping[str, str]) -> str:
    base = arguments.get("base_ref") or "HEAD"
    return (
        f"Review the change of the working tree against {base}.\n\nWhat it reaches:\n\n"
        f"{run_tool(context, 'analyze_impact', base_ref=base).text}\n\n"
        "Read each changed symbol with read_code. Look for broken callers, missing tests, "
        "decisions it contradicts (query_decisions) and code that exists twice (hybrid_search). "
        "Report findings with file and line, the gravest first."
    )


def explain_symbol(context: Context, arguments: Mapping[str, str]) -> str:
    symbol = arguments["symbol"]
    return (
        f"Explain {symbol}: what it is for, how it works, who relies on it.\n\n"
        f"{run_tool(context, 'read_code', symbol=symbol).text}\n\n"
        "Follow what is unclear with read_code and find_references before you answer."
    )


PROMPTS = (
    Prompt(
        "onboard",
        onboard,
        title="Get to know the repository",
        description="Size, languages, map, and how to go on",
        slow=True,
    ),
    Prompt(
        "plan_change",
        plan_change,
        title="Plan a change",
        description="The code, decisions and people a task concerns, and what to plan",
        arguments=(PromptArgument("task", "what shall change", required=True),),
        slow=True,
    ),
    Prompt(
        "review_change",
        review_change,
        title="Review a change",
        description="What the working tree's change reaches, and what to look for",
        arguments=(PromptArgument("base_ref", "compare with this revision (default: HEAD)"),),
        slow=True,
    ),
    Prompt(
        "explain_symbol",
        explain_symbol,
        title="Explain a symbol",
        description="A symbol's text and surroundings, to be explained",
        arguments=(PromptArgument("symbol", "id or name", required=True),),
        complete={"symbol": complete_symbol},
        slow=True,
    ),
)
