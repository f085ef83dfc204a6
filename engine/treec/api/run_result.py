"""The result of a run: how it ended, and its journal as events, state, summary and timeline."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treec.api.errors import TreecError
from treec.run.state import RunState
from treec.run.summary import Summary, summarize
from treec.run.timeline import Timeline, timeline_of
from treec.source.text import html_table
from treec.world.journal import Record, Records, events

if TYPE_CHECKING:
    import pandas

    from treec.run.run import RunOutcome


@dataclass(frozen=True, repr=False)
class RunResult:
    """A run that has ended.

    ``journal`` has all records in order; ``folder`` is where it is stored (None: in memory).
    """

    outcome: RunOutcome
    journal: tuple[Record, ...]
    folder: Path | None = None

    @property
    def ok(self) -> bool:
        """Whether the scenario's expectations were met and no contract was broken."""
        return self.outcome.ok

    @property
    def reason(self) -> str:
        """Why it ended: done, idle, deadline or stopped."""
        return self.outcome.reason

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """What did not confirm its stop, such as "R1's pick … within 1 s"; it may still move."""
        return tuple(self.outcome.unconfirmed)

    @property
    def status(self) -> str:
        """The last status of the tree that was run (SUCCESS, FAILURE, RUNNING); else empty."""
        return self.outcome.status

    @property
    def seconds(self) -> float:
        """The duration in simulated seconds."""
        return self.outcome.seconds

    @cached_property
    def events(self) -> Records:
        """The journal's records, with each commit replaced by its events.

        Each has a time ``t``, a cause ``by`` and the typed ``event``.
        """
        return Records(event for record in self.journal for event in events(record))

    @cached_property
    def state(self) -> RunState:
        """The state at the end: agents, subtasks, skills, utterances, facts, nodes."""
        return self.summary.run

    @cached_property
    def summary(self) -> Summary:
        """Totals: subtasks done, failures, utterances, model requests and their cost."""
        return summarize(self.journal)

    @cached_property
    def timeline(self) -> Timeline:
        """Who worked on what, from when to when."""
        return timeline_of(self.state, self.folder, self.journal)

    def report(self, path: str | Path) -> Path:
        """Write the report as one HTML file and return its path."""
        from treec.api.report_page import render_report

        target = Path(path)
        target.write_text(render_report(self.summary, self.timeline), "utf-8")
        return target

    def to_pandas(self) -> pandas.DataFrame:
        """The events as a table: n, t (seconds), kind, by, and a column for each data key.

        Raises TreecError if pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise TreecError("to_pandas needs pandas: pip install 'treec[pandas]'") from None
        rows: list[dict[str, Any]] = [
            {"n": e.n, "t": e.t, "kind": e.kind, "by": e.by, **e.data} for e in self.events
        ]
        return pandas.DataFrame(rows)

    def __repr__(self) -> str:
        return f"<RunResult {self}>"

    def _repr_html_(self) -> str:
        summary, requests = self.summary, self.summary.requests
        answers = f"{requests.answers} answered, {requests.tokens:,} tokens"
        model = f"{requests.asked} requests, {answers}"
        broken = ", ".join(f"{trouble.what} ({trouble.why})" for trouble in summary.broken)
        return html_table(
            {
                "ended": str(self),
                **{agent: ", ".join(summary.did(agent)) for agent in summary.agents},
                "contracts broken": broken,
                "failed": ", ".join(f"{one.what} ({one.why})" for one in summary.failed),
                "model": model if requests.asked else "",
                "records": len(self.journal),
                "folder": self.folder or "",
            }
        )

    def __str__(self) -> str:
        ended = "as expected" if self.ok else "not as expected"
        done = f"{len(self.summary.done)} of {len(self.summary.added)} subtasks done"
        return f"{self.reason} after {self.seconds:.1f} s, {ended}; {done}"
