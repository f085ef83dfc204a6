"""What the extension of test_functions names."""

from __future__ import annotations

from treec.team.team import Team


def shout(team: Team, words: object) -> str:
    """The words in capitals."""
    return str(words).upper()


def crew(team: Team) -> tuple[str, ...]:
    """The names of all agents."""
    return tuple(agent.name for agent in team.agents)


calls = 0


def visits(team: Team) -> int:
    """How often it was called."""
    global calls
    calls += 1
    return calls
