"""DESIGN's own files check, and run as its text says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.design.compose import ADDED, FILES, FILLED, REPLACED, compose, snippets
from treec.cli import main

ROOT = Path(__file__).parents[2]
RUN = ("run", "mosaic", "--scenario", "impatient_user", "--fast")

STAND_IN = """
class Nothing:
    busy = False
    def __init__(self, setup): ...
    def step(self, until): return until
    def sense(self): return ()
    def notify(self, effects): ...
    def close(self): ...
"""
"""An environment `ros` of the library's own, so that no ROS 2 is needed to run its workers."""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    root = tmp_path / "library"
    compose(root)
    return root


def test_every_snippet_of_the_section_is_in_the_library() -> None:
    heads = [head for file in FILES for head in file]
    assert sorted(snippets()) == sorted(heads)
    lines = [line for snippet in snippets().values() for line in snippet.splitlines()]
    assert all(any(line == text for line in lines) for text in (*FILLED, *REPLACED))
    assert all(sum(line.startswith(text) for line in lines) == 1 for text in ADDED)


def test_they_check(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--library", str(library)]) == 0, capsys.readouterr().out


def test_the_impatient_user_is_served(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RUN, "--library", str(library)]) == 0
    out = capsys.readouterr().out
    happened = [
        "Shall R2 get pepper?",
        "Not yet: R2 should get ranch sauce first",
        "R2 will get ranch sauce.",
        "get ranch sauce done",
        "Shall R2 get pepper?",
        "pick(pepper): slipped",
        "Shall R2 get pepper?",
        "get pepper done",
        "pour pepper into bowl done",
        "finished after",
    ]
    at = 0
    for words in happened:
        assert words in out[at:], f"{words!r} is missing in\n{out[at:]}"
        at = out.index(words, at) + len(words)


def test_a_robots_own_time_for_a_skill_is_the_one_it_takes(library: Path) -> None:
    main([*RUN, "--library", str(library)])
    (journal,) = (library / "runs").glob("*/journal.jsonl")
    started = [
        record["data"]
        for record in map(json.loads, journal.read_text("utf-8").splitlines())
        if record["kind"] == "skill.started"
    ]
    assert {data["takes"] for data in started if data["skill"] == "pick"} == {9.0}


@pytest.mark.thorough
def test_a_librarys_own_worker_is_found_in_its_package(library: Path) -> None:
    worker = "from treec.envs.symbolic import Effects\n\n\nclass Pick(Effects): ...\n"
    (library / "kitchen_robot/pick.py").write_text(worker, "utf-8")
    (library / "kitchen_robot/stand_in.py").write_text(STAND_IN, "utf-8")
    with (library / "treec.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[environments]\nros = "kitchen_robot.stand_in:Nothing"\n')
    system = library / "trees/mosaic/mosaic.system.yaml"
    text = system.read_text("utf-8")
    system.write_text(text.replace("{default: symbolic}", "{default: symbolic, R2: ros}"))
    for skill in ("go_to", "place"):
        file = library / f"skills/{skill}/{skill}.skill.yaml"
        text = file.read_text("utf-8")
        short = text.replace(
            "runs: {symbolic: treec.envs.symbolic:Effects}",
            "runs:\n  symbolic: treec.envs.symbolic:Effects",
        )
        own = short.replace("runs:\n", "runs:\n  ros: treec.envs.symbolic:Effects\n")
        file.write_text(own, "utf-8")
    done = subprocess.run(  # another process: two libraries of these tests have such a package
        [sys.executable, "-m", "treec", *RUN, "--library", str(library)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_same_run_gives_the_same_journal(tmp_path: Path) -> None:
    journals = set()
    for name in ("one", "two"):
        compose(tmp_path / name)
        main([*RUN, "--library", str(tmp_path / name)])
        (journal,) = (tmp_path / name / "runs").glob("*/journal.jsonl")
        journals.add(journal.read_bytes())
    assert len(journals) == 1
