"""The behaviour tree as people watch it: running paths open, all else folded to a line or less.

Modifiers are not shown: what they wrap stands for them. A decision shows what it chose and on
whose word; a program its lines, and which of them is under way. Neighbours that have ended alike,
or that nothing has ticked yet, share a line.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from treec.cli.live_paint import safe
from treec.nodes.asking import OFFLINE
from treec.nodes.decide import Decision
from treec.nodes.on_failure import OnFailure
from treec.nodes.program import Program
from treec.render.graph import DrawnEdge, DrawnGraph, Vertex
from treec.render.graph import Status as Shown
from treec.render.text import Line, tree_lines
from treec.run.status_recorder import kind_of

Choices = Mapping[str, tuple[str, str]]
"""What each decision chose last, by its path: the option, and on whose word."""

_STATUS: Mapping[Status, Shown | None] = {
    Status.RUNNING: "RUNNING",
    Status.SUCCESS: "SUCCESS",
    Status.FAILURE: "FAILURE",
    Status.INVALID: None,
}


@dataclass(frozen=True, slots=True)
class LiveProgram:
    """A program as the journal tells of it: on whose word, its lines, which is reached, from 1."""

    by: str
    lines: tuple[str, ...]
    at: int = 0
    over: frozenset[int] = frozenset()

    @property
    def place(self) -> str:
        """How far it is: at the second of three lines it is 2/3."""
        whole = [number for number, line in enumerate(self.lines, 1) if line.strip()]
        return f"{sum(number <= self.at for number in whole)}/{len(whole)}"

    def reached(self, line: int) -> LiveProgram:
        """The same with another line under way."""
        return replace(self, at=line, over=self.over | {self.at} if self.at else self.over)


Programs = Mapping[str, LiveProgram]
"""What each program's node does, by its path."""


@dataclass(frozen=True, slots=True)
class Twig:
    """A node as shown; nodes that do not run have no children here."""

    label: str
    kind: str
    status: Shown | None
    detail: str = ""
    children: tuple[Twig, ...] = ()
    step: bool = False
    """It is a line of a program, and the first to go where there is no room."""


def twig(node: Behaviour, choices: Choices, programs: Programs = MappingProxyType({})) -> Twig:
    """A node and what matters below it, as they are now."""
    core = _core(node)
    status = _STATUS[core.status]
    children: tuple[Twig, ...] = ()
    if status == "RUNNING":
        below = [core.options[core.chosen]] if _chosen(core) else core.children  # type: ignore[attr-defined]
        if not isinstance(core, Decision) or _chosen(core):
            children = _grouped([twig(child, choices, programs) for child in below])
    detail = _detail(core, choices)
    written = programs.get(core.path) if isinstance(core, Program) and core.doing else None
    if status == "RUNNING" and written is not None:
        children = _grouped(list(_steps(written)))
        who = f" ({safe(written.by)})" if written.by != OFFLINE else ""
        detail = f"{written.place} {detail}{who}"
    return Twig(safe(node.name), kind_of(core), status, detail, children)


def _steps(written: LiveProgram) -> Iterator[Twig]:
    """A program's lines: those that were done, the one under way, those to come."""
    for number, line in enumerate(written.lines, 1):
        if line.strip():
            over: Shown | None = "SUCCESS" if number in written.over else None
            status: Shown | None = "RUNNING" if number == written.at else over
            yield Twig(safe(line.strip()), "", status, step=True)


def _core(node: Behaviour) -> Behaviour:
    """What modifiers are wrapped around; a failure's handler while that is at work."""
    while True:
        if isinstance(node, OnFailure):
            running = node.handler.status is Status.RUNNING
            node = node.handler if running else node.child
        elif isinstance(node, Decorator):
            node = node.decorated
        else:
            return node


def _chosen(node: Behaviour) -> bool:
    return isinstance(node, Decision) and node.chosen is not None


def _detail(node: Behaviour, choices: Choices) -> str:
    if isinstance(node, Decision):
        return _chain(node, choices)
    doing = getattr(node, "doing", "")
    if node.status is Status.RUNNING and doing:
        return safe(doing)
    if node.status is Status.RUNNING and isinstance(node, Program):
        return "is being written"
    if node.status is Status.FAILURE and node.feedback_message:
        return safe(node.feedback_message)
    return ""


def _chain(decision: Decision, choices: Choices) -> str:
    """What was chosen, by this decision and by those below it: → Execution → No_op (offline)."""
    said: list[str] = []
    by = ""
    node: Behaviour = decision
    while isinstance(node, Decision):
        last = choices.get(node.path)
        name = node.chosen or (last[0] if last else None)
        if name is None or name not in node.options:
            break
        by = node.by if node.chosen else last[1] if last else ""
        said.append(f"→ {safe(name)}")
        node = _core(node.options[name])
    return f"{' '.join(said)} ({safe(by)})" if said else ""


def _grouped(twigs: list[Twig]) -> tuple[Twig, ...]:
    found: list[Twig] = []
    for key, group in groupby(twigs, key=lambda t: t.status if not t.detail else t):
        members = list(group)
        if key in ("SUCCESS", None) and len(members) > 1:
            label = ", ".join(member.label for member in members)
            found.append(replace(members[0], label=label, kind=""))
        else:
            found.extend(members)
    return tuple(found)


def lines(root: Twig, width: int, rows: int) -> list[Line]:
    """The tree in at most so many columns and rows; what runs comes before all else."""
    opened, whole = _open(root, rows)
    for less in (_without_steps, _bare):
        if not whole:
            root = less(root)
            opened, whole = _open(root, rows)
    return tree_lines(_graph(root, opened), width, rows)


def height(root: Twig) -> int:
    """How many rows the tree takes when there is room for it. The lines of programs come and go,
    and panels shall not move with them.
    """
    return 1 + sum(height(child) for child in root.children if not child.step)


def _without_steps(twig: Twig) -> Twig:
    """Without the lines of programs; the call under way stands beside the program."""
    kept = (child for child in twig.children if not child.step)
    return replace(twig, children=tuple(_without_steps(child) for child in kept))


def _bare(twig: Twig) -> Twig:
    """Without what neither runs nor failed; of a chain of decisions only the last."""
    kept = (child for child in twig.children if child.status in ("RUNNING", "FAILURE"))
    arrow = twig.detail.rfind("→") if twig.kind == "decision" else 0
    detail = twig.detail[max(arrow, 0) :]
    return replace(twig, detail=detail, children=tuple(_bare(child) for child in kept))


def _open(root: Twig, rows: int) -> tuple[set[int], bool]:
    """Which twigs to open (by identity), those near the root first; whether that is all."""
    opened: set[int] = set()
    used, whole = 1, True
    waiting = deque([root])
    while waiting:
        twig = waiting.popleft()
        if used + len(twig.children) > rows:
            whole = False
            continue
        used += len(twig.children)
        opened.add(id(twig))
        waiting.extend(twig.children)
    return opened, whole


def _graph(root: Twig, opened: set[int]) -> DrawnGraph:
    vertices: list[Vertex] = []
    edges: list[DrawnEdge] = []

    def add(twig: Twig) -> str:
        name = str(len(vertices))
        vertices.append(Vertex(name, twig.label, twig.kind, twig.detail, twig.status))
        if id(twig) in opened:
            edges.extend([DrawnEdge(name, add(child)) for child in twig.children])
        return name

    add(root)
    # Edges of a vertex were made after those of its children: put them into the drawing's order.
    edges.sort(key=lambda edge: int(edge.target))
    return DrawnGraph("", tuple(vertices), tuple(edges))
