"""`treec forecast` through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from tests.forecasting.support import assembly, handovers
from treec.cli import main

FILE = """\
forecast: tiny
about: A tiny one.
network: {dct_mlp: {width: 16, depth: 1, sees: [partner]}}
data: [motion.npz]
epochs: 2
windows_per_epoch: 128
batch: 32
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "treec.toml").write_text("[library]\n", "utf-8")
    (tmp_path / "tiny.forecast.yaml").write_text(FILE, "utf-8")
    handovers(tmp_path / "motion.npz", (90,) * 10)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(list(args))
    out, err = capsys.readouterr()
    return code, out, err


def test_train_evaluate_show(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run("forecast", "train", "tiny", capsys=capsys)
    assert code == 0
    assert out.startswith("forecasts/tiny: validation ADE ")
    assert "epoch 2 of 2: loss " in err
    args = ("forecast", "evaluate", "forecasts/tiny", "--data", "motion.npz")
    code, out, _ = run(*args, capsys=capsys)
    assert code == 0
    assert "(held-out recordings)" in out
    assert "paper, FineTuned-T" in out
    code, out, _ = run(*args, "--output-format", "json", capsys=capsys)
    held = json.loads(out)
    assert [row["method"] for row in held["methods"]] == [
        "zero_velocity", "constant_velocity", "forecasts/tiny",
    ]  # fmt: skip
    assert held["episodes"] == 4
    code, out, _ = run(*args, "--all", "--output-format", "json", capsys=capsys)
    assert json.loads(out)["episodes"] == 20
    code, out, _ = run(*args, "--noise", "0.05", "--output-format", "json", capsys=capsys)
    noisy = json.loads(out)
    ade = [it["methods"][1]["scene"]["all ADE"]["mean"] for it in (held, noisy)]
    assert ade[1] > ade[0] + 50
    show = ("forecast", "show", "motion.npz", "--forecaster", "forecasts/tiny", "--window", "3")
    code, out, _ = run(*show, "-o", "a.svg", capsys=capsys)
    assert (code, out) == (0, "a.svg: window 3 of 180, forecasts/tiny\n")
    assert (library / "a.svg").read_text("utf-8").count("<circle") > 40
    code, _, _ = run(*show, "-o", "a.gif", capsys=capsys)
    assert code == 0
    from PIL import Image

    assert Image.open(library / "a.gif").n_frames > 20  # type: ignore[attr-defined]


def test_a_training_is_not_overwritten(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("forecast", "train", "tiny", "--resume", capsys=capsys)[0] == 2
    assert run("forecast", "train", "tiny", capsys=capsys)[0] == 0
    code, _, err = run("forecast", "train", "tiny", capsys=capsys)
    assert code == 2
    assert "forecasts/tiny has a training already: --resume goes on" in err
    assert run("forecast", "train", "tiny", "--resume", capsys=capsys)[0] == 0


def test_held_back_recordings_of_either_format(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """treec's own forecasters, on files that they have never seen."""
    handovers(library / "kept.npz", (100,) * 4, seed=77)
    assembly(library / "alone.npz")
    args = ("forecast", "evaluate", "--data", "kept.npz", "--data", "alone.npz")
    code, out, _ = run(*args, "--output-format", "json", capsys=capsys)
    assert code == 0
    table = json.loads(out)
    assert table["episodes"] == 10
    for row in table["methods"]:
        assert np.isfinite(row["scene"]["all ADE"]["mean"])


def test_treecs_own_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run("forecast", "list", "--output-format", "json", capsys=capsys)
    assert code == 0
    rows = {row["name"]: row for row in json.loads(out)}
    assert {"handover", "alone", "sts_gcn"} <= set(rows)
    for row in rows.values():
        assert row["command"].startswith("treec forecast train ")
        assert row["trained_on"]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (
            ("train", "tinny"),
            "no valid forecast file 'tinny' in the library: did you mean",
        ),
        (("evaluate",), "give recordings with --data FILE.npz"),
        (
            ("evaluate", "nobody", "--data", "motion.npz"),
            "no forecaster 'nobody': treec has",
        ),
        (("evaluate", "--data", "none.npz"), "there is no file 'none.npz'"),
        (("show", "motion.npz", "-o", "a.png"), "the suffix must be .svg, .gif or .webp"),
        (("show", "motion.npz", "-o", "a.svg", "--window", "999"), "there is no window 999"),
    ],
)
def test_mistakes_are_told(
    library: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], says: str
) -> None:
    code, _, err = run("forecast", *args, capsys=capsys)
    assert code == 2
    assert says in err


def test_recordings_that_are_too_short(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handovers(library / "short.npz", (30, 20))
    code, _, err = run("forecast", "evaluate", "alone", "--data", "short.npz", capsys=capsys)
    assert code == 2
    assert "no recording is as long as a window (1.4 s)" in err


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("network: {}", "a network is one of dct_mlp, sts_gcn"),
        ("network: {sts_gcn: {}, dct_mlp: {}}", "a network is one of dct_mlp, sts_gcn"),
        ("network: {dct_mlp: {sees: [dog]}}", "sees"),
        ("network: {sts_gcn: {}}\nepochs: 0", "epochs"),
    ],
)
def test_the_check_reads_forecast_files(
    library: Path, capsys: pytest.CaptureFixture[str], change: str, says: str
) -> None:
    text = f"forecast: tiny\nabout: x\n{change}\n"
    (library / "tiny.forecast.yaml").write_text(text, "utf-8")
    code, out, _ = run("check", capsys=capsys)
    assert code == 1
    assert "tiny.forecast.yaml" in out
    assert says in out
