"""What was understood of words that changed nothing, and what would be right, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from treec.team.entities import Act, Agent, Proposal, Subtask, Task
from treec.team.team import Team


def name_or_you(agent: Agent) -> str:
    """How an agent is called in a sentence to people: a person is spoken to."""
    return "you" if agent.person else agent.name


def describe_acts(acts: Iterable[Act]) -> str:
    """What was understood: "R2 should get the box; done: sweep the floor"."""
    return "; ".join(dict.fromkeys(text for act in acts if (text := _describe(act))))


def _describe(act: Act) -> str:
    items = list(_items(act))
    agent = next((item for item in items if isinstance(item, Agent)), None)
    tasks = [item.words or item.name for item in items if isinstance(item, Task)]
    if tasks:
        who = "somebody" if agent is None else name_or_you(agent)
        return f"{who} should {' and '.join(tasks)}"
    named = [item.words for item in items if isinstance(item, Subtask)]
    named += [str(item) for item in items if isinstance(item, Proposal)]
    named += [agent.name] if agent is not None else []
    return f"{act.kind}: {', '.join(named)}" if named else ""


def find_remedy(team: Team, acts: Iterable[Act]) -> str:
    """What would be right instead, as far as the state shows it; empty if it does not."""
    return "; ".join(dict.fromkeys(text for act in acts for text in _remedies(team, act)))


def _remedies(team: Team, act: Act) -> Iterator[str]:
    items = list(_items(act))
    agent = next((item for item in items if isinstance(item, Agent)), None)
    for item in items:
        if isinstance(item, Task) and (missing := _missing(team, item)):
            yield f"say which {missing[0]} is meant"
        elif isinstance(item, Task) and agent is not None:
            able = [a for a in team.agents if team.knowledge.able(a.name, item.name)]
            if agent.name not in {a.name for a in able}:
                names = " or ".join(map(name_or_you, able)) or "nobody"
                yield f"{agent} cannot {item.words or item.name}, {names} can"
        elif isinstance(item, Subtask) and item.status in ("done", "dropped"):
            yield f"this is {item.status} already: {item.words}"


def _missing(team: Team, task: Task) -> list[str]:
    """The arguments of a task that are not named."""
    model = team.knowledge.tasks.get(task.name)
    return [name for name in model.args if name not in task.args] if model is not None else []


def _items(act: Act) -> Iterator[object]:
    for value in act.fields.values():
        yield from value if isinstance(value, tuple) else (value,)
