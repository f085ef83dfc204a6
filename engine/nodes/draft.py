"""A text in a form of its own that a model drafts: a task graph, a nested list. Sent back with what
is wrong at which line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treec.files.entry import AnyEntry
from treec.nodes.asking import AskingLeaf, Exchange, Parsed
from treec.nodes.observation import Observation, observe
from treec.nodes.prompt import Question, answer_json, closed, messages
from treec.nodes.runtime import Runtime
from treec.source.diagnostics import Diagnostic
from treec.source.scope import MappingScope, Scope
from treec.source.template import TextTemplate
from treec.source.text import SourceFile

SCHEMA = closed({"reasoning": {"type": "string"}, "plan": {"type": "string"}})
MOST_TOLD = 8
"""How many findings a model is told at once."""

LONGEST = 400_000
"""Characters of a plan; a longer one is refused unread."""

_NOTHING: Mapping[str, object] = {
    "task": "",
    "constraints": [],
    "objects": [],
    "description": "",
    "commands": [],
    "done": [],
    "holding": [],
    "wrong": "",
}


class GraphRefused(ValueError):
    """An answer that is no graph which may be done; the findings are for whoever wrote it."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__("; ".join(findings))
        self.findings = tuple(findings)


def draft_question(
    runtime: Runtime, entry: AnyEntry, scope: Scope, words: Mapping[str, object]
) -> Question:
    """What is asked; `words` are those of the task, with how far a plan has come that failed."""
    given: dict[str, object] = {**words}
    given |= {name: _lines(words.get(name)) for name in ("done", "holding")}
    given["wrong"] = str(words.get("wrong") or "")
    seen = observe((*entry.model.sees, *entry.model.recalls), scope)
    prompt = messages(
        runtime,
        entry,
        MappingScope(given, parent=scope),
        {"commands": given["commands"]},
        answer_json,
        lambda example: {**_NOTHING, "commands": given["commands"], **example},
        lines=True,
    )
    return Question(prompt, SCHEMA, Observation({**seen.values, **given}, seen.key))


def _lines(value: object) -> list[str]:
    return [str(one) for one in (value if isinstance(value, list | tuple) else (value,)) if one]


class DraftLeaf(AskingLeaf[Parsed]):
    """A leaf that asks for a plan, and sends back one with findings in the words of its file."""

    @property
    def asks(self) -> bool:
        """Whether there is somebody to ask, and something to say."""
        return super().asks and self.entry.model.instructions is not None

    def overtaken(self, exchange: Exchange) -> bool:
        """Never: a plan is for its task, whatever is said meanwhile."""
        return False

    def explain(self, error: Exception) -> str:
        """The findings, in the words of the file's `reflection`."""
        findings = error.findings if isinstance(error, GraphRefused) else (str(error),)
        return reflection(self.entry, findings, self.scope)


def finding(error: Diagnostic, file: SourceFile) -> str:
    """A finding with the line that it is about, as a model can find it in its own answer."""
    line = file.text.split("\n")[error.span.line - 1].strip()[:100]
    help = f" ({error.help})" if error.help else ""
    return f"line {error.span.line}, '{line}': {error.message}{help}"


def reflection(entry: AnyEntry, findings: Sequence[str], scope: Scope) -> str:
    """What is said of a graph that is wrong."""
    if entry.model.reflection is None:
        return "; ".join(findings) + "."
    inner = MappingScope({"findings": list(findings)}, parent=scope)
    return TextTemplate.parse(entry.model.reflection).render(inner).strip()
