"""How often each author decides a case as expected, and what that costs: a table, side by side.

A row is a case, a column an author: the files' own rules, a model, a person, or one of them with
the prompts of another library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from statistics import fmean, median

from treec_testing.decisions.answer_totals import AnswerTotals

_STYLE = """\
body { font: 14px/1.4 system-ui, sans-serif; margin: 2em; color: #222 }
table { border-collapse: collapse }
th, td { padding: .25em .7em; border-bottom: 1px solid #ddd; text-align: right }
th:first-child, td:first-child { text-align: left }
thead th { position: sticky; top: 0; background: #fff; border-bottom: 2px solid #888 }
td.all { background: #e5f4e8 } td.some { background: #fdf3d6 } td.none { background: #fbe3e1 }
"""


@dataclass
class AuthorRate(AnswerTotals):
    """What one author decided, and what it took."""

    asked: int = 0
    """Decisions that are held against what a case expects."""
    as_expected: int = 0
    scores: list[float] = field(default_factory=list)
    """What a judge gave its decisions, from 0 to 1."""

    @property
    def score(self) -> float | None:
        """The mean of the scores; None without any."""
        return fmean(self.scores) if self.scores else None

    def count(self, as_expected: bool | None) -> None:
        """Count a decision; ``as_expected`` is None if its case expects nothing."""
        if as_expected is not None:
            self.asked += 1
            self.as_expected += as_expected

    def add(self, other: AuthorRate) -> None:
        """Count all that another has counted."""
        self.asked += other.asked
        self.as_expected += other.as_expected
        self.scores += other.scores
        self.add_answers(other)

    @property
    def percent(self) -> float | None:
        """How many of a hundred are as expected; None if none was held against an expectation."""
        return 100 * self.as_expected / self.asked if self.asked else None

    def data(self) -> dict[str, object]:
        """As plain data."""
        return {
            "asked": self.asked,
            "as_expected": self.as_expected,
            "score": None if self.score is None else round(self.score, 4),
            "answers": self.answers,
            "tokens": self.tokens,
            "cost": None if self.cost is None else round(self.cost, 9),
            "seconds_median": round(median(self.seconds), 6) if self.seconds else None,
            "seconds_longest": round(max(self.seconds), 6) if self.seconds else None,
        }


class RateTable:
    """The rates of all cases and authors, in the order in which they were counted."""

    def __init__(self) -> None:
        self._rates: dict[str, dict[str, AuthorRate]] = {}

    def of(self, case: str, author: str) -> AuthorRate:
        """The rate of an author in a case, to count on."""
        return self._rates.setdefault(case, {}).setdefault(author, AuthorRate())

    @property
    def rows(self) -> Mapping[str, Mapping[str, AuthorRate]]:
        """The authors' rates, by case."""
        return self._rates

    def totals(self) -> dict[str, AuthorRate]:
        """The rate of each author over all cases."""
        totals: dict[str, AuthorRate] = {}
        for row in self._rates.values():
            for author, rate in row.items():
                totals.setdefault(author, AuthorRate()).add(rate)
        return totals

    def data(self) -> dict[str, object]:
        """As plain data."""
        return {
            "authors": {author: rate.data() for author, rate in self.totals().items()},
            "cases": {
                case: {author: rate.data() for author, rate in row.items()}
                for case, row in self._rates.items()
            },
        }

    def cells(self) -> list[list[str]]:
        """The table as texts: the cases that compare anything, and the totals of all."""
        authors = list(self.totals())
        rows = [["", *authors]]
        for case, row in self._rates.items():
            if len(row) > 1 or any(rate.asked > 1 or rate.scores for rate in row.values()):
                rows.append([case, *(_share(row.get(author)) for author in authors)])
        return rows + self._footer()

    def _footer(self) -> list[list[str]]:
        """The rows of totals."""
        totals = self.totals().values()
        return [
            ["as expected", *(_percent(rate.percent) for rate in totals)],
            *([["score", *map(_score, totals)]] if any(rate.scores for rate in totals) else []),
            ["answers", *(str(rate.answers) for rate in totals)],
            ["tokens", *(str(rate.tokens) for rate in totals)],
            ["cost", *("-" if rate.cost is None else f"${rate.cost:.4f}" for rate in totals)],
            ["s an answer, median", *(_seconds(rate, median) for rate in totals)],
            ["s an answer, longest", *(_seconds(rate, max) for rate in totals)],
        ]

    def html(self, title: str) -> str:
        """The table as a page."""
        heads = "".join(f"<th>{escape(head)}</th>" for head in ("case", *self.totals()))
        body = []
        for case, row in self._rates.items():
            cells = "".join(_cell(row.get(author)) for author in self.totals())
            body.append(f"<tr><td>{escape(case)}</td>{cells}</tr>")
        foot = [
            "<tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in row) + "</tr>"
            for row in self._footer()
        ]
        return "\n".join(
            (
                "<!doctype html>",
                f'<html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>',
                f"<style>{_STYLE}</style>",
                f"<h1>{escape(title)}</h1>",
                f"<table><thead><tr>{heads}</tr></thead>",
                *("<tbody>", *body, "</tbody>"),
                *("<tfoot>", *foot, "</tfoot></table></html>", ""),
            )
        )


def _share(rate: AuthorRate | None) -> str:
    """How many are as expected, and the mean of the scores."""
    if rate is None:
        return "-"
    told = (f"{rate.as_expected}/{rate.asked}" if rate.asked else "", _score(rate, ""))
    return " ".join(filter(None, told)) or "-"


def _score(rate: AuthorRate, none: str = "-") -> str:
    return none if rate.score is None else f"{rate.score:.2f}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0f} %"


def _seconds(rate: AuthorRate, of: Callable[[list[float]], float]) -> str:
    return f"{of(rate.seconds):.2f}" if rate.seconds else "-"


def _cell(rate: AuthorRate | None) -> str:
    if rate is None or not rate.asked:
        return f"<td>{_share(rate)}</td>"
    kind = {rate.asked: "all", 0: "none"}.get(rate.as_expected, "some")
    told = f"{rate.answers} answers, {rate.tokens} tokens"
    return f'<td class="{kind}" title="{told}">{_share(rate)}</td>'
