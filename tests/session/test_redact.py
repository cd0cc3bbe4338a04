"""Secrets leave the text, everything else stays."""

import pytest

from agrama.session.redact import redact, redact_text

SECRETS = (
    "ghp_" + "Ab1" * 12,
    "github_pat_" + "x" * 30,
    "glpat-" + "x" * 20,
    "sk-ant-" + "x" * 24,
    "sk_live_" + "x" * 20,
    "xoxb-1234567890-abc",
    "AIza" + "x" * 35,
    "AKIA" + "A1B2" * 4,
    "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
    "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
)


@pytest.mark.parametrize("secret", SECRETS, ids=lambda text: text[:8])
def test_secrets_by_shape(secret: str) -> None:
    assert redact_text(f"before {secret} after") == "before [redacted] after"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("password = hunter2x", "password = [redacted]"),
        ('"api_key": "abcdef123"', '"api_key": "[redacted]"'),
        ("Authorization: Bearer abc.def-ghi", "Authorization: Bearer [redacted]"),
        ("redis://me:pa55@host/0", "redis://me:[redacted]@host/0"),
    ],
)
def test_secrets_by_name(text: str, kept: str) -> None:
    assert redact_text(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "Tokens are split at underscores",
        "password=os.environ['DB_PASSWORD']",
        "the secret is to keep keys sorted: key order matters",
        "see https://example.org/@user/page",
        "risk-averse desk-bound task_live",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert redact_text(text) == text


def test_values_of_any_shape() -> None:
    value = {"a": ["AKIA" + "A1B2" * 4, 3, None], "b": {"c": "fine"}}
    assert redact(value) == {"a": ["[redacted]", 3, None], "b": {"c": "fine"}}
