"""Graphs to draw: of any size, and with the names that break careless writers."""

from __future__ import annotations

import random
from typing import Literal

from treec.files.nodes import MODIFIERS, node_specs
from treec.render.graph import DrawnEdge, DrawnGraph, Status, Vertex

NASTY = (
    'it\'s "quoted"',
    "a: b, {c: d}",
    "<b>bold</b> & &amp; ]]> <!-- -->",
    "back\\slash \\n \\",
    "two\nlines\r\nthree",
    "\x1b[31mred\x1b[0m \x00 \ud800 \u202e",
    "准备生菜，然后端上桌，再把胡椒粉倒进大碗里去搅拌均匀",
    "👩‍🍳 cooks 🥗🇫🇷 é",
    "a_very_long_name.with_no_spaces/at_all:" + "x" * 80,
    "stir pot",
    "stir pot",
    "{{ jinja }} {% raw %} %(x)s $HOME",
    "",
    "   ",
    "→ ? ⇉ مرحبا שלום",
)
WORDS = ("get", "pepper", "lettuce", "stir", "away", "Caesar salad", "R2", "into", "准备", "<b>")
KINDS = (*(spec.key for spec in node_specs()), *MODIFIERS, "decision", "reading", "subtask")
STATUSES: tuple[Status | None, ...] = (None, None, "RUNNING", "SUCCESS", "FAILURE")
CONTROL = ("sequence", "selector", "parallel", "switch", "timeout", "retry", "reactive_sequence")


def nasty(shape: Literal["tree", "dag"]) -> DrawnGraph:
    """A graph whose ids, labels, details, kinds, title and edge labels are all nasty."""
    ids = [f"{text}#{index}" for index, text in enumerate(NASTY)]
    vertices = tuple(
        Vertex(identity, text, ["skill", '<&">'][index % 2], text)
        for index, (identity, text) in enumerate(zip(ids, NASTY, strict=True))
    )
    edges = tuple(
        DrawnEdge(ids[(index - 1) // 3], ids[index], NASTY[index]) for index in range(1, len(ids))
    )
    return DrawnGraph(NASTY[2] + NASTY[0], vertices, edges, shape)


def tree(count: int, seed: int = 0, **options: object) -> DrawnGraph:
    """A random tree with details, statuses and a few edge labels."""
    dice = random.Random(seed)
    edges: list[DrawnEdge] = []
    depth, kids = [0], [0]
    while len(depth) < count:
        parent = dice.randrange(len(depth))
        if kids[parent] < 5 and depth[parent] < 9:
            label = "case: fetch" if dice.random() < 0.1 else ""
            edges.append(DrawnEdge(f"v{parent}", f"v{len(depth)}", label))
            kids[parent] += 1
            kids.append(0)
            depth.append(depth[parent] + 1)
    vertices = []
    for number in range(count):
        kind = dice.choice(CONTROL) if kids[number] else dice.choice(sorted(KINDS))
        label = " ".join(dice.choices(WORDS, k=dice.randint(1, 7)))
        detail = dice.choice(("", "status(agent) == 'Running'", "until: available and " * 5))
        vertices.append(Vertex(f"v{number}", label, kind, detail, dice.choice(STATUSES)))
    return DrawnGraph(f"{count} nodes", tuple(vertices), tuple(edges), **options)  # type: ignore[arg-type]


def dag(
    count: int, seed: int = 0, direction: Literal["down", "right"] = "down", cycles: int = 0
) -> DrawnGraph:
    """A random layered graph with joins, edge labels, long edges, and back edges if asked for."""
    dice = random.Random(seed)
    rank = sorted(dice.randrange(max(count // 8, 3)) for _ in range(count))
    edges = []
    for source in range(count):
        later = [target for target in range(count) if rank[target] > rank[source]]
        near = [target for target in later if rank[target] == rank[source] + 1] or later
        for _ in range(dice.choice((0, 1, 1, 2))):
            if later:
                target = dice.choice(near if dice.random() < 0.8 else later)
                label = "when acts.stop" if dice.random() < 0.1 else ""
                edges.append(DrawnEdge(f"n{source}", f"n{target}", label))
    for _ in range(cycles):
        one, other = dice.randrange(count), dice.randrange(count)
        edges.append(DrawnEdge(f"n{max(one, other)}", f"n{min(one, other)}", "again", "dashed"))
    vertices = tuple(
        Vertex(f"n{number}", " ".join(dice.choices(WORDS, k=dice.randint(1, 7))), "subtask")
        for number in range(count)
    )
    return DrawnGraph(f"{count} nodes", vertices, tuple(edges), "dag", direction)
