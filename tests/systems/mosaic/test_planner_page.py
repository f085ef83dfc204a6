"""The planner's page: its picture is current, and it names nodes and promises that there are."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.docs.pages import ROOT
from treec.files.library import load_library
from treec.files.view import View
from treec.render.from_files import decision_graph

PAGE = (ROOT / "docs/planner.md").read_text("utf-8")


def mosaic() -> View:
    library = load_library(ROOT)
    return View(library, library.find("system", "mosaic"))


@pytest.mark.thorough
def test_the_picture_is_what_the_files_say() -> None:
    done = subprocess.run(
        [sys.executable, "docs/make_planner_picture.py", "--check"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_says_what_each_node_is_for() -> None:
    table = PAGE.partition("## What each node is for")[2].partition("\n## ")[0]
    told = set(re.findall(r"\*(\w+)\*", table))
    drawn = {vertex.label for vertex in decision_graph(mosaic(), "").vertices}
    assert told == drawn


def test_it_names_every_promise_and_people_hear_none_of_their_words() -> None:
    section = PAGE.partition("## What the contracts guarantee")[2].partition("\n## ")[0]
    contracts = mosaic().all("contract").values()
    assert {entry.name for entry in contracts} == set(re.findall(r"`(\w+_\w+)`", section))
    assert not [about for entry in contracts if (about := entry.model.about or "-") in section]
