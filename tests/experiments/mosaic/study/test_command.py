"""The command of studies: simulated participants, people, what was broken off."""

from __future__ import annotations

import io
import json
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import jsonschema
import pytest

from experiments.command import main
from experiments.mosaic.study.command import REPORT, command
from tests.cli.conftest import Treec
from tests.support.library import copy_library
from treec.world.lock import Lock

STUDY = """study: small
about: Two planners, one dish.
instructions: Do not name the recipe.
planners: {Tree: mosaic, One-Prompt: mosaic_one_prompt}
recipes: [Avocado Toast, Garlic Bread]
participants: 2
seed: 3
questions:
  permission: {ask: How many times without your permission?, measures: act without permission}
  ignored:
    ask: How often did you feel ignored?
    measures: ignore user
    scale: {from: 1, to: 3, low: never, high: always}
  understood:
    ask: Did the assistant understand you?
    measures: misunderstood
    scale: {from: 1, to: 7, good: high}
"""


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the shipped library with the small study."""
    root = copy_library(tmp_path_factory.mktemp("study") / "library")
    (root.parent / "small.yaml").write_text(STUDY, "utf-8")
    return root


@pytest.fixture(scope="module")
def simulated(shipped: Path) -> Path:
    """The study, run with simulated participants."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        status = main(
            command,
            [
                "run",
                str(shipped.parent / "small.yaml"),
                "--simulated",
                "--offline",
                "-L",
                str(shipped),
            ],
        )
    assert status == 0, out.getvalue()
    assert "4 of 4 with answers of SIMULATED participants" in out.getvalue()
    return shipped / "runs/study-small-simulated"


@pytest.fixture
def again(simulated: Path, tmp_path: Path) -> Path:
    """A copy of the folder of the simulated study."""
    return Path(shutil.copytree(simulated, tmp_path / "again"))


def answers(folder: Path, session: str) -> dict[str, object]:
    found = json.loads((folder / session / "answers.json").read_text("utf-8"))
    assert isinstance(found, dict)
    return found


@pytest.mark.thorough
def test_each_session_is_a_run_with_answers_beside_it(simulated: Path, treec: Treec) -> None:
    study = json.loads((simulated / "study.json").read_text("utf-8"))
    assert study["simulated"] is True
    schema = json.loads((simulated / "answers.schema.json").read_text("utf-8"))
    assert [one["participant"] for one in study["sessions"]] == [1, 1, 2, 2]
    for one, name in zip(study["sessions"], ("p01-1", "p01-2", "p02-1", "p02-2"), strict=True):
        found = answers(simulated, name)
        jsonschema.validate(found, schema)
        assert (found["session"], found["simulated"]) == (one, True)
        assert "judge" in str(found["rule"])
        assert json.loads((simulated / name / "run.json").read_text())["simulated"] is True
        # One prompt does nothing without a model: it ignores whoever speaks, to the scale's end.
        number = 3 if one["system"] == "mosaic_one_prompt" else 1
        assert found["answers"]["ignored"] == number  # type: ignore[index]
    replayed = treec("replay", simulated / "p01-1")
    assert replayed.status == 0, replayed.err
    assert "user" in replayed.out


def test_a_scale_ends_where_it_ends(simulated: Path) -> None:
    study = json.loads((simulated / "study.json").read_text("utf-8"))
    session = next(one for one in study["sessions"] if one["planner"] == "One-Prompt")
    found = answers(simulated, f"p{session['participant']:02}-{session['number']}")
    assert found["answers"] == {"permission": 0, "ignored": 3, "understood": 3}


def test_the_report_has_the_tables_of_the_paper(
    simulated: Path, study_command: Treec, tmp_path: Path
) -> None:
    figure = tmp_path / "figure.svg"
    done = study_command("report", simulated, "-o", figure)
    assert done.status == 0, done.err
    assert "2 SIMULATED participants, each with all planners" in done.out
    assert "No person has answered." in done.out
    assert "One-Prompt: mosaic_one_prompt, no model" in done.out
    rows = [line.split("  ") for line in done.out.splitlines()]
    texts = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert ["ignore user", "1.00 ± 0.00 (2)", "3.00 ± 0.00 (2)"] in texts
    assert ["paper, combined (n = 46)", "1.22 ± 0.26", "2.26 ± 0.42"] in texts
    assert ["recipe done, %", "100.00 ± 0.00 (2)", "0.00 ± 0.00 (2)"] in texts
    assert ["paper, combined", "t = -2.10, p = 0.04, df = 36.5", "–"] in texts
    assert "no variance: the difference is the same for all participants" in done.out
    assert "ignore user\n    paper" not in done.out, "a scale is not a count, as the paper's is"
    assert "nan" not in done.out.lower()
    svg = figure.read_text("utf-8")
    assert svg.startswith("<svg")
    assert "2 SIMULATED participants" in svg


