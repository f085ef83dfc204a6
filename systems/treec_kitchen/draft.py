"""Nodes for which a model drafts a text in a form of its own: a task graph, a list of subtasks.

A draft with errors is sent back with the findings, each with its line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treec.files.entry import AnyEntry
from treec.files.prompts import RECALLED
from treec.nodes.observation import Observation, observe
from treec.nodes.runtime import Runtime
from treec.source.expression import Expression
from treec.source.scope import MappingScope, Scope
from treec.source.template import TextTemplate
from treec.source.text import SourceFile
from treec_asking.asking import AnyExchange, AskingLeaf, Parsed
from treec_asking.prompt import Question, answer_json, messages, object_schema
from treec_asking.recall import pair_data, recall
from treec_kitchen.graph_findings import FindingKind, GraphFinding

SCHEMA = object_schema({"reasoning": {"type": "string"}, "plan": {"type": "string"}})
MOST_SHOWN = 8
"""Findings that are sent back at once."""

LONGEST = 400_000
"""Characters of a draft; a longer one is refused unread."""

TOO_LONG = FindingKind("too_long", None, "the answer has {count:,} characters: a {form} is shorter")


class DraftRefused(ValueError):
    """A draft that cannot be used, with what is wrong with it."""

    def __init__(self, findings: Sequence[GraphFinding], file: SourceFile | None = None) -> None:
        self.findings = tuple(findings)
        self.file = file
        super().__init__()

    @property
    def lines(self) -> list[str]:
        """The first findings in words, one each."""
        return [finding.words(self.file) for finding in self.findings[:MOST_SHOWN]]

    def __str__(self) -> str:
        return "; ".join(self.lines)


def draft_question(
    runtime: Runtime,
    entry: AnyEntry,
    scope: Scope,
    words: Mapping[str, object],
    schema: Mapping[str, object] = SCHEMA,
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
    observation = observe((*entry.model.sees, *entry.model.recalls), scope)
    return Question(prompt, schema, Observation({**observation.values, **given}, observation.key))


def offline_draft(
    runtime: Runtime, entry: AnyEntry, names: Mapping[str, object], scope: Scope
) -> str:
    """The draft that a file's `offline` gives, which sees ``names``; '' if it gives none.

    With a memory it sees the nearest pairs, too. Raises EvaluationError and NodeError.
    """
    model = entry.model
    if model.offline is None:
        return ""
    known = dict(names)
    if model.memory is not None:
        spec = model.memory
        own = MappingScope(names, parent=scope)
        found = recall(runtime, entry, spec, own, spec.offline_count)
        known[RECALLED] = pair_data(found)
    inner = MappingScope(known, parent=scope)
    return str(Expression.parse(model.offline).evaluate(inner) or "")


def _lines(value: object) -> list[str]:
    return [str(one) for one in (value if isinstance(value, list | tuple) else (value,)) if one]


class DraftLeaf(AskingLeaf[Parsed]):
    """A leaf that asks for a draft, and sends back one with findings in the words of its file."""

    KIND = "plan"

    @property
    def asks(self) -> bool:
        """Whether there is a model to ask, and instructions to send."""
        return super().asks and self.entry.model.instructions is not None

    def outdated(self, exchange: AnyExchange) -> bool:
        """Never: a draft does not depend on what is said meanwhile."""
        return False

    def explain(self, error: Exception) -> str:
        """The findings, in the words of the file's `reflection`."""
        lines = error.lines if isinstance(error, DraftRefused) else (str(error),)
        return reflection(self.entry, lines, self.scope)


def draft_text(data: Mapping[str, object], form: str) -> str:
    """The text of an answer. Raises DraftRefused when it is too long to be a ``form``."""
    text = str(data["plan"])
    if len(text) > LONGEST:
        raise DraftRefused([TOO_LONG.at(count=len(text), form=form)])
    return text


def reflection(entry: AnyEntry, findings: Sequence[str], scope: Scope) -> str:
    """The text that sends a wrong graph back, from its findings in words."""
    if entry.model.reflection is None:
        return "; ".join(findings) + "."
    inner = MappingScope({"findings": list(findings)}, parent=scope)
    return TextTemplate.parse(entry.model.reflection).render(inner).strip()
