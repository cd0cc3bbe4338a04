"""Cursors and sealed states: only what we gave out comes back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agrama.errors import InvalidParamsError
from agrama.protocol.seal import decode_cursor, encode_cursor, open_state, seal_state

KEY = b"k" * 32


@given(st.integers(0, 10**9))
def test_cursor_round_trip(offset: int) -> None:
    assert decode_cursor("tools", encode_cursor("tools", offset)) == offset


@given(st.text() | st.none() | st.integers())
def test_foreign_cursor_is_refused(cursor: object) -> None:
    with pytest.raises(InvalidParamsError):
        decode_cursor("tools", cursor)


def test_cursor_of_another_list_is_refused() -> None:
    with pytest.raises(InvalidParamsError):
        decode_cursor("tools", encode_cursor("prompts", 5))


@given(st.binary(min_size=1, max_size=12), st.text(), st.binary(max_size=20))
def test_state_round_trip(nonce: bytes, payload: str, binding: bytes) -> None:
    try:
        payload.encode()
    except UnicodeEncodeError:
        return
    sealed = seal_state(KEY, payload, binding, 100, nonce)
    assert open_state(KEY, sealed, binding, 100) == payload


@pytest.mark.parametrize(
    ("key", "binding", "now", "reason"),
    [
        (b"other key" * 4, b"b", 5, "not issued"),
        (KEY, b"another", 5, "not issued"),
        (KEY, b"b", 101, "expired"),
    ],
)
def test_state_is_bound_and_expires(key: bytes, binding: bytes, now: int, reason: str) -> None:
    sealed = seal_state(KEY, {"step": 1}, b"b", 100, b"nonce")
    with pytest.raises(InvalidParamsError, match=reason):
        open_state(key, sealed, binding, now)


@given(st.integers(0, 200), st.characters(min_codepoint=33, max_codepoint=126))
def test_any_changed_character_is_noticed(at: int, char: str) -> None:
    sealed = seal_state(KEY, {"step": 1}, b"b", 100, b"nonce")
    changed = sealed[: at % len(sealed)] + char + sealed[at % len(sealed) + 1 :]
    if changed != sealed:
        with pytest.raises(InvalidParamsError):
            open_state(KEY, changed, b"b", 5)
