"""docs/http.md says what the code does."""

import re
from dataclasses import fields
from pathlib import Path

from agrama.http.options import HttpOptions

TEXT = (Path(__file__).parents[2] / "docs" / "http.md").read_text()
NOT_LIMITS = {"host", "port", "path", "allowed_hosts", "allowed_origins", "token", "poll_seconds"}


def test_the_table_of_limits_is_that_of_the_options() -> None:
    told = dict(re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", TEXT, re.MULTILINE))
    options = HttpOptions()
    limits = {each.name: str(getattr(options, each.name)) for each in fields(options)}
    assert told == {name: value for name, value in limits.items() if name not in NOT_LIMITS}


def test_the_address_is_the_default_one() -> None:
    options = HttpOptions()
    assert f"http://{options.host}:{options.port}{options.path}" in TEXT
