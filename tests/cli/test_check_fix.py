"""`treec check --fix`, `--diff`, and the formats of others."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Treec
from treec.check.expand import expanded

CHARGE = "trees/charge_when_low.tree.yaml"
DISPATCH = "prompts/dispatch.decision.yaml"


@pytest.fixture
def broken(library: Path) -> dict[str, bytes]:
    """Two misspelt names in files of different line breaks; the right contents by path."""
    right = {}
    for path, word, wrong in (
        (CHARGE, b"skill: drive", b"skill: drve"),
        (DISPATCH, b"reactive: true", b"reactve: true"),
    ):
        file = library / path
        right[path] = file.read_bytes()
        if path == DISPATCH:
            right[path] = right[path].replace(b"\n", b"\r\n")
        assert right[path].count(word) == 1
        file.write_bytes(right[path].replace(word, wrong))
    return right


def contents(library: Path) -> dict[str, bytes]:
    return {path: (library / path).read_bytes() for path in (CHARGE, DISPATCH)}


def test_certain_names_are_corrected_and_all_else_stays_to_the_byte(
    library: Path, broken: dict[str, bytes], treec: Treec
) -> None:
    done = treec("check", "-L", library, "--fix")
    assert done.status == 0, done.out
    assert done.out.splitlines() == [
        f"{DISPATCH}:6:1: TC101: change 'reactve' to 'reactive'",
        f"{CHARGE}:6:12: TC302: change 'drve' to 'drive'",
        "36 definitions in 36 files: nothing is wrong",
    ]
    assert contents(library) == broken
    assert not [*library.rglob("*.part")]


def test_the_differences_are_shown_and_nothing_is_changed(
    library: Path, broken: dict[str, bytes], treec: Treec
) -> None:
    before = contents(library)
    done = treec("check", "-L", library, "--diff")
    assert done.status == 1
    changed = [line for line in done.out.splitlines() if line[:1] in "+-"]
    assert changed == [
        f"--- a/{DISPATCH}",
        f"+++ b/{DISPATCH}",
        "-reactve: true",
        "+reactive: true",
        f"--- a/{CHARGE}",
        f"+++ b/{CHARGE}",
        "-  - skill: drve",
        "+  - skill: drive",
    ]
    assert contents(library) == before


def test_what_is_not_certain_is_left_and_told(library: Path, treec: Treec) -> None:
    file = library / CHARGE
    text = file.read_text("utf-8").replace("skill: drive", "skill: teleport")
    file.write_text(text, "utf-8")
    done = treec("check", "-L", library, "--fix")
    assert done.status == 1
    assert "unknown skill 'teleport'" in done.out
    assert file.read_text("utf-8") == text
    shown = treec("check", "-L", library, "--diff")
    assert (shown.status, shown.out) == (1, "no certain fixes\n")


def test_only_the_files_that_are_named_are_corrected(
    library: Path, broken: dict[str, bytes], treec: Treec
) -> None:
    before = contents(library)
    done = treec("check", "-L", library, "--fix", library / CHARGE)
    assert done.status == 0
    assert contents(library) == {CHARGE: broken[CHARGE], DISPATCH: before[DISPATCH]}


def test_corrections_are_printed_as_text_only(library: Path, treec: Treec) -> None:
    done = treec("check", "-L", library, "--fix", "--output-format", "sarif")
    assert (done.status, done.out) == (2, "")
    assert "leave out --output-format sarif" in done.err


def test_annotations_for_github(
    library: Path, broken: dict[str, bytes], treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(library.parent)
    done = treec("check", "-L", library, "--output-format", "github")
    assert done.status == 1
    assert done.out.splitlines() == [
        f"::error file=library/{DISPATCH},line=6,endLine=6,col=1,endColumn=8,title=treec TC101::"
        "unknown key 'reactve'%0Ahelp: did you mean 'reactive'?",
        f"::error file=library/{CHARGE},line=6,endLine=6,col=12,endColumn=16,title=treec TC302::"
        "unknown skill 'drve'%0Ahelp: did you mean 'drive'?",
    ]


def test_a_sarif_log(library: Path, broken: dict[str, bytes], treec: Treec) -> None:
    done = treec("check", "-L", library, "--output-format", "sarif")
    (run,) = json.loads(done.out)["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["TC101", "TC302"]
    second = run["results"][1]
    assert (second["ruleId"], second["level"]) == ("TC302", "error")
    assert rules[second["ruleIndex"]] == "TC302"
    place = second["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == CHARGE
    assert place["region"] == {"startLine": 6, "startColumn": 12, "endLine": 6, "endColumn": 16}


def test_a_junit_report(library: Path, treec: Treec) -> None:
    done = treec("check", "-L", library, "--output-format", "junit")
    suites = ElementTree.fromstring(done.out)
    assert (done.status, suites.get("tests"), suites.get("failures")) == (0, "1", "0")
    file = library / CHARGE
    file.write_text(file.read_text("utf-8").replace("skill: drive", "skill: <&"), "utf-8")
    done = treec("check", "-L", library, "--output-format", "junit")
    suites = ElementTree.fromstring(done.out)
    assert (done.status, suites.get("failures")) == (1, "1")
    (failure,) = suites.iter("failure")
    assert failure.get("message") == "unknown skill '<&'"


FORMER = """\
scenario: former
system: warehouse
faults:
  - {skill: pick, args: {crate: crate 31}, reason: slipped, times: null, chance: 0.2}
  - skill: charge
    reason: "no contact: again"
    at: 0.5
