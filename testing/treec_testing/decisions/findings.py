"""Findings of `treec snapshot`, and their totals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treec.source.diagnostics import Diagnostic
from treec.source.text import Span
from treec_testing.decisions.authors import BESIDE, RULES
from treec_testing.decisions.rates import AuthorRate, RateTable
from treec_testing.recordings.recording import HAND

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
    "below": "An author decides as expected less often than is asked for, or was not judged.",
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

    def diagnostic(self) -> Diagnostic:
        """The finding as a problem at the line of its case."""
        path, _, line = self.where.rpartition(":")
        if not line.isdecimal():
            path, line = self.where or "treec.toml", "1"
        span = Span(path, int(line), 1, int(line), 2)
        message = "\n".join((f"{self.case}: {self.text}", *self.details))
        return Diagnostic(self.kind, "error", span, message, self.help)


@dataclass
class Tally:
    """Totals of a snapshot."""

    ids: list[str] = field(default_factory=list)
    """The cases that were judged."""
    findings: list[CaseFinding] = field(default_factory=list)
    scores: dict[str, AuthorRate] = field(default_factory=dict)
    """How often the answers of one source match the cases. Hand-written ones do not count."""
    by_hand: int = 0
    accepted: dict[str, str] = field(default_factory=dict)
    """Ids of cases with an accepted unexpected decision, and the reason for accepting it."""
    played: dict[str, AuthorRate] = field(default_factory=dict)
    """Cases of whole systems, by author."""
    rates: RateTable = field(default_factory=RateTable)
    """How often each author decided each case as expected."""
    sizes: Counter[str] = field(default_factory=Counter)
    """How many cases the library has of each node."""

    @property
    def cases(self) -> int:
        """How many cases were judged."""
        return len(self.ids)

    @property
    def has_authors_beside(self) -> bool:
        """Whether a case of a node has recordings of several authors."""
        return any(BESIDE in id for id in self.ids)

    def add(self, other: Tally) -> None:
        """Count all that another has counted."""
        self.ids += other.ids
        self.findings += other.findings
        for mine, others in ((self.scores, other.scores), (self.played, other.played)):
            for by, score in others.items():
                mine.setdefault(by, AuthorRate()).add(score)
        self.by_hand += other.by_hand
        self.accepted |= other.accepted
        for case, row in other.rates.rows.items():
            for author, rate in row.items():
                self.rates.of(case, author).add(rate)

    def count(self, by: str, as_expected: bool | None) -> None:
        """Count an answered case. ``as_expected``: None if the case expects nothing."""
        if by == "hand":
            self.by_hand += 1
        elif as_expected is not None:
            self.scores.setdefault(by, AuthorRate()).count(as_expected)

    def count_played(self, result: PlayResult) -> None:
        """Count a case of a whole system that was played."""
        as_expected = not result.failures
        score = self.played.setdefault(result.case.author, AuthorRate())
        score.count(as_expected)
        rate = self.rates.of(result.case.entry.name, result.case.author)
        rate.count(None if result.case.known_failure else as_expected)
        for one in (score, rate):
            one.add_answers(result.spent)
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
            node = group[0].case.rpartition("/")[0]
            yield from format_findings(group, is_all=self.sizes[node] == len(group))
            yield ""

    def require(self, at_least: float | None, each: float | None) -> None:
        """Hold the rates against thresholds in percent, instead of each decision.

        Without one a model must decide at least one of its cases as expected: what was accepted
        case by case is noticed here. With one something must be judged, of each model, too.
        """
        if at_least is not None or each is not None:
            self.findings = [one for one in self.findings if one.kind != "unlike"]
        totals = self.rates.totals()
        if (at_least or each) and not any(rate.asked for rate in totals.values()):
            self._not_judged(", ".join(totals) or "all cases")
            return
        for author, rate in totals.items():
            by_rules = author in (RULES, HAND)
            none_of_several = rate.asked > 1 and not rate.as_expected and not by_rules
            if rate.percent is None:
                if at_least and not by_rules:
                    self._not_judged(author)
            elif rate.percent < (at_least or 0) or (at_least is None and none_of_several):
                told = f"decides {rate.as_expected} of {rate.asked} as expected"
                wanted = "none" if at_least is None else f"less than {at_least:g} %"
                help = "mend its prompts, or ask for less: --at-least 0"
                self.findings.append(CaseFinding("below", author, f"{told}: {wanted}", help))
        for case, row in self.rates.rows.items() if each is not None else ():
            for author, rate in row.items():
                if rate.percent is not None and rate.percent < (each or 0):
                    told = f"{author} decides {rate.as_expected} of {rate.asked} as expected"
                    help = "mend its prompt, or ask for less: --each-at-least"
                    text = f"{told}: less than {each:g} %"
                    self.findings.append(CaseFinding("below", case, text, help))

    def _not_judged(self, who: str) -> None:
        text = "nothing was judged: no decision was held against an expectation"
        help = "write what a case expects (`expect`, `must`), or ask for less: --at-least 0"
        self.findings.append(CaseFinding("below", who, text, help))

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


def format_findings(findings: list[CaseFinding], *, is_all: bool = False) -> Iterator[str]:
    """The text of findings that differ only in their case.

    ``is_all``: they are those of all cases of their node, so that its name stands for them.
    """
    first = findings[0]
    name, help = first.case, first.help
    if len(findings) > 1:
        node = name.rpartition("/")[0]
        name = f"{node}, {len(findings)} cases"
        help = _help_of_all(findings, node if is_all else None)
    yield f"{first.kind:<8} {name}: {first.text}"
    yield from (f"         {line}" for line in first.details)
    yield f"         = help: {help}"


def _help_of_all(findings: list[CaseFinding], node: str | None) -> str:
    """The help of several cases: with their node's name, or with the name of each."""
    first = findings[0]
    option = re.compile(rf"(--\w+) '{re.escape(first.case)}'")
    cases = [node] if node is not None else [finding.case for finding in findings]
    return option.sub(lambda it: " ".join(f"{it[1]} '{case}'" for case in cases), first.help)
