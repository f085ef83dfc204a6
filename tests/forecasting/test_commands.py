"""`treec forecast` through the command line."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from tests.forecasting.support import assembly, handovers
from treec.cli import main
from treec_forecasting import forecaster
from treec_forecasting.gate import FEATURES, Gate
from treec_forecasting.synthetic import KNOWN
from treec_sapien.people.recordings import MotionEpisode, read_recordings, split

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


@pytest.mark.thorough
def test_train_evaluate_show(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run("forecast", "train", "tiny", capsys=capsys)
    assert code == 0
    assert out.startswith("forecasts/tiny: validation ADE ")
    assert "epoch 2 of 2: loss " in err
    args = ("forecast", "evaluate", "forecasts/tiny", "--data", "motion.npz")
    code, out, _ = run(*args, capsys=capsys)
    assert code == 0
    assert "of 2 recordings (held out), 4 episodes" in out
    assert "paper, FineTuned-T" in out
    assert out.count("paper, noise 0.01 ") == 1
    code, out, _ = run(*args, "--output-format", "json", capsys=capsys)
    held = json.loads(out)
    assert [row["method"] for row in held["methods"]] == [
        "zero_velocity", "constant_velocity", "forecasts/tiny",
    ]  # fmt: skip
    assert (held["recordings"], held["episodes"]) == (2, 4)
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


@pytest.mark.thorough
def test_a_trained_forecaster_is_given_a_gate(
    library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its weights stay, and its card says so; other recordings are not those of its validation."""
    seen: list[str] = []

    def fitted(one: forecaster.Forecaster, recordings: list[MotionEpisode]) -> Gate:
        seen.extend(sorted({it.recording for it in recordings}))
        zeros = np.zeros(FEATURES, np.float32)
        return Gate(zeros, zeros + 1, zeros[None], zeros[:1], zeros[:2, None], zeros[:2] - 99)

    monkeypatch.setattr("treec_forecasting.training.fitted", fitted)
    assert run("forecast", "train", "tiny", "--out", "a", capsys=capsys)[0] == 0
    assert not forecaster.read_card(library / "a")[0].gate
    weights = (library / "a" / "weights.npz").read_bytes()
    code, out, _ = run("forecast", "train", "tiny", "--out", "a", "--gate", capsys=capsys)
    assert (code, out) == (0, "a: a gate by 1 recordings of validation\n")
    assert (library / "a" / "weights.npz").read_bytes() == weights
    spec, made = forecaster.read_card(library / "a")
    assert spec.gate
    assert seen[0].partition("/")[2] not in made["held_out"]["motion.npz"]
    args = ("forecast", "evaluate", "a", "--data", "motion.npz", "--output-format", "json")
    code, out, err = run(*args, capsys=capsys)
    assert code == 0, err
    still, _, own = json.loads(out)["methods"]
    assert own["scene"] == still["scene"]  # the gate is shut
    handovers(library / "other.npz", (90,) * 10)
    args = ("forecast", "train", "tiny", "--out", "a", "--gate", "--data", "other.npz")
    code, _, err = run(*args, capsys=capsys)
    assert code != 0
    assert "give the --data of the training" in err


