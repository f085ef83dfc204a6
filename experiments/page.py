"""Write measured tables into a page of the docs, with the machine they come from."""

from __future__ import annotations

import os
import platform
from datetime import date
from pathlib import Path

END = "<!-- end of measured -->"


class PageMarkerError(Exception):
    """The page does not exist or has no markers."""


def machine() -> str:
    """The date, and the machine as text: processor, number of cores, system, Python version."""
    name = platform.processor() or platform.machine()
    try:
        info = Path("/proc/cpuinfo").read_text("utf-8")
        found = [line for line in info.splitlines() if line.startswith("model name")]
        name = found[0].partition(":")[2].strip() if found else name
    except OSError:
        pass  # not Linux: use the name that Python reports
    system = f"{platform.system()}, Python {platform.python_version()}"
    return f"{date.today().isoformat()}: {name}, {os.cpu_count()} cores, {system}"


def write_page(page: Path, table: str, command: str, took: str, what: str) -> None:
    """Write tables between the markers of an experiment. Raises PageMarkerError."""
    marker = f"<!-- measured: python -m experiments.{what} --write -->"
    if not page.is_file():
        raise PageMarkerError(f"no such file: {page}")
    text = page.read_text("utf-8")
    before, begin, rest = text.partition(marker)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise PageMarkerError(f"{page} has no lines '{marker}' and '{END}'")
    body = f"`{command}` on {machine()}. {took}\n\n```text\n{table.rstrip()}\n```"
    page.write_text(f"{before}{marker}\n\n{body}\n\n{END}{after}", "utf-8")
