"""``treec hear train``: weights from phrases, which ``treec evaluate hearing`` measures."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import yaml

from tests.cli.conftest import Treec
from tests.hearing.fitted import one_thread
from tests.hearing.floor import BY_TEMPLATES, PHRASES, WORLD, floor
from treec.hearing.phrases import load_phrases

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
    root: Path, folder: Path, treec: Treec
) -> None:
    done = treec("hear", "train", "warehouse", "--phrases", folder, "-L", root, *FEW)
    assert done.status == 0, done.err
    out = root / "prompts" / "floor.npz"
    seen = [phrase for phrase in load_phrases(folder) if not phrase.held_back]
    assert len(PHRASES) < len(seen) < 2 * len(PHRASES), "of the first round half is held back"
    assert done.out == (
        f"{out}: fitted to {len(seen)} phrases; treec evaluate hearing measures it\n"
    )
    assert [line.partition(":")[0] for line in done.err.splitlines()] == [
        "epoch 1 of 2",
        "epoch 2 of 2",
    ]
    made = about(out)
    assert made["phrases"] == len(seen)
    assert made["command"] == (
        f"treec hear train warehouse --phrases {folder} --epochs 2 --pairs 3 --frames 6 --seed 1"
    )
    assert treec("check", "-L", root).status == 0


@pytest.mark.thorough
def test_the_weights_are_used_by_evaluate_and_by_hear(
    root: Path, folder: Path, treec: Treec
) -> None:
    assert treec("hear", "train", "warehouse", "--phrases", folder, "-L", root, *FEW).status == 0
    measure = ("evaluate", "hearing", "-L", root, "--phrases", root / "said.yaml")
    done = treec(*measure, "--output-format", "json")
    assert done.status == 0, done.err
    right = json.loads(done.out)["right"]
    assert right["phrases"][1] == len(PHRASES)
    assert right["accept"][0] >= 1, "what templates explain is heard whatever the network says"
    assert treec("hear", "Hauler, fetch crate 17", "-L", root).status == 0


@pytest.mark.slow
def test_fitted_long_enough_it_hears_what_templates_do_not(
    root: Path, folder: Path, treec: Treec
) -> None:
    library = ("-L", root, "--output-format", "json")
    measure = ("evaluate", "hearing", "--phrases", root / "said.yaml", *library)
    before = json.loads(treec(*measure, "--templates").out)["right"]
    assert before["phrases"] == [BY_TEMPLATES, len(PHRASES)]
    train = ("hear", "train", "warehouse", "--phrases", root / "said.yaml", "-L", root)
    assert treec(*train, "--epochs", 250, "--pairs", 0).status == 0
    after = json.loads(treec(*measure).out)["right"]
    assert after["phrases"] == [len(PHRASES), len(PHRASES)]


@pytest.mark.thorough
def test_the_same_seed_writes_the_same_file(
    root: Path, folder: Path, tmp_path: Path, treec: Treec
) -> None:
    files = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        out = tmp_path / f"{name}.npz"
        call = ("hear", "train", "warehouse", "--phrases", folder, "-L", root, *FEW)
        assert treec(*call, "--out", out, "--seed", seed).status == 0
        files.append(out.read_bytes())
    assert files[0] == files[1]
    assert files[0] != files[2]
    assert not (root / "prompts" / "floor.npz").exists()


@pytest.mark.thorough
def test_a_round_can_be_left_out(root: Path, folder: Path, tmp_path: Path, treec: Treec) -> None:
    out = tmp_path / "without.npz"
    call = ("hear", "train", "warehouse", "--phrases", folder, "-L", root, *FEW, "-o", out)
    done = treec(*call, "--leave-out", 1)
    assert done.status == 0, done.err
    assert f"fitted to {len(PHRASES)} phrases" in done.out


# What is told


def told(treec: Treec, *call: object) -> str:
    done = treec("hear", "train", *call)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("treec: "), done.err.splitlines()[-2:]
    return done.err


def test_a_folder_that_is_absent_is_told(root: Path, tmp_path: Path, treec: Treec) -> None:
    absent = tmp_path / "absent"
    assert str(absent) in told(treec, "warehouse", "--phrases", absent, "-L", root)


def test_a_folder_without_phrases_is_told(root: Path, tmp_path: Path, treec: Treec) -> None:
    (tmp_path / "empty").mkdir()
    message = told(treec, "warehouse", "--phrases", tmp_path / "empty", "-L", root)
    assert message.startswith(f"treec: no phrases: {tmp_path / 'empty'} has 0")


def test_leaving_every_round_out_is_told(root: Path, folder: Path, treec: Treec) -> None:
    call = ("warehouse", "--phrases", folder, "-L", root, *FEW)
    assert "no phrases" in told(treec, *call, "--leave-out", 1, "--leave-out", 2)


def test_a_round_that_is_unknown_cannot_be_left_out(root: Path, folder: Path, treec: Treec) -> None:
    message = told(treec, "warehouse", "--phrases", folder, "-L", root, *FEW, "--leave-out", "99")
    assert "99" in message


def test_a_wrong_phrase_is_told(root: Path, folder: Path, treec: Treec) -> None:
    file = folder / "2" / "said.yaml"
    file.write_text(file.read_text("utf-8").replace("context: asked", "context: asket"), "utf-8")
    message = told(treec, "warehouse", "--phrases", folder, "-L", root)
    assert f"{file}: phrase 2-yes: no moment 'asket'" in message


def test_a_wrong_frame_is_told(root: Path, folder: Path, treec: Treec) -> None:
    (folder / "order.frames.yaml").write_text("meant: ['{ordr}']", "utf-8")
    message = told(treec, "warehouse", "--phrases", folder, "-L", root)
    assert "order.frames.yaml: meant, sentence 1" in message


def test_an_unknown_system_is_told(root: Path, folder: Path, treec: Treec) -> None:
    message = told(treec, "warehous", "--phrases", folder, "-L", root)
    assert "did you mean 'warehouse'?" in message


def test_without_a_file_to_write_it_asks_where_to(
    tmp_path: Path, folder: Path, treec: Treec
) -> None:
    root = floor(tmp_path / "bare", network=False)
    message = told(treec, "warehouse", "--phrases", folder, "-L", root)
    assert message == (
        "treec: where to? give --out, or `network: NAME.npz` in the reading's hearing file\n"
    )


def test_a_folder_to_write_to_that_is_absent_is_told_before_the_work(
    root: Path, folder: Path, tmp_path: Path, treec: Treec
) -> None:
    out = tmp_path / "nowhere" / "out.npz"
    message = told(treec, "warehouse", "--phrases", folder, "-L", root, "--out", out)
    assert message == f"treec: there is no folder {out.parent}\n"


def test_that_torch_is_missing_is_told_with_what_installs_it(
    root: Path, folder: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "treec.hearing.training")
    message = told(treec, "warehouse", "--phrases", folder, "-L", root)
    assert "torch" in message
    assert "pip install -c constraints.txt 'treec[hear-train]'" in message


def test_a_wrong_template_is_told(root: Path, folder: Path, treec: Treec) -> None:
    file = root / "prompts" / "floor_english.hearing.yaml"
    file.write_text(file.read_text("utf-8").replace("<later> [please|thanks]", "<latr>"), "utf-8")
    assert "<latr>" in told(treec, "warehouse", "--phrases", folder, "-L", root)
