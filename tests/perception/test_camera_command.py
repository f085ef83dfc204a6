"""`treec camera` through the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PIL import Image

from tests.perception.support import ROOT
from treec.cli import main
from treec_perception.picture import load_picture

pytestmark = pytest.mark.needs_system("mosaic", "dag_plan")


def run(*args: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main([*args, "-L", str(ROOT)])
    out, err = capsys.readouterr()
    return code, out, err


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run("camera", "list", capsys=capsys)
    assert code == 0
    assert re.search(r"table_near +fixed", out)
    assert re.search(r"left_hand +on left", out)
    code, out, _ = run("camera", "list", "--output-format", "json", capsys=capsys)
    rows = {(row["camera"], *row["systems"]): row for row in json.loads(out)}
    assert len(rows) == 11
    assert rows["table_near", "mosaic", "mosaic_lean", "mosaic_one_prompt"]["sources"] == [
        "sapien",
        "realsense",
    ]


@pytest.mark.thorough
def test_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    png, npz = tmp_path / "a.png", tmp_path / "a.npz"
    code, out, _ = run("camera", "show", "left_side", "-o", str(png), "--depth", capsys=capsys)
    assert (code, out) == (0, f"{png}: 640 × 480, left_side in kitchen_2\n")
    assert Image.open(png).size == (1280, 480)
    code, _, _ = run("camera", "show", "left_side", "-o", str(npz), capsys=capsys)
    assert code == 0
    assert load_picture(npz).depth is not None


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("tabel_near",), "unknown camera 'tabel_near'; did you mean 'table_near'?"),
        (("head",), "several systems have a camera 'head': choose one with --system: dag_plan"),
        (("head", "--system", "mosaik"), "unknown system 'mosaik'; did you mean 'mosaic'?"),
        (
            ("table_near", "--scene", "kichen"),
            "unknown scene 'kichen'; did you mean 'kitchen'?",
        ),
        (
            ("table_near", "--towards", "tabel"),
            "unknown thing with a body 'tabel'; did you mean 'table'?",
        ),
        (("table_near", "--live"), "give either -o FILE or --live\n"),
    ],
)
def test_errors(
    args: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run("camera", "show", *args, "-o", str(tmp_path / "a.png"), capsys=capsys)
    assert code == 2
    assert says in err
    code, _, err = run("camera", "show", "table_near", "-o", "a.jpg", capsys=capsys)
    assert (code, err) == (2, "treec: a.jpg: the suffix must be .png or .npz\n")
    out = tmp_path / "nowhere/a.npz"
    code, _, err = run("camera", "show", "table_near", "-o", str(out), capsys=capsys)
    assert (code, err) == (2, f"treec: {out}: no folder '{out.parent}'\n")
