"""The extension for VS Code, as far as it can be tested without one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.library import copy_warehouse
from treec.files.library import load_library

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "editors/vscode"


def test_every_command_that_a_lens_names_is_the_extensions() -> None:
    registered = set(re.findall(r'register\("(treec\.\w+)"', (FOLDER / "extension.js").read_text()))
    lenses = (ROOT / "editors/treec_editor/name_features.py").read_text()
    assert set(re.findall(r'"(treec\.\w+)"', lenses)) <= registered
    package = json.loads((FOLDER / "package.json").read_text())
    assert {it["command"] for it in package["contributes"]["commands"]} <= registered


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_scenarios_are_found_as_treec_reads_them() -> None:
    entries = [*load_library(ROOT).own("scenario")]
    script = """
        const {scenarioOf} = require(process.argv[1]);
        const texts = JSON.parse(require("fs").readFileSync(0, "utf-8"));
        console.log(JSON.stringify(texts.map(scenarioOf)));
    """
    command = ["node", "-e", script, str(FOLDER / "scenarios.js")]
    texts = json.dumps([entry.file.text for entry in entries])
    found = subprocess.run(command, input=texts, capture_output=True, check=True, text=True)
    read = [(it["scenario"], it["system"]) for it in json.loads(found.stdout)]
    assert read == [(entry.name, entry.model.system) for entry in entries]


TOO_QUICK = """
scenario: too_quick
system: warehouse
user: [{says: "Scout, inspect crate 40."}]
expect: {finally: all_done, within: 3s}
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_scenarios_are_run_as_tests(tmp_path: Path) -> None:
    """By a double of the API: one passes, one says beside its file what was expected."""
    library = copy_warehouse(tmp_path / "library")
    (library / "trees/scenarios/morning_shift.scenario.yaml").unlink()
    (library / "trees/scenarios/too_quick.scenario.yaml").write_text(TOO_QUICK, "utf-8")
    treec = Path(sys.executable).with_name("treec")
    double = Path(__file__).with_name("vscode_double.js")
    command = ["node", str(double), str(FOLDER), str(library), str(treec)]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert told.pop("direct_orders") == "passed"
    first = "time limit reached after 0:03, NOT as expected: all_done, which does not hold"
    assert told.pop("too_quick").splitlines()[0] == first
    assert told == {"pages": [0, 1]}  # of the one that was closed, and that was saved meanwhile
