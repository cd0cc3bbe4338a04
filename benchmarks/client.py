"""The client and the floor that every benchmark here is measured with, and where the scripts lie."""

import os
import sys

from agrama.bench import echo
from agrama.bench.client import Client
from agrama.bench.run import SDK

__all__ = ("RESPONDER", "SDK", "Client", "script")

RESPONDER = [sys.executable, echo.__file__]


def script(name: str, *words: str) -> list[str]:
    """The command that runs a script of this folder."""
    return [sys.executable, os.path.join(os.path.dirname(__file__), name), *words]
