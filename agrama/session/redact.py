"""Takes secrets out of text that will be kept and shown to others."""

import re
from typing import Any

_MARK = "[redacted]"

# Shapes that are secrets whatever stands around them; sources: the issuers' documented formats.
_SHAPES = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{22,}\b"
    r"|\bglpat-[A-Za-z0-9_-]{20,}"
    r"|\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}"
    r"|\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}\b"
    r"|\bxox[abeprs]-[A-Za-z0-9-]{10,}"
    r"|\bAIza[0-9A-Za-z_-]{35}"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+",
    re.DOTALL,
)
# `password = hunter2`, `api_key: "..."`, `Authorization: Bearer ...`: the name stays, the value goes.
_NAMED = re.compile(
    r"((?:password|passwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|client[_-]?secret)"
    r"[\"']?\s*[:=]\s*[\"']?|authorization:\s*(?:bearer|basic)\s+)([^\s\"',;]{6,})",
    re.IGNORECASE,
)
# `scheme://user:password@host`
_URL = re.compile(r"(\b[a-z][a-z0-9+.-]*://[^\s/:@]+:)([^\s/@]+)(?=@)", re.IGNORECASE)


# Looking for these first keeps ordinary text at a microsecond: the patterns above cost thirty.
_HINTS = tuple(
    "-----BEGIN AKIA ASIA ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- sk- sk_ rk_ xox AIza eyJ".split()
)
_NAMES = ("passw", "secret", "key", "token", "authorization")


def redact_text(text: str) -> str:
    """The text with a mark in place of every secret."""
    if any(hint in text for hint in _HINTS):
        text = _SHAPES.sub(_MARK, text)
    if "://" in text and "@" in text:
        text = _URL.sub(rf"\1{_MARK}", text)
    lower = text.lower()
    if any(name in lower for name in _NAMES):
        text = _NAMED.sub(_replace_value, text)
    return text


def _replace_value(found: re.Match[str]) -> str:
    value = found[2]
    # `password=os.environ[...]` names a place, not a secret.
    if value.startswith(("os.", "env", "$", "{", "<", "[redacted]", "process.")):
        return found[0]
    return found[1] + _MARK


def redact(value: Any) -> Any:
    """The same for any JSON value."""
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, list):
        return [redact(item) for item in value]
    if isinstance(value, dict):
        return {key: redact(item) for key, item in value.items()}
    return value
