"""Nodes for which a model drafts a text in a form of its own: a task graph, a nested list.

A draft with findings is sent back with them, each with its line.
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
"""Findings that are sent back at once."""

LONGEST = 400_000
"""Characters of a draft; a longer one is refused unread."""


class DraftRefused(ValueError):
    """A draft that cannot be used; ``findings`` are for its author."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__("; ".join(findings))
        self.findings = tuple(findings)


def draft_question(
    runtime: Runtime, entry: AnyEntry, scope: Scope, words: Mapping[str, object]
) -> Question:
    """The question of a draft: what the file's model `gives`, with the values in ``words``.

    An example that does not give ``commands`` has those of ``words``; other names that ``words`` or
    an example lack are empty.
    """
    types = {name: kind for name, kind in entry.model.gives.items() if name != "findings"}
    empty: dict[str, object] = {n: "" if kind == "text" else [] for n, kind in types.items()}
    given = {**empty, **words}
    for name, kind in types.items():
        given[name] = str(given[name] or "") if kind == "text" else _lines(given[name])
    prompt = messages(
        runtime,
        entry,
        MappingScope(given, parent=scope),
        {"commands": given["commands"]},
        answer_json,
        lambda example: {**empty, "commands": given["commands"], **example},
        lines=True,
    )
    seen = observe((*entry.model.sees, *entry.model.recalls), scope)
    return Question(prompt, SCHEMA, Observation({**seen.values, **given}, seen.key))


def _lines(value: object) -> list[str]:
    return [str(one) for one in (value if isinstance(value, list | tuple) else (value,)) if one]


class DraftLeaf(AskingLeaf[Parsed]):
    """A leaf that asks for a draft, and sends back one with findings in the words of its file."""

    @property
    def asks(self) -> bool:
        """Whether there is a model to ask, and instructions to send."""
        return super().asks and self.entry.model.instructions is not None

    def overtaken(self, exchange: Exchange) -> bool:
        """Never: a draft does not depend on what is said meanwhile."""
        return False

    def explain(self, error: Exception) -> str:
        """The findings, in the words of the file's `reflection`."""
        findings = error.findings if isinstance(error, DraftRefused) else (str(error),)
        return reflection(self.entry, findings, self.scope)


def finding(error: Diagnostic, file: SourceFile) -> str:
    """A finding with the number and the text of its line, so that a model finds it."""
    line = file.text.split("\n")[error.span.line - 1].strip()[:100]
    help = f" ({error.help})" if error.help else ""
    return f"line {error.span.line}, '{line}': {error.message}{help}"


def reflection(entry: AnyEntry, findings: Sequence[str], scope: Scope) -> str:
    """The text that a draft with findings is sent back with."""
    if entry.model.reflection is None:
        return "; ".join(findings) + "."
    inner = MappingScope({"findings": list(findings)}, parent=scope)
    return TextTemplate.parse(entry.model.reflection).render(inner).strip()
