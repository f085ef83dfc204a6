"""What a run came to, read off its world and its journal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.world.journal import Record, events


@dataclass
class Summary:
    """Counts over a run's records; feed it every record in order."""

    done: list[tuple[str, str]] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    interrupted: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    said: dict[str, int] = field(default_factory=dict)
    skills: int = 0
    decisions: dict[str, int] = field(default_factory=dict)
    records: int = 0
    seconds: float = 0.0
    _has: dict[str, str] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        """Count one record."""
        self.records += 1
        self.seconds = record.t
        for event in events(record):
            self._event(event)

    def _event(self, event: Record) -> None:
        data = event.data
        match event.kind:
            case "assigned":
                for id in data["subtasks"]:  # type: ignore[union-attr]
                    self._has[str(id)] = str(data["agent"])
            case "subtask.done":
                id = str(data["subtask"])
                self.done.append((id, self._has.get(id, "user")))
            case "subtask.failed":
                self.failed.append((str(data["subtask"]), str(data.get("reason", ""))))
            case "subtask.dropped":
                self.dropped.extend(str(id) for id in data["subtasks"])  # type: ignore[union-attr]
            case "agent.interrupted":
                self.interrupted.append(str(data["agent"]))
            case "refused":
                self.refused.append(str(data["reason"]))
            case "contract.broken":
                self.broken.append(f"{data['contract']}: {data['item']}")
            case "said":
                self.said[str(data["who"])] = self.said.get(str(data["who"]), 0) + 1
            case "skill.started":
                self.skills += 1
            case "decided":
                by = str(data["by"])
                self.decisions[by] = self.decisions.get(by, 0) + 1
            case "node.raised" | "node.failed":
                reason = data.get("error") or data.get("reason")
                self.errors.append(f"{data.get('node') or data.get('path')}: {reason}")


def summarize(records: Iterable[Record]) -> Summary:
    """The summary of a whole journal."""
    summary = Summary()
    for record in records:
        summary.add(record)
    return summary