@pytest.mark.thorough
def test_a_training_is_not_overwritten(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("forecast", "train", "tiny", "--resume", capsys=capsys)[0] == 2
    assert run("forecast", "train", "tiny", capsys=capsys)[0] == 0
    code, _, err = run("forecast", "train", "tiny", capsys=capsys)
    assert code == 2
    assert "forecasts/tiny already has a training: --resume goes on" in err
    assert run("forecast", "train", "tiny", "--resume", capsys=capsys)[0] == 0


@pytest.mark.thorough
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


def test_one_recording_has_no_standard_error(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    handovers(library / "one.npz", (90,), seed=77)
    args = ("forecast", "evaluate", "alone", "--data", "one.npz")
    code, out, _ = run(*args, capsys=capsys)
    assert code == 0
    assert "of 1 recordings (all), 2 episodes" in out
    assert "±" not in out.partition("relative to the root")[2]
    _, out, _ = run(*args, "--output-format", "json", capsys=capsys)
    row = json.loads(out)["methods"][0]["scene"]["all ADE"]
    assert row["mean"] > 0
    assert row["standard_error"] is None


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
            "unknown forecast file 'tinny'; did you mean 'tiny'?",
        ),
        (("evaluate",), "specify recordings with --data FILE.npz"),
        (
            ("evaluate", "nobody", "--data", "motion.npz"),
            "unknown forecaster 'nobody'; treec has",
        ),
        (
            ("evaluate", "stedy", "--data", "motion.npz"),
            "unknown forecaster 'stedy'; did you mean 'steady'?",
        ),
        (("train", "none.forecast.yaml"), "no such file: none.forecast.yaml"),
        (("train", "tiny.yaml"), "the name of a forecast file must end in .forecast.yaml"),
        (
            ("train", "two.forecast.yaml"),
            "two.forecast.yaml has 2 forecasts: give the name of one (one, other)",
        ),
        (("train", "tiny", "--out", "motion.npz"), "motion.npz cannot be written: File exists"),
        (
            ("show", "motion.npz", "-o", "none/a.svg"),
            "none/a.svg cannot be written: No such file or directory",
        ),
        (("evaluate", "--data", "none.npz"), "no such file: none.npz"),
        (("show", "motion.npz", "-o", "a.png"), "the suffix must be .svg, .gif or .webp"),
        (("show", "motion.npz", "-o", "a.svg", "--window", "999"), "window 999 is out of range"),
    ],
)
def test_mistakes_are_told(
    library: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], says: str
) -> None:
    (library / "tiny.yaml").write_text(FILE, "utf-8")
    two = FILE.replace(": tiny", ": one") + "---\n" + FILE.replace(": tiny", ": other")
    (library / "two.forecast.yaml").write_text(two, "utf-8")
    code, _, err = run("forecast", *args, capsys=capsys)
    assert code == 2
    assert says in err


