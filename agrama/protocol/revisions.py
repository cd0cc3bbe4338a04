"""The five revisions of MCP and what differs between them, as data."""

from typing import NamedTuple


class Revision(NamedTuple):
    """One revision. Each flag is a rule some other module asks for by name."""

    name: str
    modern: bool = False  # stateless: no handshake, everything in `_meta`
    batches: bool = False
    annotations: bool = True  # of tools
    audio: bool = True
    completions: bool = True  # the capability is announced
    progress_message: bool = True
    structured: bool = True  # structuredContent, outputSchema, resource_link, title
    elicitation: bool = True
    icons: bool = True
    input_errors_in_result: bool = True  # arguments that do not fit are `isError` results
    missing_resource_code: int = -32602


V2024_11_05 = Revision(
    "2024-11-05",
    annotations=False,
    audio=False,
    completions=False,
    progress_message=False,
    structured=False,
    elicitation=False,
    icons=False,
    input_errors_in_result=False,
    missing_resource_code=-32002,
)
V2025_03_26 = Revision(
    "2025-03-26",
    batches=True,
    structured=False,
    elicitation=False,
    icons=False,
    input_errors_in_result=False,
    missing_resource_code=-32002,
)
V2025_06_18 = Revision(
    "2025-06-18", icons=False, input_errors_in_result=False, missing_resource_code=-32002
)
V2025_11_25 = Revision("2025-11-25", missing_resource_code=-32002)
V2026_07_28 = Revision("2026-07-28", modern=True)

REVISIONS = {
    revision.name: revision
    for revision in (V2026_07_28, V2025_11_25, V2025_06_18, V2025_03_26, V2024_11_05)
}
LEGACY = {name: revision for name, revision in REVISIONS.items() if not revision.modern}
LATEST_LEGACY = V2025_11_25
MODERN = V2026_07_28
SUPPORTED = tuple(REVISIONS)


def negotiate(requested: str) -> Revision:
    """The revision `initialize` settles on: the one asked for, else the newest with a handshake."""
    return LEGACY.get(requested, LATEST_LEGACY)
