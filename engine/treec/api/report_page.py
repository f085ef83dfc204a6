"""The report of a run as one HTML page: who did what when, task graphs, failures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from treec.render.gantt import Chart
    from treec.render.page import PagePart
    from treec.run.summary import Summary
    from treec.run.timeline import Timeline


def render_report(totals: Summary, times: Timeline, film: Iterable[PagePart] = ()) -> str:
    """The report of a run as HTML; ``film`` is its part with pictures."""
    from treec.api.report_decisions import decision_parts
    from treec.render.gantt import render_gantt
    from treec.render.page import PagePart, render_page
    from treec.run.node_statistics import COLUMNS, NOTE, node_statistics, rows

    title = totals.system + (f": {totals.scenario}" if totals.scenario else "")
    parts = [
        PagePart("Result", tuple(_facts(totals, times))),
        PagePart("Timeline", svg=render_gantt(chart_of(times)), note=_chart_note(times)),
        *film,
        *_extension_parts(times),
        PagePart("Subtasks", tuple(_work(times)), ("start", "end", "agent", "subtask", "outcome")),
        *decision_parts(times.records),
    ]
    values = tuple(_values(totals))
    if values:
        head = ("variable or port", "value", "since", "set by", "times set")
        parts.append(PagePart("Variables and ports", values, head))
    trouble = [
        (f"{one.t:.1f} s", one.what, one.why, one.module)
        for one in (*totals.failed, *totals.skill_failures, *totals.errors, *totals.broken)
    ]
    if trouble:
        parts.append(PagePart("Failures", tuple(trouble), ("when", "what", "why", "module")))
    if ticked := tuple(rows(node_statistics(times.records), times.end)):
        parts.append(PagePart("Nodes", ticked, COLUMNS, note=NOTE))
    return render_page(title, _lead(totals, times), parts)


def _values(totals: Summary) -> Iterator[tuple[str, str, str, str, str]]:
    """The last value of each variable and port, since when, by whom, and how often it was set."""
    run = totals.run
    for (tree, name), value in run.values.items():
        by = value.by or ("a port" if value.is_port else "")
        yield f"{tree}.{name}", value.words, f"{value.t:.1f} s", by, str(value.times)


def chart_of(times: Timeline) -> Chart:
    """The Gantt chart of a run, with planned bars below the actual ones."""
    from treec.render.gantt import Bar, Chart

    bars = [
        Bar(s.agent, s.words, s.start, s.end, s.ended, _tip(s.words, s.start, s.end, s.reason))
        for s in times.spans
    ]
    bars += [Bar(agent, "out", start, end, "out", "out") for agent, start, end in times.out]
    ends = [*(t for t, _ in times.schedules[1:]), float("inf")]
    for (_, event), until in zip(times.schedules, ends, strict=False):
        for span in event.schedule.spans:
            words = times.words.get(span.subtask, span.subtask)
            if span.start < until:
                tip = "planned: " + _tip(words, span.start, span.end, "")
                bars += [
                    Bar(agent, words, span.start, span.end, "scheduled", tip)
                    for agent in span.agents
                ]
    busy = {bar.row for bar in bars}
    rows = tuple(agent for agent in times.agents if agent in busy)
    return Chart(f"Timeline, {_clock(times.end)}", rows, tuple(bars))


def _tip(words: str, start: float, end: float, reason: str) -> str:
    return f"{words}: {start:g} to {end:g} s" + (f" ({reason})" if reason else "")


def _chart_note(times: Timeline) -> str:
    if not any(event.schedule.spans for _, event in times.schedules):
        return ""
    return "Thick bars: work done; thin bars: the schedule made with the task graph."


def _lead(totals: Summary, times: Timeline) -> str:
    task = f"Task: {times.schedules[-1][1].schedule.task}. " if times.schedules else ""
    scenario = f"Scenario: {totals.scenario}. " if totals.scenario else ""
    return f"{task}{scenario}System: {totals.system}."


def _facts(totals: Summary, times: Timeline) -> Iterator[tuple[str, str]]:
    ended = {True: "as expected", False: "not as expected", None: "it was cut off"}[totals.ok]
    yield "ended", f"{totals.end or 'not at all'} after {_clock(totals.seconds)}: {ended}"
    yield "subtasks done", f"{len(totals.done)} of {len(totals.added) - len(totals.dropped)}"
    for agent in times.agents:
        busy = times.busy(agent)
        if busy:
            share = f" ({100 * busy / times.end:.0f} % of the time)" if times.end else ""
            yield f"{agent} at work", _clock(busy) + share
    if times.schedules:
        schedules = [(t, event.schedule) for t, event in times.schedules]
        last = max((span.end for span in schedules[0][1].spans), default=0.0)
        yield "planned to end at", _clock(last)
        yield "last work ended at", _clock(max((s.end for s in times.spans), default=0.0))
        yield "graphs", ", ".join(f"{t:g} s by {made.by}" for t, made in schedules)
    requests = totals.requests
    yield "requests to a model", f"{requests.asked}, {requests.answers} answered"
    if requests.asked:
        cost = "" if requests.cost is None else f", ${requests.cost:.4f}"
        tokens = f"{requests.input_tokens:,} in, {requests.output_tokens:,} out"
        yield "tokens", f"{tokens}, {requests.closed_tokens:,} of closed requests{cost}"


def _extension_parts(times: Timeline) -> Iterator[PagePart]:
    """The parts added by extensions."""
    from treec.extensions import ExtensionError, registry

    for target in registry().reports.values():
        try:
            parts = cast("Callable[[Timeline], Iterable[PagePart]]", registry().load(target))
            found = registry().call(target, partial(_listed, parts, times))
        except ExtensionError as error:  # it costs its own part alone
            registry().problem(error)
            continue
        yield from found


def _listed(parts: Callable[[Timeline], Iterable[PagePart]], times: Timeline) -> list[PagePart]:
    return list(parts(times))


def _work(times: Timeline) -> Iterator[tuple[str, ...]]:
    for span in times.spans:
        how = span.ended + (f": {span.reason}" if span.reason else "")
        yield f"{span.start:.1f}", f"{span.end:.1f}", span.agent, span.words, how


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"
