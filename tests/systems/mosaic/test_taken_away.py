"""Without MOSAIC's extension its functions are unknown, and nothing else is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.test_without_systems import ROOT, treec


@pytest.mark.thorough
def test_its_functions_are_unknown(tmp_path: Path) -> None:
    depot = Path(shutil.copytree(ROOT / "tests" / "data" / "depot", tmp_path / "depot"))
    file = depot / "depot_main.tree.yaml"
    file.write_text(
        "tree: depot_main\nroot:\n  - check: has_wish('soup')\n  - wait: {until: all_done}\n",
        "utf-8",
    )
    with_it, without = treec(depot, "nobody", "check"), treec(depot, "mosaic", "check")
    assert "has_wish" not in with_it.stdout
    assert "has_wish" in without.stdout
