"""A run as lines: what was said, who has what, which step is under way, what went wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.cli.live_models import lost_words
from treec.cli.live_paint import ASSISTANT, PERSON, Piece, safe
from treec.render.measure import clean
from treec.run.summary import step_words, texts
from treec.world.journal import Record, events

OFFLINE = "offline"
"""Who writes a program that is the steps of its task: what they are is known."""

WIDEST = 12
"""Columns for a name; a longer one pushes its own line to the right."""


class Lines:
    """Turns records into lines; it remembers who has which subtask.

    A reason is told once: a skill fails, so the node that runs it, so the subtask, all at one time.
    """

    def __init__(self, names: tuple[str, ...], people: frozenset[str]) -> None:
        self.people = people
        self._width = min(WIDEST, max((len(name) for name in (*names, "assistant")), default=0))
        self._has: dict[str, str] = {}
        self._at = -1.0
        self._reasons: set[str] = set()

    def of(self, record: Record) -> Iterator[tuple[Piece, ...]]:
        """The lines of a record; none for what people need not know."""
        for event in events(record):
            for who, pieces in self._of(event):
                style = PERSON if who in self.people else ASSISTANT if who == "assistant" else ""
                yield (
                    (f"{event.t:7.1f}  ", "dim"),
                    (safe(who).ljust(self._width) + "  ", style or "bold"),
                    *pieces,
                )

    def _of(self, event: Record) -> Iterator[tuple[str, list[Piece]]]:
        data = event.data
        agent = safe(data.get("agent") or "")
        match event.kind:
            case "said":
                yield str(data["who"]), [(safe(data["text"]), "")]
            case "recipe.set":
                yield "", [("recipe: ", "dim"), (safe(data["name"]), "bold")]
            case "assigned":
                names = texts(data["subtasks"])
                self._has.update(dict.fromkeys(names, agent))
                first = ", first" if data.get("first") else ""
                yield agent, [("→ ", "cyan"), (f"has {_listed(names)}{first}", "")]
            case "subtask.started":
                yield agent, [("▸ ", "bold yellow"), (safe(data["subtask"]), "bold")]
            case "programmed" if data.get("because"):
                why = f"! its own steps are done: {safe(data['because'])}"
                yield agent, [(why, "yellow")]
            case "programmed" if data.get("by") != OFFLINE:
                yield agent, [("  program by ", "dim"), (safe(data["by"]) + ":", "")]
                for line in str(data["program"]).splitlines():
                    if line.strip():
                        indent = " " * (len(line) - len(line.lstrip()))
                        yield agent, [("    " + indent + safe(line.strip()), "cyan")]
            case "skill.started":
                yield agent, [("  " + safe(step_words(data)), "dim")]
            case "skill.ended" if data.get("cancelled"):
                yield agent, [(f"■ {safe(step_words(data))} stopped", "yellow")]
            case "skill.ended" if not data.get("ok"):
                reason = safe(data.get("reason", "failed"))
                why = f"{safe(step_words(data))}: {reason}"
                self._tells(event.t, reason, why)
                yield agent, [("✗ " + why, "red")]
            case "subtask.done":
                who = self._has.pop(str(data["subtask"]), "")
                yield who, [("✓ ", "green"), (safe(data["subtask"]) + " done", "")]
            case "subtask.failed":
                who = self._has.pop(str(data["subtask"]), "")
                reason = safe(data.get("reason", ""))
                why = f": {reason}" if self._tells(event.t, reason) else ""
                yield who, [(f"✗ {safe(data['subtask'])} failed{why}", "red")]
            case "subtask.dropped":
                yield "", [(f"– dropped: {_listed(texts(data['subtasks']))}", "yellow")]
            case "agent.interrupted":
                yield agent, [("■ stopped", "bold yellow")]
            case "agent.resumed":
                yield agent, [("▸ goes on", "")]
            case "contract.broken":
                told = f"! contract {safe(data['contract'])} broken: {safe(data['item'])}"
                yield "", [(told, "bold red")]
            case "refused":
                yield "", [(f"! {_last(data['node'])} refused: {safe(data['reason'])}", "red")]
            case "model.lost":
                yield "", [(lost_words(data["reason"], data.get("module")), "bold yellow")]
            case "model.back":
                yield "", [("the model answers again", "yellow")]
            case "node.failed" | "node.raised":
                path = _last(data.get("node") or data.get("path"))
                why = safe(data.get("reason") or data.get("error"))
                if self._tells(event.t, why):
                    yield "", [(f"! {path}: {why}", "red")]
            case "planned":
                nodes = data.get("nodes")
                count = len(nodes) if isinstance(nodes, Mapping) else 0
                told = f"plan of {count} sub-tasks ({safe(data['by'])})"
                because = f": {safe(data['because'])}" if data.get("because") else ""
                yield "", [(told + because, "bold cyan")]
            case "plan.changed":
                yield "", [("what was undone is done again", "yellow")]
            case "plan.done":
                yield "", [("✓ the task is done", "bold green")]
            case "plan.failed":
                self._tells(event.t, why := safe(data["reason"]))
                yield "", [(f"✗ no plan: {why}", "bold red")]
            case "log":
                text = clean(str(data.get("text", data.get("message", "")))).replace("\n", " ")
                yield "", [("# " + text, "dim")]  # carets stay below what they point at

    def _tells(self, t: float, *reasons: str) -> bool:
        """Whether one of these is new at this time; from now on they are not."""
        if t != self._at:
            self._at, self._reasons = t, set()
        new = not self._reasons.issuperset(reasons)
        self._reasons.update(reasons)
        return new


def _listed(names: list[str]) -> str:
    return ", ".join(safe(name) for name in names)


def _last(path: object) -> str:
    return safe(path).rpartition("/")[2]
