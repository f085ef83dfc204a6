"""Without SAPIEN and mplib (treec's extra 'sapien') nothing is tested here, and pytest says so."""

from __future__ import annotations

from importlib.util import find_spec

MISSING = [name for name in ("sapien", "mplib") if find_spec(name) is None]

collect_ignore_glob = ["*"] if MISSING else []


def pytest_report_header() -> str | None:
    return f"tests/skills/sapien: not run, {' and '.join(MISSING)} missing" if MISSING else None
