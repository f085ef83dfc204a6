"""What the simulated user meant, beside what it said: ``intents.jsonl`` beside the journal.

The first line says who there is and what was planned; each further line is an utterance: its
number among the user's, its text, the mode, and the acts it was meant as. Nobody but the judge
reads it.
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
    """An utterance as it was meant. ``interaction``: the id of the planned one it is part of."""

    text: str
    acts: Sequence[Json]
    mode: str = NOMINAL
    interaction: str | None = None


@dataclass
class IntentLog:
    """Writes the file, line by line, while the user speaks."""

    path: Path
    head: Json
    said: list[Intent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.path.write_text(_line({"kind": "begin", "format": 1, **self.head}), "utf-8")

    def add(self, intent: Intent) -> None:
        """Note the user's next utterance."""
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
