"""Random task graphs that two arms can do, and the same graph written otherwise.

A graph is made of blocks as kitchens have them: fetching, a device with a door, a tool used upon
many things (a star) or in turn (a chain), one hold inside another, two tools that wait for each
other in turns, things for two arms. Edges lead from earlier blocks into later ones, also into the
middle of a hold; doing block after block is therefore always possible, and nothing else is
promised.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from treec_dag_plan.arms.model import GraphNode, NodeType, TaskGraph


@dataclass
class Draft:
    """Nodes as they are added; `block` starts where the newest block does."""

    rng: random.Random
    nodes: list[GraphNode] = field(default_factory=list)
    block: int = 0

    def add(
        self,
        command: str,
        things: Sequence[str],
        type: NodeType,
        after: Sequence[str],
        arms: int = 1,
    ) -> str:
        """One more node; its id."""
        id = f"node_{len(self.nodes) + 1}"
        name = " ".join([command, *(f'"{thing}"' for thing in things)])
        self.nodes.append(GraphNode(id, name, command, tuple(things), arms, tuple(after), type))
        return id

    def thing(self, kind: str) -> str:
        """A name that nothing has yet."""
        return f"{kind}_{len(self.nodes) + 1}"

    def fetch(self, arms: int = 1, after: Sequence[str] = ()) -> str:
        """Take a thing and put it down; the id of the putting."""
        thing = self.thing("thing")
        taken = self.add("grasp", [thing], "occupy", after, arms)
        return self.add("put onto", [thing, "table"], "release", [taken], arms)


def fetch(draft: Draft) -> None:
    """One thing put somewhere."""
    draft.fetch()


def pot(draft: Draft) -> None:
    """One thing that needs both arms, and sometimes something done with both hands after it."""
    put = draft.fetch(arms=2)
    if draft.rng.random() < 0.4:
        draft.add("open", [draft.thing("hatch")], "operate", [put], 2)


def device(draft: Draft) -> None:
    """A door, some things put behind it, the door closed, a switch on and off."""
    door, name = draft.thing("door"), draft.thing("device")
    opened = draft.add("open", [door], "operate", [])
    puts = []
    for _ in range(draft.rng.randint(1, 3)):
        thing = draft.thing("thing")
        taken = draft.add("grasp", [thing], "occupy", [])
        puts.append(draft.add("put into", [thing, name], "release", [opened, taken]))
    closed = draft.add("close", [door], "operate", puts)
    if draft.rng.random() < 0.7:
        on = draft.add("switch_on", [name], "operate", [closed])
        draft.add("switch_off", [name], "operate", [on])


def star(draft: Draft) -> None:
    """One tool, used upon several things that are fetched first."""
    tool = draft.thing("knife")
    taken = draft.add("grasp", [tool], "occupy", [])
    cuts = []
    for _ in range(draft.rng.randint(1, 4)):
        put = draft.fetch()
        thing = draft.nodes[-1].objects[0]
        cuts.append(draft.add("cut with", [thing, tool], "tool use", [taken, put]))
    draft.add("put onto", [tool, "table"], "release", [taken, *cuts])


def chain(draft: Draft) -> None:
    """One tool, used in turn."""
    tool = draft.thing("spoon")
    last = draft.add("grasp", [tool], "occupy", [])
    for _ in range(draft.rng.randint(1, 4)):
        last = draft.add("pour into", [tool, draft.thing("cup")], "tool use", [last])
    draft.add("put onto", [tool, "table"], "release", [last])


def nested(draft: Draft) -> None:
    """A hold that cannot end before another has begun and ended."""
    outer = draft.thing("jar")
    taken = draft.add("grasp", [outer], "occupy", [])
    if draft.rng.random() < 0.5:
        inner = draft.fetch(after=[taken])
    else:
        lid = draft.add("open", [draft.thing("lid")], "operate", [taken])
        inner = draft.fetch(after=[lid])
    used = draft.add("pour into", [outer, draft.thing("cup")], "tool use", [taken, inner])
    draft.add("put onto", [outer, "table"], "release", [used])


def crossed(draft: Draft) -> None:
    """Two tools whose uses wait for each other in turns."""
    tools = [draft.thing("fork"), draft.thing("blade")]
    last = [draft.add("grasp", [tool], "occupy", []) for tool in tools]
    turn = draft.rng.randrange(2)
    waits: list[str] = []
    for _ in range(draft.rng.randint(2, 5)):
        cup = draft.thing("cup")
        done = draft.add("pour into", [tools[turn], cup], "tool use", [last[turn], *waits])
        last[turn] = done
        waits = [done]
        turn = 1 - turn
    for tool, before in zip(tools, last, strict=True):
        draft.add("put onto", [tool, "table"], "release", [before])


BLOCKS: tuple[tuple[Callable[[Draft], None], int], ...] = (
    (fetch, 4),
    (pot, 1),
    (device, 3),
    (star, 3),
    (chain, 2),
    (nested, 2),
    (crossed, 1),
)


def random_graph(seed: int, size: int, links: float = 1.0, near: int = 6) -> TaskGraph:
    """A graph of about so many nodes (never more), in random order, with a completing node.

    `links` is how many edges an average block gets from the `near` blocks before it.
    """
    rng = random.Random(seed)
    draft = Draft(rng)
    blocks: list[tuple[int, int]] = []
    makers, weights = zip(*BLOCKS, strict=True)
    tries = 0
    while len(draft.nodes) < size and tries < 20:
        start = len(draft.nodes)
        rng.choices(makers, weights)[0](draft)
        if len(draft.nodes) > size:
            del draft.nodes[start:]
            tries += 1
            continue
        _link(draft, blocks[-near:], start, links)
        blocks.append((start, len(draft.nodes)))
    last = [node.id for node in draft.nodes]
    waited = {before for node in draft.nodes for before in node.after}
    draft.add("task complete", [], "complete", [id for id in last if id not in waited], 0)
    return shuffled(TaskGraph(tuple(draft.nodes)), rng.randrange(1 << 30))


def _link(draft: Draft, blocks: Sequence[tuple[int, int]], start: int, links: float) -> None:
    rng = draft.rng
    if not blocks:
        return
    count = int(links) + (rng.random() < links % 1)
    for _ in range(count):
        first, end = rng.choice(blocks)
        before = draft.nodes[rng.randrange(first, end)].id
        place = rng.randrange(start, len(draft.nodes))
        node = draft.nodes[place]
        if before not in node.after:
            draft.nodes[place] = replace(node, after=(*node.after, before))


def shuffled(graph: TaskGraph, seed: int) -> TaskGraph:
    """The same graph with its nodes and their edges written in another order."""
    rng = random.Random(seed)
    nodes = [
        replace(node, after=tuple(rng.sample(node.after, len(node.after)))) for node in graph.nodes
    ]
    rng.shuffle(nodes)
    return TaskGraph(tuple(nodes))


def renamed(graph: TaskGraph, seed: int) -> TaskGraph:
    """The same graph with other ids and other names of things."""
    rng = random.Random(seed)
    numbers = list(range(1, len(graph.nodes) + 1))
    rng.shuffle(numbers)
    ids = {node.id: f"node_{number}" for node, number in zip(graph.nodes, numbers, strict=True)}
    things: dict[str, str] = {}
    for node in graph.nodes:
        for thing in node.objects:
            things.setdefault(thing, f"ding {len(things)}")
    return TaskGraph(
        tuple(
            replace(
                node,
                id=ids[node.id],
                objects=tuple(things[thing] for thing in node.objects),
                after=tuple(ids[before] for before in node.after),
            )
            for node in graph.nodes
        )
    )
