"""Ground truth of the simulated user's utterances, in ``intents.jsonl`` next to the journal.

The first line holds the agents and the planned interactions; each further line is an utterance
with its number, text, mode and intended acts. Only the judge reads the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

INTENTS = "intents.jsonl"
NOMINAL = "nominal"

Json = Mapping[str, object]


@dataclass(frozen=True)
class Intent:
    """An utterance with its intended acts. ``interaction``: the id of its planned interaction."""

    text: str
    acts: Sequence[Json]
    mode: str = NOMINAL
    interaction: str | None = None


@dataclass
class IntentLog:
    """Writes ``intents.jsonl`` line by line."""

    path: Path
    head: Json
    said: list[Intent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.path.write_text(_line({"kind": "begin", "format": 1, **self.head}), "utf-8")

    def add(self, intent: Intent) -> None:
        """Append the user's next utterance."""
        self.said.append(intent)
        line = {
            "kind": "words",
            "utterance": len(self.said),
            "text": intent.text,
            "mode": intent.mode,
            "interaction": intent.interaction,
            "acts": list(intent.acts),
        }
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(_line(line))


def _line(data: Json) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
