"""What commands refuse before they begin, by the whole message."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, WAREHOUSE, Treec

TASK = ROOT / "trees/dag_plan/graphs/task_1.yaml"
TOLD = {
    "check --deep warehouse --output-format sarif": "--deep prints text or json, not sarif",
    "run warehouse --model-set x": "'x' is not a setting: write KEY=VALUE, such as max_tokens=800",
    "run warehouse --model-set headers=1 --model-set headers.x=1": (
        "'headers' is given twice, as a value and with '.x'"
    ),
    "case add runs/x --at 3 --says hi": "--says needs --whole",
    "case add runs/x --at 3 --node a --whole": "--node and --whole exclude each other",
    "snapshot --because ok": "--because needs --accept CASE",
    "snapshot --answer a.txt": "--answer needs --record or --refresh CASE, and excludes --model",
    "snapshot -o a.txt": "a.txt: the table is written as .html or .json",
    "snapshot --model a/b --prune": (
        "--accept and --prune are for recordings: leave out --model and --beside"
    ),
    "snapshot --beside a/b --record x": "--beside asks now: leave out --record and --refresh",
    "snapshot --repeat 3": "--repeat needs --model: rules decide alike each time",
    "snapshot --jobs 3 --model a/b": (
        "--jobs and --on are for recordings: leave out --model and --beside"
    ),
    "distil Dispatch --error 0": "--error and --confidence are between 0 and 100 percent",
    "camera play x.bag -o a.gif --frame 3": "a film has all pictures: leave out --frame",
    "camera play x.bag -o a.txt": "a.txt: the suffix must be .gif, .webp, .png or .npz",
    "forecast watch": "give a recording, or a camera with --camera",
    "forecast watch x.bag -o a.txt": "a.txt: the suffix must be .gif or .webp",
    "forecast watch x.bag": "no such recording: x.bag",
    f"plan schedule {TASK} --task a --team b": (
        "--task and --team both say who the arms are: give one of them"
    ),
    f"plan schedule {TASK} --method paper --objective makespan": (
        "the paper's rule counts stages: --objective makespan is for other methods"
    ),
    f"render {TASK.name}": f"no such file: {TASK.name}",
    "see nosuch.png cup": "nosuch.png cannot be read: No such file or directory",
    "see treec.toml cup --camera x": (
        "treec.toml is not a recording (.db3, .bag): leave out --camera and --frame"
    ),
    "pose nosuch.png": "no such file: nosuch.png",
    "camera show table_near -o nosuch/a.png": "nosuch/a.png: no folder 'nosuch'",
    "run --resume treec.toml": "treec.toml: a run is resumed from its folder, not from a file",
    "replay x --values 3 --tree": "--values excludes --step and --tree",
    "export runs/x --to mcap": (
        "--to mcap writes a file that is no text: specify --output FILE.mcap"
    ),
    "import x.xml --compare a -o b": "--compare writes no file: leave out --output",
    "recipe import treec.toml --model a/b": (
        "treec.toml is not a saved page: import it without --model"
    ),
    "run dispatcher --scenario morning_shift": (
        "a scenario is one of a system: run that, or leave --scenario out"
    ),
    "new plan x --to y": "--to is for actions and decisions, which offer themselves to one",
    "new domain 3x": "'3x' is not a name: letters, digits, _ and spaces, a letter first",
    "render dispatcher -o trees": "trees: the suffix must be .txt, .svg, .dot, .mmd or .html",
}


def test_what_cannot_be_is_told_by_these_words(
    treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(WAREHOUSE)
    done = {line: treec(*shlex.split(line)) for line in TOLD}
    assert {line: one.err for line, one in done.items()} == {
        line: f"treec: {text}\n" for line, text in TOLD.items()
    }
    assert {one.status for one in done.values()} == {2}
    assert not Path("a.gif").exists()


def test_a_file_that_cannot_be_written_is_told(treec: Treec, tmp_path: Path) -> None:
    taken = tmp_path / "taken.svg"
    taken.mkdir()
    for line in (("render", "dispatcher", "-o"), ("export", "dispatcher", "--to", "btcpp", "-o")):
        done = treec(*line, taken, "-L", WAREHOUSE)
        assert done.status == 2
        assert done.err.endswith(f"treec: {taken} cannot be written: Is a directory\n")
    odd = tmp_path / "odd.yaml"
    odd.write_text("a: b\n", "utf-8")
    done = treec("render", odd)
    assert (done.status, done.err) == (1, f"treec: {odd} has no tree, recipe or task graph\n")
    system = WAREHOUSE / "trees/warehouse.system.yaml"
    done = treec("render", system)
    assert (done.status, done.out) == (1, "")  # what a task graph would be is not told
    assert done.err == f"treec: {system} has no tree, recipe or task graph\n"


def test_the_kinds_of_schemas_are_listed(treec: Treec) -> None:
    told = treec("schema")
    assert told.err.startswith("treec: specify a kind (system, tree, decision, ")
    assert told.err.endswith(", case, journal), or write all schemas with --write\n")
