"""A page of trials, each with its journal, its report and, where it was filmed, its film."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from experiments.mosaic.trials.chart import to_svg
from experiments.mosaic.trials.table import Results, to_text
from experiments.mosaic.trials.trial import WholeTrialResult
from treec.run.folder import JOURNAL

PAGE = "index.html"
REPORT = "report.html"

STYLE = """
body{font:15px/1.5 Inter,'Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif;
margin:2em auto;max-width:72em;padding:0 1em;color:#1b222c;background:#fff}
svg{max-width:100%;height:auto}
pre{overflow-x:auto;font-size:12px}td,th{text-align:left;vertical-align:top;padding:.3em .7em}
tr:nth-child(even){background:#f3f5f8}.bad{color:#b5302a}
@media (prefers-color-scheme:dark){body{color:#e8ecf2;background:#12161c}
tr:nth-child(even){background:#1b222c}.bad{color:#ff8a80}a{color:#8ab4f8}}
"""


def write_page(folder: Path, results: Results) -> Path:
    """Write the page, and a report beside each journal, into the folder of the trials."""
    for one in results:
        _write_report(folder / one.trial.name)
    rows = "\n".join(_row(folder, one) for one in results)
    page = folder / PAGE
    page.write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>End-to-end trials</title>"
        f"<style>{STYLE}</style><h1>End-to-end trials</h1>{to_svg(results)}"
        f"<pre>{escape(to_text(results))}</pre><table><tr><th>trial<th>whole<th>subtasks<th>"
        f"interactions<th>failures<th>records</tr>{rows}</table></html>\n",
        "utf-8",
    )
    return page


def _row(folder: Path, one: WholeTrialResult) -> str:
    failures = "<br>".join(
        f"{'' if it.mended else '<b class=bad>'}{it.t:.0f} s: {escape(it.module)}: "
        f"{escape(it.kind)}{'' if it.mended else '</b>'} <small>{escape(it.what)}</small>"
        for it in one.failures
    )
    name = one.trial.name
    files = [(REPORT, "report and film" if one.trial.film else "report"), (JOURNAL, "journal")]
    links = ", ".join(
        f'<a href="{escape(name)}/{file}">{words}</a>'
        for file, words in files
        if (folder / name / file).is_file()
    )
    end = "yes" if one.whole else f"no <small>{escape(one.ended)}</small>"
    return (
        f"<tr><td>{escape(one.trial.recipe)}, seed {one.trial.seed}<td>{end}"
        f"<td>{one.done} of {one.subtasks}<td>{' '.join(one.interactions)}<td>{failures}"
        f"<td>{links}</tr>"
    )


def _write_report(folder: Path) -> None:
    from treec.api.report_page import render_report
    from treec.cli.basics import tool
    from treec.extensions import registry
    from treec.run.salvage import read_sound
    from treec.run.summary import summarize
    from treec.run.timeline import timeline_of

    journal = folder / JOURNAL
    if not journal.is_file() or (folder / REPORT).is_file():
        return
    records = read_sound(journal).records
    totals = summarize(records)
    films: Any = tool("film", "") if "film" in registry().tools else None
    parts = () if films is None else films.parts(folder, records)
    page = render_report(totals, timeline_of(totals.run, folder, records), parts)
    (folder / REPORT).write_text(page, "utf-8")
