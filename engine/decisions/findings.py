"""What a snapshot finds, each kind with what helps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

KINDS: Mapping[str, str] = {
    "stale": "The question is not the one that was answered: a part of it has changed.",
    "changed": "The decision is not the one that was recorded.",
    "unlike": "The decision is not what the case expects, and nobody has accepted it.",
    "missing": "The case was never recorded.",
    "unused": "No case asks what was recorded.",
    "edited": "The recording was changed by hand, and does not say `by: hand`.",
    "broken": "The recording cannot be read.",
    "impossible": "What the case expects is refused, whoever gives it.",
}
"""Kinds of findings. A finding of any of them makes `treec snapshot` end with status 1."""


@dataclass(frozen=True, slots=True)
class CaseFinding:
    """Something about a case that a person should see.

    ``details`` are lines below it; ``before`` and ``after`` are the decisions, where two differ.
    """

    kind: str
    case: str
    text: str
    help: str
    where: str = ""
    details: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    before: Mapping[str, object] | None = None
    after: Mapping[str, object] | None = None

    def data(self) -> dict[str, object]:
        """The finding as plain data."""
        return {
            "kind": self.kind,
            "case": self.case,
            "text": self.text,
            "where": self.where,
            "parts": list(self.parts),
            "words": [list(pair) for pair in self.words],
            "before": self.before,
            "after": self.after,
            "help": self.help,
        }


@dataclass
class Score:
    """How often one answerer decided as the cases expect. Hand-written answers are not counted."""

    asked: int = 0
    as_expected: int = 0


@dataclass
class Tally:
    """What a snapshot came to."""

    cases: int = 0
    findings: list[CaseFinding] = field(default_factory=list)
    scores: dict[str, Score] = field(default_factory=dict)
    by_hand: int = 0
    accepted: dict[str, str] = field(default_factory=dict)
    """Cases that are decided otherwise than they expect, and why somebody accepted that."""

    def count(self, by: str, as_expected: bool | None) -> None:
        """Note who answered a case, and whether as it expects; None where it expects nothing."""
        if by == "hand":
            self.by_hand += 1
        elif as_expected is not None:
            score = self.scores.setdefault(by, Score())
            score.asked += 1
            score.as_expected += as_expected

    def lines(self) -> Iterator[str]:
        """The findings as they are printed; what several cases of a node share is told once."""
        groups: dict[tuple[object, ...], list[CaseFinding]] = {}
        for finding in self.findings:
            node = finding.case.rpartition("/")[0]
            key = (finding.kind, node, finding.text, finding.details)
            groups.setdefault(key if finding.details else (finding.case, finding.kind), []).append(
                finding
            )
        for group in groups.values():
            yield from told(group)
            yield ""

    def reasons(self) -> Iterator[str]:
        """Why decisions were accepted that are not as expected, a line for each node and reason."""
        groups: dict[tuple[str, str], list[str]] = {}
        for case, because in self.accepted.items():
            groups.setdefault((case.rpartition("/")[0], because), []).append(case)
        for (node, because), cases in groups.items():
            which = cases[0] if len(cases) == 1 else f"{node}, {len(cases)} cases"
            yield f"{which}: {because}"

    def of(self, kinds: Iterable[str]) -> list[CaseFinding]:
        """The findings of some kinds."""
        wanted = set(kinds)
        return [finding for finding in self.findings if finding.kind in wanted]


def told(findings: list[CaseFinding]) -> Iterator[str]:
    """Findings that differ in their case alone, as they are printed."""
    first = findings[0]
    name, help = first.case, first.help
    if len(findings) > 1:
        node = name.rpartition("/")[0]
        name, help = f"{node}, {len(findings)} cases", help.replace(f"'{name}'", f"'{node}'")
    yield f"{first.kind:<8} {name}: {first.text}"
    yield from (f"         {line}" for line in first.details)
    yield f"         = help: {help}"
