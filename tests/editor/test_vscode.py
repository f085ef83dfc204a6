"""The extension for VS Code, as far as it can be tested without one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

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
