"""Tables of skill trials: success rates, durations and causes of failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import mean

from experiments.skills.results import TrialResult

NAMES = ("skill", "agent", "object", "scene")
"""The groupings of trials; the first is the main table."""


@dataclass(frozen=True, slots=True)
class SkillRow:
    """A group of trials. Times are those of successful trials; None if there are none."""

    name: str
    trials: int
    begun: int
    ok: int
    seconds: float | None
    seconds_worst: float | None
    wall: float | None
    wall_worst: float | None
    measures: Mapping[str, tuple[float, float]]
    """Mean and minimum of each measurement over successful trials."""

    @property
    def rate(self) -> float | None:
        """The share of successes among the trials in which the skill itself was started."""
        return self.ok / self.begun if self.begun else None


@dataclass(frozen=True, slots=True)
class SkillReport:
    """All trials of an evaluation and their statistics."""

    env: str
    n: int
    seed: int
    without: tuple[str, ...]
    done: tuple[TrialResult, ...]
    impossible: tuple[str, ...] = ()

    def rows(self, by: str) -> list[SkillRow]:
        """The rows for a grouping: by skill (and system), agent, object or scene."""
        groups: dict[str, list[TrialResult]] = {}
        for done in self.done:
            groups.setdefault(_KEYS[by](done), []).append(done)
        return [make_row(name, group) for name, group in groups.items()]

    @property
    def causes(self) -> list[tuple[str, str, int]]:
        """Skills, causes of failure and their counts, the most frequent first."""
        counted = Counter((_skill(done), done.cause) for done in self.done if not done.ok)
        order = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
        return [(skill, cause, count) for (skill, cause), count in order]


def _skill(done: TrialResult) -> str:
    return f"{done.trial.system}: {done.trial.call.skill}"


_KEYS: Mapping[str, Callable[[TrialResult], str]] = {
    "skill": _skill,
    "agent": lambda done: f"{_skill(done)} by {done.trial.call.agent}",
    "object": lambda done: f"{_skill(done)} {done.trial.subject or '-'}",
    "scene": lambda done: f"{done.trial.scene}: {done.trial.call.skill}",
}


def make_row(name: str, group: Sequence[TrialResult]) -> SkillRow:
    """Make the row of a group of trials."""
    good = [done for done in group if done.ok]
    measured: dict[str, list[float]] = {}
    for done in good:
        for what, value in done.measures:
            measured.setdefault(what, []).append(value)
    return SkillRow(
        name,
        len(group),
        sum(done.begun for done in group),
        len(good),
        *_times([done.seconds for done in good]),
        *_times([done.wall for done in good]),
        {what: (mean(values), min(values)) for what, values in measured.items()},
    )


def _times(values: Sequence[float]) -> tuple[float | None, float | None]:
    return (mean(values), max(values)) if values else (None, None)


def to_text(report: SkillReport) -> str:
    """Format a table for each grouping, then the causes of failure."""
    good, attempts = sum(d.ok for d in report.done), sum(d.begun for d in report.done)
    lines = [
        f"{len(report.done)} trials in {report.env}, {report.n} of each skill, seed {report.seed}:",
        f"{attempts} begun, {good} succeeded; {_cpu(report)} s of CPU time each on average.",
    ]
    for by in NAMES:
        lines += ["", *_table(f"by {by}" if by != "skill" else "skill", report.rows(by))]
    if report.causes:
        lines += ["", "causes of failure:"]
        lines += [f"  {count:4} x {skill}: {cause}" for skill, cause, count in report.causes]
    if report.without:
        lines += ["", f"no worker for {report.env}: {', '.join(report.without)}"]
    if report.impossible:
        lines += ["", f"possible nowhere in these scenes: {', '.join(report.impossible)}"]
    lines += [
        "",
        "begun: trials in which the preparation succeeded; the rate is of these. Times are",
        "those of the skill alone in successful trials: mean and worst, simulated and wall-clock.",
    ]
    return "\n".join([*lines, ""])


def _cpu(report: SkillReport) -> str:
    return f"{mean([done.cpu for done in report.done]):.1f}" if report.done else "0"


def _table(head: str, rows: Sequence[SkillRow]) -> Iterator[str]:
    width = max(len(head), *(len(row.name) for row in rows))
    yield (
        f"{head:{width}}  trials  begun    ok    rate  "
        f"{'simulated, s':>14}  {'wall, s':>14}  measured (mean, least)"
    )
    for row in rows:
        rate = "-" if row.rate is None else f"{100 * row.rate:.0f} %"
        measures = "  ".join(f"{w} {m:.2f}, {least:.2f}" for w, (m, least) in row.measures.items())
        yield (
            f"{row.name:{width}}  {row.trials:6}  {row.begun:5}  {row.ok:4}  {rate:>6}  "
            f"{_pair(row.seconds, row.seconds_worst)}  {_pair(row.wall, row.wall_worst)}  "
            f"{measures}"
        ).rstrip()


def _pair(middle: float | None, worst: float | None) -> str:
    if middle is None or worst is None:
        return f"{'-':>6}  {'-':>6}"
    return f"{middle:6.2f}  {worst:6.2f}"


def to_json(report: SkillReport) -> Mapping[str, object]:
    """All rows and trials as plain data."""
    return {
        "env": report.env,
        "n": report.n,
        "seed": report.seed,
        "no_worker": list(report.without),
        "impossible": list(report.impossible),
        **{f"by_{by}": [_row(row) for row in report.rows(by)] for by in NAMES},
        "causes": [
            {"skill": skill, "cause": cause, "count": count}
            for skill, cause, count in report.causes
        ],
        "trials": [_trial(done) for done in report.done],
    }


def _row(row: SkillRow) -> Mapping[str, object]:
    data = asdict(row)
    data["measures"] = {
        what: {"mean": middle, "least": least} for what, (middle, least) in row.measures.items()
    }
    return {**data, "rate": row.rate}


def _trial(done: TrialResult) -> Mapping[str, object]:
    trial = done.trial
    return {
        "system": trial.system,
        "scene": trial.scene,
        "skill": trial.call.skill,
        "object": trial.subject,
        "seed": trial.seed,
        "calls": [call.words for call in trial.calls],
        "ok": done.ok,
        "begun": done.begun,
        "cause": done.cause,
        "reason": done.reason,
        "seconds": round(done.seconds, 3),
        "wall_seconds": round(done.wall, 3),
        "cpu_seconds": round(done.cpu, 3),
        "measures": dict(done.measures),
    }
