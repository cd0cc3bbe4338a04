"""A hub on a small repository, and real server processes that share it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from session_agents import Agent

from agrama.graph.keys import repository_folder
from agrama.session.hub import Hub


@pytest.fixture
def start_agent(sample: Path) -> Iterator[Callable[..., Agent]]:
    agents: list[Agent] = []

    def start(*words: str) -> Agent:
        agents.append(Agent(sample, *words))
        return agents[-1]

    yield start
    for agent in agents:
        agent.close()


@pytest.fixture
def hub(sample: Path) -> Iterator[Hub]:
    hub = Hub(repository_folder(sample) / "journal", sample)
    yield hub
    hub.close()
