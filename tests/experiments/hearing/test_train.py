"""``python -m experiments.hearing.train``: weights from labelled phrases."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import yaml

from experiments.hearing.phrases import load_phrases
from tests.cli.conftest import Treec
from tests.experiments.conftest import Experiment
from tests.hearing.fitted import one_thread
from tests.hearing.floor import BY_TEMPLATES, PHRASES, WORLD, floor

FEW = ("--epochs", 2, "--pairs", 3, "--frames", 6)


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    with one_thread():
        yield


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return floor(tmp_path / "floor")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two rounds: of the first half is held back; the second is open."""
    folder = tmp_path / "phrases"
    folder.mkdir()
    world = yaml.safe_dump({**WORLD, "open_rounds": [2]})
    (folder / "first.moments.yaml").write_text(world, "utf-8")
    (folder / "order.frames.yaml").write_text(
        "unmeant: ['she said to {order}', 'we dream of {doing}']\n"
        "meant: ['{robot}, kindly {order}']\n",
        "utf-8",
    )
    for round in ("1", "2"):
        (folder / round).mkdir()
        said = yaml.safe_dump([{**one, "id": f"{round}-{one['id']}"} for one in PHRASES])
        (folder / round / "said.yaml").write_text(said, "utf-8")
    return folder


def about(path: Path) -> dict[str, object]:
    with np.load(path) as file:
        found = json.loads(bytes(file["about"]).decode())
    assert isinstance(found, dict)
    return found


@pytest.mark.thorough
def test_weights_are_written_beside_the_hearing_file(
    root: Path, folder: Path, experiment: Experiment, treec: Treec
) -> None:
    done = experiment("hearing.train", "warehouse", "--phrases", folder, "-L", root, *FEW)
    assert done.status == 0, done.err
    out = root / "prompts" / "floor.npz"
    seen = [phrase for phrase in load_phrases(folder) if not phrase.held_back]
    assert len(PHRASES) < len(seen) < 2 * len(PHRASES), "of the first round half is held back"
    assert done.out == (
        f"{out}: fitted to {len(seen)} phrases; experiments.hearing.evaluate measures it\n"
    )
    assert [line.partition(":")[0] for line in done.err.splitlines()] == [
        "epoch 1 of 2",
        "epoch 2 of 2",
    ]
    made = about(out)
    assert made["phrases"] == len(seen)
    assert made["command"] == (
        f"python -m experiments.hearing.train warehouse --phrases {folder} "
        "--epochs 2 --pairs 3 --frames 6 --seed 1"
    )
    assert treec("check", "-L", root).status == 0


@pytest.mark.thorough
def test_the_weights_are_used_by_evaluate_and_by_hear(
    root: Path, folder: Path, experiment: Experiment, treec: Treec
) -> None:
    assert (
        experiment("hearing.train", "warehouse", "--phrases", folder, "-L", root, *FEW).status == 0
    )
    measure = ("hearing.evaluate", "-L", root, "--phrases", root / "said.yaml")
    done = experiment(*measure, "--output-format", "json")
    assert done.status == 0, done.err
    right = json.loads(done.out)["right"]
    assert right["phrases"][1] == len(PHRASES)
    assert right["accept"][0] >= 1, "what templates explain is heard whatever the network says"
    assert treec("hear", "Hauler, fetch crate 17", "-L", root).status == 0


@pytest.mark.slow
def test_fitted_long_enough_it_hears_what_templates_do_not(
    root: Path, folder: Path, experiment: Experiment
) -> None:
    library = ("-L", root, "--output-format", "json")
    measure = ("hearing.evaluate", "--phrases", root / "said.yaml", *library)
    before = json.loads(experiment(*measure, "--templates").out)["right"]
    assert before["phrases"] == [BY_TEMPLATES, len(PHRASES)]
    train = ("hearing.train", "warehouse", "--phrases", root / "said.yaml", "-L", root)
    assert experiment(*train, "--epochs", 250, "--pairs", 0).status == 0
    after = json.loads(experiment(*measure).out)["right"]
    assert after["phrases"] == [len(PHRASES), len(PHRASES)]


@pytest.mark.thorough
def test_the_same_seed_writes_the_same_file(
    root: Path, folder: Path, tmp_path: Path, experiment: Experiment
) -> None:
    files = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        out = tmp_path / f"{name}.npz"
        call = ("hearing.train", "warehouse", "--phrases", folder, "-L", root, *FEW)
        assert experiment(*call, "--out", out, "--seed", seed).status == 0
        files.append(out.read_bytes())
    assert files[0] == files[1]
    assert files[0] != files[2]
    assert not (root / "prompts" / "floor.npz").exists()


