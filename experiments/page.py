"""Write measured tables into a page of the docs, with the machine they come from."""

from __future__ import annotations

import os
import platform
from datetime import date
from pathlib import Path

END = "<!-- end of measured -->"


class PageMarkerError(ValueError):
    """The page does not exist or has no markers."""


def machine() -> str:
    """The date, and the machine as text: processor, cores, load, Python version, system."""
    name = platform.processor() or platform.machine()
    try:
        info = Path("/proc/cpuinfo").read_text("utf-8")
        found = [line for line in info.splitlines() if line.startswith("model name")]
        name = found[0].partition(":")[2].strip() if found else name
    except OSError:
        pass  # not Linux: use the name that Python reports
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    system = f"Python {platform.python_version()}, {platform.system()}"
    return f"{date.today().isoformat()}: {name}, {os.cpu_count()} cores{load}, {system}"


def with_body(page: Path, begin: str, end: str, body: str) -> str:
    """Return the text of a page with a new body between two markers. Raises PageMarkerError."""
    if not page.is_file():
        raise PageMarkerError(f"no such file: {page}")
    before, found, rest = page.read_text("utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise PageMarkerError(f"{page} has no lines '{begin}' and '{end}'")
    return f"{before}{begin}{body}{end}{after}"


def write_page(page: Path, table: str, command: str, took: str, what: str) -> None:
    """Write tables between the markers of an experiment. Raises PageMarkerError."""
    marker = f"<!-- measured: python -m experiments.{what} --write -->"
    body = f"`{command}` on {machine()}. {took}\n\n```text\n{table.rstrip()}\n```"
    page.write_text(with_body(page, marker, END, f"\n\n{body}\n\n"), "utf-8")
