"""The page in the docs: the tables between its markers, with the machine they come from."""

from __future__ import annotations

import os
import platform
from pathlib import Path

END = "<!-- end of measured -->"


class PageMarkerError(Exception):
    """There is no page, or it has no markers."""


def machine() -> str:
    """What the figures come from: processor, how many, the Python."""
    name = platform.processor() or platform.machine()
    try:
        info = Path("/proc/cpuinfo").read_text("utf-8")
        found = [line for line in info.splitlines() if line.startswith("model name")]
        name = found[0].partition(":")[2].strip() if found else name
    except OSError:
        pass  # not Linux: the name that Python knows must do
    return (
        f"{name}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    )


def write_page(page: Path, table: str, command: str, took: str, what: str = "planner") -> None:
    """Put the tables between the markers of an experiment. Raises NoPage."""
    marker = f"<!-- measured: treec evaluate {what} --write -->"
    if not page.is_file():
        raise PageMarkerError(f"there is no {page}")
    text = page.read_text("utf-8")
    before, begin, rest = text.partition(marker)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise PageMarkerError(f"{page} has no lines '{marker}' and '{END}'")
    body = f"`{command}` on {machine()}. {took}\n\n```text\n{table.rstrip()}\n```"
    page.write_text(f"{before}{marker}\n\n{body}\n\n{END}{after}", "utf-8")