def test_the_report_as_data(simulated: Path, study_command: Treec) -> None:
    done = study_command("report", simulated, "--output-format", "json")
    found = json.loads(done.out)
    assert (found["simulated"], found["sessions"], found["answered"]) == (True, 4, 4)
    rows = {row["key"]: row for row in found["rows"]}
    assert rows["ignored"]["planners"]["Tree"] == {"n": 2, "mean": 1.0, "error": 0.0}
    test = rows["ignored"]["tests"][0]
    assert test["unpaired"]["t"] is None
    assert test["unpaired"]["why"] == "no variance: neither planner's values differ"
    assert test["unpaired"]["n"] == [2, 2]
    time = rows["seconds"]["tests"][0]
    assert time["paired"]["df"] == 1
    assert 0 < time["paired"]["p"] < 1
    assert rows["permission"]["paper"][0]["n"] == 46
    assert rows["ignored"]["paper"] == []


@pytest.mark.thorough
def test_what_was_broken_off_is_run_anew_and_comes_to_the_same(
    shipped: Path, again: Path, study_command: Treec
) -> None:
    broken = again / "p02-2"
    wanted = {name: (broken / name).read_bytes() for name in ("answers.json", "journal.jsonl")}
    kept = (again / "p01-1/answers.json").stat().st_mtime_ns
    (broken / "answers.json").unlink()
    half = wanted["journal.jsonl"][: len(wanted["journal.jsonl"]) // 2]
    (broken / "journal.jsonl").write_bytes(half)
    unfinished = study_command("report", again)
    assert unfinished.status == 0, unfinished.err
    assert "unfinished: 3 of 4 sessions have answers" in unfinished.out
    assert "needs two values or more of each planner" in unfinished.out
    assert "needs two pairs or more (without participants 2: one value is missing)" in (
        unfinished.out
    )
    call = (
        "run",
        shipped.parent / "small.yaml",
        "--simulated",
        "--offline",
        "-L",
        shipped,
        "--to",
        again,
    )
    done = study_command(*call)
    assert done.status == 0, done.err
    assert "1 sessions run" in done.out
    assert "p02-2 was broken off: kept as p02-2.broken-1" in done.err
    assert (again / "p02-2.broken-1/journal.jsonl").read_bytes() == half
    assert {name: (broken / name).read_bytes() for name in wanted} == wanted
    assert (again / "p01-1/answers.json").stat().st_mtime_ns == kept
    assert "0 sessions run" in study_command(*call).out


def test_a_study_that_has_changed_is_not_continued(
    shipped: Path, again: Path, study_command: Treec
) -> None:
    study = again / "study.json"
    before = study.read_text("utf-8")
    study.write_text(before.replace('"seed": 3', '"seed": 4'), "utf-8")
    file = shipped.parent / "small.yaml"
    changed = study_command("run", file, "--simulated", "--offline", "-L", shipped, "--to", again)
    assert changed.status == 2
    assert "the study has changed since" in changed.err
    assert "(seed)" in changed.err
    assert before != study.read_text("utf-8")
    people = study_command("run", shipped.parent / "small.yaml", "-L", shipped, "--to", again)
    assert people.status == 2
    assert "is of a study with simulated participants" in people.err


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("p01-1/answers.json", "{", "p01-1/answers.json is damaged"),
        ("p01-1/answers.json", None, "ignored: 9 is not on the scale from 1 to 3"),
        ("p01-1/journal.jsonl", "", "p01-1/journal.jsonl"),
        ("study.json", "[]", "study.json is damaged"),
    ],
)
def test_damage_is_told(
    again: Path, study_command: Treec, file: str, text: str | None, told: str
) -> None:
    found = answers(again, "p01-1")
    if text is None:
        found["answers"]["ignored"] = 9  # type: ignore[index]
        text = json.dumps(found)
    (again / file).write_text(text, "utf-8")
    done = study_command("report", again)
    assert done.status == 2
    assert told in done.err


