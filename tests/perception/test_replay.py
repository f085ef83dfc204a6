"""A run with `--see` is replayed and reported from its journal alone: no model, no simulator."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.perception.test_report import answered, missed
from treec.cli import main
from treec.run.events import Ticked, TickedNode, TreeBegun
from treec.world.events import RunBegin, RunEnd
from treec.world.journal import Journal

HEAVY = ("torch", "transformers", "safetensors", "sapien", "mplib", "pyrealsense2", "mediapipe")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run's folder, in a process that can import none of the models."""
    for name in [it for it in sys.modules if it.split(".")[0] in HEAVY]:
        monkeypatch.delitem(sys.modules, name)
    for name in [it for it in sys.modules if it.startswith("treec_perception")]:
        monkeypatch.delitem(sys.modules, name)  # what they import is imported anew
    for name in HEAVY:
        monkeypatch.setitem(sys.modules, name, None)
    folder = tmp_path / "run"
    folder.mkdir()
    journal = Journal.create(folder / "journal.jsonl")
    journal.append(RunBegin(system="kitchen", seed=1, see=True), "run", 0.0)
    journal.append(TreeBegun((TickedNode("main/pick", "pick", "skill", 0),)), "run", 0.0)
    journal.append(Ticked(1, {"RUNNING": (0,)}), "run", 0.0)
    journal.append(answered(), "R2", 10.0)
    journal.append(missed(), "R2", 20.0)
    journal.append(RunEnd("done", True), "run", 30.0)
    journal.close()
    return folder


def test_nothing_of_a_model_can_be_imported(run: Path) -> None:
    with pytest.raises(ImportError):
        import torch  # noqa: F401


@pytest.mark.parametrize("args", [(), ("--at", "end")])
def test_it_is_replayed(
    run: Path, args: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(run), *args]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    if not args:
        assert "localize(soup): head sees it, score 0.81, 5 mm off" in printed.out
        assert "localize(soup): not seen: soup: nothing scores 0.05" in printed.out


def test_it_is_reported(run: Path, tmp_path: Path) -> None:
    page = tmp_path / "x.html"
    assert main(["report", str(run), "-o", str(page)]) == 0
    assert "head sees it, score 0.81, 5 mm off" in page.read_text("utf-8")