@pytest.mark.thorough
def test_a_round_can_be_left_out(
    root: Path, folder: Path, tmp_path: Path, experiment: Experiment
) -> None:
    out = tmp_path / "without.npz"
    call = ("hearing.train", "warehouse", "--phrases", folder, "-L", root, *FEW, "-o", out)
    done = experiment(*call, "--leave-out", 1)
    assert done.status == 0, done.err
    assert f"fitted to {len(PHRASES)} phrases" in done.out


# What is told


def told(experiment: Experiment, *call: object) -> str:
    done = experiment("hearing.train", *call)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("treec: "), done.err.splitlines()[-2:]
    return done.err


def test_a_folder_that_is_absent_is_told(
    root: Path, tmp_path: Path, experiment: Experiment
) -> None:
    absent = tmp_path / "absent"
    assert str(absent) in told(experiment, "warehouse", "--phrases", absent, "-L", root)


def test_a_folder_without_phrases_is_told(
    root: Path, tmp_path: Path, experiment: Experiment
) -> None:
    (tmp_path / "empty").mkdir()
    message = told(experiment, "warehouse", "--phrases", tmp_path / "empty", "-L", root)
    assert message.startswith(f"treec: no phrases: {tmp_path / 'empty'} has 0")


def test_leaving_every_round_out_is_told(root: Path, folder: Path, experiment: Experiment) -> None:
    call = ("warehouse", "--phrases", folder, "-L", root, *FEW)
    assert "no phrases" in told(experiment, *call, "--leave-out", 1, "--leave-out", 2)


def test_a_round_that_is_unknown_cannot_be_left_out(
    root: Path, folder: Path, experiment: Experiment
) -> None:
    message = told(
        experiment, "warehouse", "--phrases", folder, "-L", root, *FEW, "--leave-out", "99"
    )
    assert "99" in message


def test_a_wrong_phrase_is_told(root: Path, folder: Path, experiment: Experiment) -> None:
    file = folder / "2" / "said.yaml"
    file.write_text(file.read_text("utf-8").replace("context: asked", "context: asket"), "utf-8")
    message = told(experiment, "warehouse", "--phrases", folder, "-L", root)
    assert f"{file}: phrase 2-yes: no moment 'asket'" in message


def test_a_wrong_frame_is_told(root: Path, folder: Path, experiment: Experiment) -> None:
    (folder / "order.frames.yaml").write_text("meant: ['{ordr}']", "utf-8")
    message = told(experiment, "warehouse", "--phrases", folder, "-L", root)
    assert "order.frames.yaml: meant, sentence 1" in message


def test_an_unknown_system_is_told(root: Path, folder: Path, experiment: Experiment) -> None:
    message = told(experiment, "warehous", "--phrases", folder, "-L", root)
    assert "did you mean 'warehouse'?" in message


def test_without_a_file_to_write_it_asks_where_to(
    tmp_path: Path, folder: Path, experiment: Experiment
) -> None:
    root = floor(tmp_path / "bare", network=False)
    message = told(experiment, "warehouse", "--phrases", folder, "-L", root)
    assert message == (
        "treec: where to? give --out, or `network: NAME.npz` in the reading's hearing file\n"
    )


def test_a_folder_to_write_to_that_is_absent_is_told_before_the_work(
    root: Path, folder: Path, tmp_path: Path, experiment: Experiment
) -> None:
    out = tmp_path / "nowhere" / "out.npz"
    message = told(experiment, "warehouse", "--phrases", folder, "-L", root, "--out", out)
    assert message == f"treec: no such folder: {out.parent}\n"


def test_that_torch_is_missing_is_told_with_what_installs_it(
    root: Path, folder: Path, experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "experiments.hearing.training")
    message = told(experiment, "warehouse", "--phrases", folder, "-L", root)
    assert "torch" in message
    assert "pip install -r experiments/requirements.txt" in message


def test_a_wrong_template_is_told(root: Path, folder: Path, experiment: Experiment) -> None:
    file = root / "prompts" / "floor_english.hearing.yaml"
    file.write_text(file.read_text("utf-8").replace("<later> [please|thanks]", "<latr>"), "utf-8")
    assert "<latr>" in told(experiment, "warehouse", "--phrases", folder, "-L", root)
