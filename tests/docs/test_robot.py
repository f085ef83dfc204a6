"""From simulation to a robot: each command of the page, with the template's robot behind it."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import treec
from tests.docs.pages import ROOT, Typed, agrees, run, steps

PAGE = ROOT / "docs/robot.md"


@pytest.mark.thorough
def test_the_page_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    typed = [step for step in steps(PAGE) if isinstance(step, Typed)]
    assert len(typed) == 7
    for step in typed[:2]:  # the project is made
        _, printed = run(step.command)
        assert agrees(step.shows, printed), printed
    treec.open(Path.cwd())
    fake = importlib.import_module("my_robot.fake_robot")
    with fake.FakeRobot(takes=0.2) as robot:
        monkeypatch.setenv("ROBOT_URL", robot.url)
        for step in typed[2:]:
            command = step.command.replace("$HEARTBEAT", robot.heartbeat)
            if command.startswith("python "):
                words = [sys.executable, *command.split()[1:]]
                done = subprocess.run(words, capture_output=True, text=True, env=os.environ)
                printed = done.stdout
            else:
                _, printed = run(command)
            assert agrees(step.shows, printed), f"{command} printed\n{printed}"
        assert len(robot.goals) == 5  # two runs, there and back
    assert not robot._listener.is_alive()