@pytest.mark.parametrize("word", ["tiny", "tiny.forecast.yaml", "./tiny.forecast.yaml"])
def test_a_misspelt_key_is_told_with_its_place(
    library: Path, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    (library / "tiny.forecast.yaml").write_text(FILE.replace("epochs", "epoch"), "utf-8")
    code, _, err = run("forecast", "train", word, capsys=capsys)
    assert code == 2
    assert "tiny.forecast.yaml:5:1" in err
    assert "did you mean 'epochs'?" in err


def test_problems_of_other_forecast_files_are_not_told(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = FILE.replace("epochs", "epoch")
    (library / "tiny.forecast.yaml").write_text(wrong, "utf-8")
    (library / "tiny_one.forecast.yaml").write_text(wrong.replace(": tiny", ": one"), "utf-8")
    code, _, err = run("forecast", "train", "tiny", capsys=capsys)
    assert code == 2
    assert err.count("did you mean 'epochs'?") == 1
    assert "tiny.forecast.yaml:5:1" in err
    _, _, err = run("forecast", "train", "one", capsys=capsys)
    assert err.count("did you mean 'epochs'?") == 1
    assert "tiny_one.forecast.yaml:5:1" in err


def test_a_file_outside_the_library_and_treecs_own_are_trained(
    library: Path,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Paths are from the folder that one is in, which may lie below the library's."""
    own = tmp_path_factory.mktemp("own") / "mine.forecast.yaml"
    own.write_text(FILE.replace(": tiny", ": mine"), "utf-8")
    code, _, err = run("forecast", "train", str(own), capsys=capsys)
    assert (code, (library / "forecasts" / "mine" / "made.json").is_file()) == (0, True), err
    (library / "below").mkdir()
    monkeypatch.chdir(library / "below")
    assert run("forecast", "train", "../tiny.forecast.yaml", "--out", "it", capsys=capsys)[0] == 0
    evaluated = ("forecast", "evaluate", "it", "../forecasts/mine", "--data", "../motion.npz")
    assert run(*evaluated, capsys=capsys)[0] == 0
    code, _, err = run("forecast", "train", "alone", capsys=capsys)
    assert "alone has no 'data': specify recordings with --data" in err


@pytest.mark.thorough
def test_no_recording_is_judged_on_that_was_trained_on(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither by what was trained on several files, nor by what that began with."""
    handovers(library / "more.npz", (60,) * 30, seed=90)
    both = ("--data", "motion.npz", "--data", "more.npz")
    assert run("forecast", "train", "tiny", *both, "--out", "both", capsys=capsys)[0] == 0
    fine = FILE.replace(": tiny", ": fine") + "pretrain: both\nseed: 1\n"
    (library / "fine.forecast.yaml").write_text(fine, "utf-8")
    assert run("forecast", "train", "fine", capsys=capsys)[0] == 0
    assert run("forecast", "train", "tiny", "--data", "more.npz", capsys=capsys)[0] == 0

    def card(folder: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((library / folder / "made.json").read_text("utf-8"))
        return found

    cards = {name: card(name) for name in ("both", "forecasts/fine", "forecasts/tiny")}
    assert cards["forecasts/fine"]["before"]["held_out"] == cards["both"]["held_out"]
    fitted, checked, kept = (
        {it.recording for it in part}
        for part in split(
            [it for name in ("motion", "more") for it in read_recordings(Path(f"{name}.npz"))], 0
        )
    )
    own = {f"{file[:-4]}/{name}" for file, of in cards["both"]["held_out"].items() for name in of}
    assert own == kept
    assert not own & (fitted | checked)
    evaluate = ("forecast", "evaluate", "--output-format", "json")
    for names, expected in (
        (("both",), set(cards["both"]["held_out"]["more.npz"])),
        (("forecasts/fine",), set(cards["both"]["held_out"]["more.npz"])),
        (
            ("both", "forecasts/tiny"),
            set(cards["both"]["held_out"]["more.npz"])
            & set(cards["forecasts/tiny"]["held_out"]["more.npz"]),
        ),
    ):
        _, out, err = run(*evaluate, *names, "--data", "more.npz", capsys=capsys)
        if expected:
            assert json.loads(out)["recordings"] == len(expected)
        else:
            assert "no recording was held out by all of" in err


def test_the_command_on_a_card_is_one_that_can_be_given(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    handovers(library / "more.npz", (60,) * 4, seed=90)
    both = ("--data", "motion.npz", "--data", "more.npz")
    assert run("forecast", "train", "tiny", *both, "--out", "a", capsys=capsys)[0] == 0
    command = json.loads((library / "a" / "made.json").read_text("utf-8"))["command"]
    assert command == "treec forecast train tiny --data motion.npz --data more.npz"
    assert run(*command.split()[1:], capsys=capsys)[0] == 0
    weights = [(library / it / "weights.npz").read_bytes() for it in ("a", "forecasts/tiny")]
    assert weights[0] == weights[1]


def test_treecs_own_held_out_what_their_seed_says() -> None:
    """Each file's recordings are split alone, but for two, whose files were split together."""
    joints = np.zeros((40, 7, 3))
    for name in forecaster.shipped():
        spec, made = forecaster.read_card(forecaster.SHIPPED / name)
        of = forecaster.Recordings.model_validate(made)
        together = name in ("steady", "without_noise")
        counted = {
            "handover_normal.npz": ("motion_normal", 900),
            "reach.npz": ("reach", 150 if together else 100),
            "offer.npz": ("offer", 50 if together else 30),
        }
        files = {it: [f"{name}_{n}" for n in range(k)] for it, (name, k) in counted.items()}
        files["everyday.npz"] = [f"{KNOWN[n % len(KNOWN)]}_{n}" for n in range(280)]
        files["assembly.npz"] = [
            f"Task{task}/Human{human}/trial{trial}"
            for task, human, trial in product((1, 2, 3, 4), (1, 2), (1, 2))
        ]
        episodes = [
            MotionEpisode(f"{'all/' * together}{it[:-4]}/{name}", "x", joints, joints[:, 0])
            for it in of.trained_on
            for name in files[it]
        ]
        kept = {it.recording.removeprefix("all/") for it in split(episodes, spec.seed)[2]}
        assert kept == {f"{file[:-4]}/{it}" for file, own in of.held_out.items() for it in own}


@contextmanager
def stopped_in_epoch(number: int) -> Iterator[None]:
    """Press Ctrl-C in an epoch of a training, counted from 0."""
    from treec_forecasting import training

    one_epoch = training.Fit._one_epoch

    def stopped(fit: training.Fit, epoch: int) -> float:
        if epoch == number:
            raise KeyboardInterrupt
        return one_epoch(fit, epoch)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training.Fit, "_one_epoch", stopped)
        yield


def test_a_training_that_is_stopped_says_how_to_go_on(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("forecast", "train", "tiny", "--data", "motion.npz", "--out", "my own")
    with stopped_in_epoch(0):
        code, _, err = run(*words, capsys=capsys)
    assert (code, err) == (130, "stopped before the end of an epoch: nothing was saved\n")
    with stopped_in_epoch(1):
        code, _, err = run(*words, capsys=capsys)
    assert code == 130
    again = shlex.split(err.partition("stopped; '")[2].rpartition("' goes on")[0])
    code, out, err = run(*again[1:], capsys=capsys)
    assert code == 0
    assert err.startswith("epoch 2 of 2: ")
    assert out.startswith("my own: validation ADE ")


@pytest.mark.thorough
def test_a_resumed_training_knows_what_it_began_with(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever has become of that folder since: trained anew on other recordings, or gone."""
    handovers(library / "more.npz", (60,) * 10, seed=90)
    fine = FILE.replace(": tiny", ": fine") + "pretrain: first\n"
    (library / "fine.forecast.yaml").write_text(fine, "utf-8")
    first = ("forecast", "train", "tiny", "--out", "first")
    assert run(*first, capsys=capsys)[0] == 0
    words = ("forecast", "train", "fine", "--data", "more.npz")
    assert run(*words, "--out", "whole", capsys=capsys)[0] == 0
    for folder in ("a", "b"):
        with stopped_in_epoch(1):
            assert run(*words, "--out", folder, capsys=capsys)[0] == 130
    shutil.rmtree(library / "first")
    assert run(*words, "--out", "a", "--resume", capsys=capsys)[0] == 0
    assert run(*first, "--data", "more.npz", capsys=capsys)[0] == 0
    assert run(*words, "--out", "b", "--resume", capsys=capsys)[0] == 0
    whole, *resumed = (
        [(library / folder / name).read_bytes() for name in ("weights.npz", "made.json")]
        for folder in ("whole", "a", "b")
    )
    assert resumed == [whole, whole]
    assert set(json.loads(whole[1])["before"]["trained_on"]) == {"motion.npz"}


def test_a_forecaster_to_begin_with_that_cannot_be_used(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fine = FILE.replace(": tiny", ": fine") + "pretrain: first\n"
    (library / "fine.forecast.yaml").write_text(fine, "utf-8")
    assert run("forecast", "train", "tiny", "--out", "first", capsys=capsys)[0] == 0
    weights = library / "first" / "weights.npz"
    weights.unlink()
    code, _, err = run("forecast", "train", "fine", capsys=capsys)
    assert code == 2
    assert "first has no weights.npz: its training did not end" in err
    assert "cannot be written" not in err
    assert not (library / "forecasts" / "fine").exists()
    weights.mkdir()
    code, _, err = run("forecast", "train", "fine", capsys=capsys)
    assert code == 2
    assert "weights.npz cannot be read: " in err


@pytest.mark.parametrize("command", [("train", "tiny"), ("evaluate", "alone")])
@pytest.mark.parametrize(
    ("files", "says"),
    [
        (("motion.npz", "motion.npz"), "motion.npz is given twice"),
        (
            ("motion.npz", "sub/../motion.npz"),
            "sub/../motion.npz is given twice (also as motion.npz)",
        ),
        (("motion.npz", "linked.npz"), "linked.npz is given twice (also as motion.npz)"),
        (
            ("motion.npz", "sub/motion.npz"),
            "motion.npz and sub/motion.npz are both called 'motion', by which their recordings "
            "are distinguished: rename one",
        ),
        (("sub/motion.json", "motion.npz"), "sub/motion.json and motion.npz are both called"),
    ],
)
def test_recordings_that_cannot_be_told_apart_are_refused(
    library: Path,
    capsys: pytest.CaptureFixture[str],
    command: tuple[str, ...],
    files: tuple[str, str],
    says: str,
) -> None:
    (library / "sub").mkdir()
    (library / "linked.npz").symlink_to("motion.npz")
    handovers(library / "sub" / "motion.npz", (90,) * 10, seed=5)
    (library / "sub" / "motion.json").write_text("{}", "utf-8")
    given = [word for file in files for word in ("--data", file)]
    code, _, err = run("forecast", *command, *given, capsys=capsys)
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