@pytest.mark.thorough
def test_a_session_is_run_by_one_process(
    shipped: Path, tmp_path: Path, study_command: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two people in two terminals: the second took the first one's folder for a broken one."""
    folder = tmp_path / "people"
    call = ("run", shipped.parent / "small.yaml", "--offline", "-L", shipped, "--to", folder)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert "Participant 1, conversation 1 of 2" in study_command(*call).out
    (folder / "p01-1").mkdir()  # as when its journal is not begun yet
    elsewhere = Lock(folder / "p01-1")
    elsewhere.acquire()
    assert "Participant 2, conversation 1 of 2" in study_command(*call).out
    first = study_command(*call, "--participant", 1)
    assert (first.status, "p01-1 is going on: process " in first.err) == (2, True)
    assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == ["p01-1"]
    other = Lock(folder / "p02-1")
    other.acquire()
    assert "all sessions that are left are going on" in study_command(*call).err
    elsewhere.release()
    other.release()
    assert "Participant 1, conversation 1 of 2" in study_command(*call).out


def test_a_simulated_session_is_run_by_one_process(
    shipped: Path, again: Path, study_command: Treec
) -> None:
    (again / "p02-2" / "answers.json").unlink()
    elsewhere = Lock(again / "p02-2")
    elsewhere.acquire()
    call = (
        "run",
        shipped.parent / "small.yaml",
        "--simulated",
        "--offline",
        "-L",
        shipped,
        "--to",
        again,
    )
    done = study_command(*call)
    assert (done.status, "p02-2 is going on: process " in done.err) == (2, True)
    assert not [*again.glob("*broken*")]
    elsewhere.release()


def test_names_that_are_not_there(shipped: Path, tmp_path: Path, study_command: Treec) -> None:
    done = study_command("run", "planers", "-L", shipped)
    assert (done.status, "did you mean 'planners'?" in done.err) == (2, True)
    done = study_command("report", tmp_path)
    assert (done.status, "is not the folder of a study: it has no study.json" in done.err) == (
        2,
        True,
    )


def test_a_wrong_study_is_reported_whole(
    shipped: Path, tmp_path: Path, study_command: Treec
) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(
        """study: wrong
planners: {Planner: mosiac, Same: mosaic, Again: mosaic}
recipes: [Ramen, Rammen, Ramen]
participants: 2
questions:
  liked: {ask: Did you like it?, scale: {from: 7, to: 1}}
""",
        "utf-8",
    )
    done = study_command("run", file, "-L", shipped)
    assert done.status == 2
    assert done.err.replace(f"{file}: ", "").replace("treec: ", "").splitlines() == [
        "planners: unknown system 'mosiac'; did you mean 'mosaic'?",
        "recipes: unknown recipe 'Rammen' of the system 'mosaic'; did you mean 'Ramen'?",
        "planners: 'Same' and 'Again' are the same system",
        "recipes: 'Ramen' is listed twice",
        "questions.liked: a scale from 7 to 1 has nothing to choose; write the lower number first",
    ]
    file.write_text("study: wrong\nplaners: {}\n", "utf-8")
    done = study_command("run", file, "-L", shipped)
    assert (done.status, f"{file}: planners: Field required" in done.err) == (2, True)


@pytest.mark.thorough
def test_a_person_talks_and_is_asked(
    shipped: Path, tmp_path: Path, study_command: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "people"
    call = ("run", shipped.parent / "small.yaml", "--offline", "-L", shipped, "--to", folder)
    first = ["", "Hi there!", "/quit", "often", "-1", "2", "at the start", "1", "", "7"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(first) + "\n"))
    stopped = study_command(*call)
    assert stopped.status == 1
    assert "the questions of p01-1 are not all answered" in stopped.err
    assert "Do not name the recipe." in stopped.out
    assert "you: Hi there!" in stopped.out
    assert "'often' is not a whole number." in stopped.out
    assert "-1 is not a count." in stopped.out
    assert "a number from 1 (never) to 3 (always)" in stopped.out
    assert not (folder / "p01-1/answers.json").exists()

    # The conversation is over: only the questions are asked again. The second one follows.
    rest = ["2", "at the start", "1", "", "7", ""]
    rest += ["", "Hello!", "/quit", "0", "", "4", "3", "", "1", ""]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(rest) + "\n"))
    done = study_command(*call)
    assert done.status == 0, done.err
    assert "4 is not on the scale from 1 to 3." in done.out
    assert "Participant 1 has answered everything; 2 sessions are left." in done.out
    for planner in ("mosaic", "Tree", "One-Prompt"):
        assert planner not in stopped.out + done.out, "participants are not told the planner"
    found = answers(folder, "p01-1")
    assert found["simulated"] is False
    assert found["answers"] == {"permission": 2, "ignored": 1, "understood": 7}
    assert found["instances"] == {"permission": "at the start"}
    assert (
        study_command(
            "run", shipped.parent / "small.yaml", "-L", shipped, "--to", folder, "--participant", 1
        ).out
        == f"participant 1 has answered everything: {REPORT} {folder}\n"
    )

    # A conversation that was cut off goes on.
    journal = folder / "p01-2/journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]))
    (folder / "p01-2/answers.json").unlink()
    again = ["", "Are you still there?", "/quit", "0", "", "1", "", "7", ""]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(again) + "\n"))
    went_on = study_command(*call, "--participant", 1)
    assert went_on.status == 0, went_on.err
    assert "Press Enter to go on." in went_on.out
    assert "you: Hello!" in went_on.out
    assert "you: Are you still there?" in went_on.out

    report = study_command("report", folder)
    assert "Study 'small': 2 participants" in report.out
    assert "SIMULATED" not in report.out
    assert "unfinished: 2 of 4 sessions have answers" in report.out
    assert "needs two values or more of each planner" in report.out
