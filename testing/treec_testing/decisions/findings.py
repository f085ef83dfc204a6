"""Findings of `treec snapshot`, and their totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treec_testing.decisions.system_cases import PlayResult

KINDS: Mapping[str, str] = {
    "stale": "The question has changed since it was answered.",
    "changed": "The decision differs from the recorded one.",
    "unlike": "The decision is not the expected one, and was not accepted.",
    "missing": "The case has no recording.",
    "unused": "No case uses the recording.",
    "edited": "The recording was edited without `by: hand`.",
    "broken": "The recording cannot be read.",
    "impossible": "The expected answer is refused.",
}
"""Kinds of findings; with any of them `treec snapshot` exits with status 1."""


@dataclass(frozen=True, slots=True)
class CaseFinding:
    """A problem of a case.

    ``details``: further lines; ``before`` and ``after``: the decisions, if two differ.
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
    """How often the answers of one source match the cases. Hand-written answers do not count."""

    asked: int = 0
    as_expected: int = 0


@dataclass
class PlayScore:
    """How often whole systems did as they must with the answers of one author, and their cost."""

    played: int = 0
    as_expected: int = 0
    requests: int = 0
    tokens: int = 0
    seconds: float = 0.0


@dataclass
class Tally:
    """Totals of a snapshot."""

    cases: int = 0
    findings: list[CaseFinding] = field(default_factory=list)
    scores: dict[str, Score] = field(default_factory=dict)
    by_hand: int = 0
    accepted: dict[str, str] = field(default_factory=dict)
    """Ids of cases with an accepted unexpected decision, and the reason for accepting it."""
    played: dict[str, PlayScore] = field(default_factory=dict)
    """Cases of whole systems, by author."""

    def count(self, by: str, as_expected: bool | None) -> None:
        """Count an answered case. ``as_expected``: None if the case expects nothing."""
        if by == "hand":
            self.by_hand += 1
        elif as_expected is not None:
            score = self.scores.setdefault(by, Score())
            score.asked += 1
            score.as_expected += as_expected

    def count_played(self, result: PlayResult) -> None:
        """Count a case of a whole system that was played."""
        score = self.played.setdefault(result.case.author, PlayScore())
        score.played += 1
        score.as_expected += not result.failures
        score.requests += result.requests
        score.tokens += result.tokens
        score.seconds += result.seconds
        if result.failures and result.case.known_failure:
            self.accepted[result.case.id] = result.case.known_failure

    def lines(self) -> Iterator[str]:
        """The findings as text; equal findings of several cases of a node are merged."""
        groups: dict[tuple[object, ...], list[CaseFinding]] = {}
        for finding in self.findings:
            node = finding.case.rpartition("/")[0]
            key = (finding.kind, node, finding.text, finding.details)
            groups.setdefault(key if finding.details else (finding.case, finding.kind), []).append(
                finding
            )
        for group in groups.values():
            yield from format_findings(group)
            yield ""

    def reasons(self) -> Iterator[str]:
        """The reasons of accepted decisions, one line per node and reason."""
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


def format_findings(findings: list[CaseFinding]) -> Iterator[str]:
    """The text of findings that differ only in their case."""
    first = findings[0]
    name, help = first.case, first.help
    if len(findings) > 1:
        node = name.rpartition("/")[0]
        name, help = f"{node}, {len(findings)} cases", help.replace(f"'{name}'", f"'{node}'")
    yield f"{first.kind:<8} {name}: {first.text}"
    yield from (f"         {line}" for line in first.details)
    yield f"         = help: {help}"
