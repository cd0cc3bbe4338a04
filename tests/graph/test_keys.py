"""Keys keep their order, their prefix and their length, and know where data lives."""

from pathlib import Path

import pytest

from agrama.graph.keys import MAX_TEXT, data_home, text_key


def test_long_texts_fit_keep_their_head_and_stay_apart() -> None:
    head = "é" * MAX_TEXT
    one, two = text_key(head + "one"), text_key(head + "two")
    assert len(one) == len(two) == MAX_TEXT
    assert one != two
    assert one[:100] == two[:100] == head.encode()[:100]
    assert text_key("short") == b"short"


def test_data_lives_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGRAMA_HOME", "/own")
    monkeypatch.setenv("XDG_DATA_HOME", "/shared")
    monkeypatch.setenv("HOME", "/home/ada")
    assert data_home() == Path("/own")
    monkeypatch.delenv("AGRAMA_HOME")
    assert data_home() == Path("/shared/agrama")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert data_home() == Path("/home/ada/.local/share/agrama")