happens:  # one after the other
  - {when: near(Scout) == 'aisle 1', after: 2s, out: Scout, reason: pushed}
  - {after: 30s, back: Scout}
  - {facts: [at('crate 31') == none]}
expect: {within: 60s}
"""
LINES = """\
scenario: former
system: warehouse
faults:
  - fail pick(crate=crate 31) always chance 20%: slipped
  - "fail charge at 50%: no contact: again"
  - 2s after near(Scout) == 'aisle 1':
      out Scout: pushed
  - then 30s: back Scout
  - then 0s: set at('crate 31') == none
expect: {within: 60s}
"""
SCENARIO = "trees/scenarios/former.scenario.yaml"


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_faults_and_events_as_they_were_become_lines(
    library: Path, treec: Treec, line_break: str
) -> None:
    file = library / SCENARIO
    file.write_bytes(FORMER.replace("\n", line_break).encode())
    told = treec("check", "-L", library)
    assert told.status == 1
    assert "a fault is a line, such as fail pick(parcel): slipped" in told.out
    shown = treec("check", "-L", library, "--diff")
    assert "+  - then 30s: back Scout" in shown.out
    done = treec("check", "-L", library, "--fix")
    assert (done.status, f"{SCENARIO}: its faults and events are lines now" in done.out) == (
        0,
        True,
    )
    assert file.read_bytes() == LINES.replace("\n", line_break).encode()


def test_anchors_and_merge_keys_are_written_out() -> None:
    text = "a: &one [x, 'y, z', 3]\nb: *one  # again\nc: &two\n  - d: |\n      two\n      lines\n"
    text += "e:\n  <<: [{f: *one}, {f: 1, g: *two}]\n  g: own\n  h: &three yes\n"
    text += "i: {<<: {k: 1}, j: *three}\n"
    assert expanded(text) == (
        "a: [x, 'y, z', 3]\nb: [x, \"y, z\", 3]  # again\nc:\n  - d: |\n      two\n      lines\n"
        'e:\n  f: [x, "y, z", 3]\n  g: own\n  h: yes\ni: {k: 1, j: yes}\n'
    )


@pytest.mark.parametrize("text", ["a: &a [*a]\n", "a: b\n", "a: *b\n", "a: [\n"])
def test_what_cannot_be_written_out_stays(text: str) -> None:
    assert expanded(text) is None


def test_a_file_that_unfolds_into_billions_stays() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    assert expanded("\n".join(lines) + "\n") is None


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_fix_writes_out_anchors(library: Path, treec: Treec, line_break: str) -> None:
    file = library / "trees/warehouse.system.yaml"
    text = file.read_text("utf-8")
    file.write_bytes(
        (text.replace("about: ", "about: &about ", 1)).replace("\n", line_break).encode()
    )
    assert "TC007" in treec("check", "-L", library).out
    done = treec("check", "-L", library, "--fix")
    assert (done.status, "write it out" in done.out) == (0, True)
    assert file.read_bytes() == text.replace("\n", line_break).encode()
