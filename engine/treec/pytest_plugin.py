"""The pytest plugin of the core: it says where a library's cases are not tested.

Cases are tested, and tests kept from the network, by the plugin of ``treec-testing``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from treec.companions import missing_help


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> None:
    """Say that cases are not tested where the package is missing that tests them."""
    root = path.parent.parent
    if path.parts[-2:] == ("tests", "decisions") and (root / "treec.toml").is_file():
        help = missing_help("modules", "treec_testing")
        if help is not None:
            parent.warn(pytest.PytestWarning(f"{path}: cases are not tested: {help}"))
