"""What is wrong with a task graph, as data: its kind, the nodes or the edge, and the arguments.

A finding is put into words only where it is shown (a terminal, a prompt, a journal), by the format
strings of its kind. Programs compare kinds and arguments and read no texts.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from treec.frozen import frozen
from treec.source.diagnostics import Diagnostic, Severity
from treec.source.rules import Rule, find_rule
from treec.source.text import SourceFile, Span

Edge = tuple[str, str]
"""A node, and one that waits for it."""


class _Words(string.Formatter):
    """Format strings with two more forms.

    ``{order:16|, }`` joins a sequence by ", ", without the middle if it is longer than 16 (0: never
    too long); an empty one is "nothing".
    ``{count:one item|# items}`` takes the first form for 1, else the second, # being the number.
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        first, bar, second = format_spec.partition("|")
        if not bar:
            return super().format_field(value, format_spec)  # type: ignore[no-any-return]
        if isinstance(value, int):
            return first if value == 1 else second.replace("#", str(value))
        names, most = [*value], int(first)
        if not names:
            return "nothing"
        if most and len(names) > most:
            names = [*names[: most // 2], "…", *names[1 - most // 2 :]]
        return second.join(names)

    def roots(self, template: str) -> set[str]:
        """The names of the arguments of a format string."""
        fields = (name for _, name, _, _ in self.parse(template) if name is not None)
        return {name.partition("[")[0] for name in fields}


_words = _Words()


@frozen(slots=False)
class FindingKind:
    """One thing that can be wrong with a graph.

    ``message`` and ``helps`` are format strings over a finding's arguments, ``node`` (its first
    node), ``edge`` and ``missing``. The help is the first that has all its arguments.
    """

    name: str
    rule: Rule | None
    message: str
    helps: tuple[str, ...] = ()
    quotes: bool = False
    """The message quotes the node, so that the line need not be quoted beside it."""

    def at(
        self,
        *nodes: str,
        edge: Edge | None = None,
        missing: Edge | None = None,
        span: Span | None = None,
        **args: object,
    ) -> GraphFinding:
        """A finding of this kind; arguments that are None count as not given."""
        given = {name: value for name, value in args.items() if value is not None}
        return GraphFinding(self, nodes, edge, missing, given, span)


@frozen(slots=False)
class GraphFinding:
    """Something wrong with a graph.

    ``nodes`` are those that it is about, the one to change first; none where it is about the file.
    ``edge`` is an edge of the graph that is wrong, ``missing`` one that it should have.
    """

    kind: FindingKind
    nodes: tuple[str, ...] = ()
    edge: Edge | None = None
    missing: Edge | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    span: Span | None = field(default=None, compare=False)
    """Where it stands in the graph's file, if there is one."""

    @property
    def node(self) -> str:
        """The node to change; empty where the finding is about none."""
        return self.nodes[0] if self.nodes else ""

    @property
    def code(self) -> str:
        """The code of its rule; empty where it has none."""
        return self.kind.rule.code if self.kind.rule is not None else ""

    @property
    def severity(self) -> Severity:
        """Its rule's severity."""
        return self.kind.rule.severity if self.kind.rule is not None else "error"

    @property
    def message(self) -> str:
        """What is wrong, in words."""
        return _words.vformat(self.kind.message, (), self._arguments)

    @property
    def help(self) -> str | None:
        """What would be right, in words."""
        given = self._arguments
        for template in self.kind.helps:
            if _words.roots(template) <= given.keys():
                return _words.vformat(template, (), given)
        return None

    @property
    def _arguments(self) -> Mapping[str, Any]:
        places = {"node": self.node or None, "edge": self.edge, "missing": self.missing}
        return {**{k: v for k, v in places.items() if v is not None}, **self.args}

    def of(self, node: str, span: Span | None = None) -> GraphFinding:
        """The same finding about a node that was not known when it was made."""
        return replace(self, nodes=(node,), span=span)

    def diagnostic(self, span: Span | None = None) -> Diagnostic:
        """It as a diagnostic, where it stands or at ``span``."""
        at = span or self.span
        if at is None:
            raise ValueError(f"{self.kind.name} has no position in a file")
        return Diagnostic(self.code, self.severity, at, self.message, self.help)

    def words(self, file: SourceFile | None = None) -> str:
        """It as a model can find it in its own answer: with its line, quoted, and the help."""
        text = f"{self.message} ({self.help})" if self.help else self.message
        if self.span is None or file is None:
            return text
        if self.kind.quotes:
            return f"line {self.span.line}, {text}"
        line = file.text.split("\n")[self.span.line - 1].strip()[:100]
        return f"line {self.span.line}, '{line}': {text}"


def file_finding(problem: Diagnostic) -> GraphFinding:
    """A finding about a graph's file rather than about the graph: its YAML, its size."""
    rule = find_rule(problem.code) or Rule(problem.code, "", problem.severity, "")
    kind = FindingKind("file", rule, "{message}", ("{help}",))
    return kind.at(span=problem.span, message=problem.message, help=problem.help)
