"""Opaque strings that go through the client and come back: cursors and sealed request states.

A request state decides what a retried request does, so it is signed, expires, and is bound to who
asked for what. The key, the time and the nonce are given: nothing here reads a clock.
"""

# Not base64, which loads re and struct to do the same.
from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64
from typing import Any

import orjson

from agrama.errors import InvalidParamsError
from agrama.protocol.faults import WrongCallError

_MAC_BYTES = 32
_TO_URL = str.maketrans("+/", "-_")
_FROM_URL = str.maketrans("-_", "+/")


def encode_cursor(kind: str, offset: int) -> str:
    return _encode(f"{kind}:{offset}".encode())


def decode_cursor(kind: str, cursor: Any) -> int:
    """The offset in a cursor of ours; raises InvalidParamsError on anything else."""
    try:
        name, _, offset = _decode(cursor).decode().rpartition(":")
        if name == kind and offset.isascii() and offset.isdigit() and len(offset) < 12:
            return int(offset)
    except (ValueError, Base64Error, AttributeError, TypeError):
        pass
    raise WrongCallError(
        "Invalid cursor",
        data={
            "parameter": "cursor",
            "expected": "the nextCursor of an earlier answer",
            "got": str(cursor)[:80],
            "hint": "begin again without a cursor",
        },
    )


def seal_state(key: bytes, payload: Any, binding: bytes, expires_ns: int, nonce: bytes) -> str:
    body = orjson.dumps([payload, expires_ns, nonce.hex()])
    return _encode(_sign(key, body, binding) + body)


def open_state(key: bytes, sealed: Any, binding: bytes, now_ns: int) -> Any:
    """The payload of a state sealed for this very request; raises InvalidParamsError otherwise."""
    from hmac import compare_digest

    try:
        raw = _decode(sealed)
        mac, body = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
        if compare_digest(mac, _sign(key, body, binding)):
            payload, expires_ns, _ = orjson.loads(body)
            if now_ns <= expires_ns:
                return payload
            raise _refusal("it has expired")
    except (ValueError, Base64Error, AttributeError, TypeError):
        pass
    raise _refusal("it was not issued for this request")


def _encode(raw: bytes) -> str:
    return b2a_base64(raw, newline=False).decode().translate(_TO_URL).rstrip("=")


def _decode(text: Any) -> bytes:
    if not isinstance(text, str) or not text.isascii():
        raise ValueError("not ours")
    padded = text.translate(_FROM_URL) + "=" * (-len(text) % 4)
    raw = a2b_base64(padded)
    # The decoder skips what is not base64: only the exact string we made is ours.
    if _encode(raw) != text:
        raise ValueError("not ours")
    return raw


def _sign(key: bytes, body: bytes, binding: bytes) -> bytes:
    import hmac

    return hmac.digest(key, len(binding).to_bytes(8, "big") + binding + body, "sha256")


def _refusal(reason: str) -> InvalidParamsError:
    return WrongCallError(
        f"Invalid requestState: {reason}",
        data={
            "parameter": "requestState",
            "expected": "the requestState of the last answer, unchanged",
            "got": "another string",
            "hint": "repeat the call without requestState",
        },
    )
