"""`treec coverage`: what scenarios and recorded runs have reached."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Treec

FILES = {
    "treec.toml": "",
    "yard.domain.yaml": (
        "domain: yard\nabout: A yard.\ntypes: {Place: {}}\n"
        "facts:\n  near: {args: [Robot], value: Place}\n  dark: {args: [Place]}\n"
    ),
    "yard.scene.yaml": (
        "scene: yard\nabout: A gate.\ndomain: yard\nobjects: {gate: {type: Place}}\n"
    ),
    "r1.agent.yaml": "agent: R1\nabout: A robot.\nis: Robot\ncan: []\n",
    "r2.agent.yaml": "agent: R2\nabout: A robot.\nis: Robot\ncan: []\n",
    "yard.system.yaml": (
        "system: yard\nabout: Two robots.\nuses: [.]\nroot: main\ndomain: yard\nscene: yard\n"
        "runs_on: {default: symbolic}\n"
    ),
    "main.tree.yaml": """\
tree: main
about: Each robot looks, then something is chosen.
root:
  - {tree: look, for: agent in robots}
  - ask: Watch
""",
    "look.tree.yaml": """\
tree: look
about: Look.
root:
  selector:
    - check: not dark('gate')
    - log: it is dark
""",
    "watch.decision.yaml": """\
decision: Watch
about: What to do.
options:
  sleep: nothing is to be done
  patrol: it is dark
offline:
  - {when: dark('gate'), choose: patrol}
  - {when: "true", choose: sleep}
fallback: sleep
""",
    "sleep.tree.yaml": "tree: sleep\\nabout: Nothing.\\nroot: [{log: asleep}]\\n".replace(
        "\\n", "\n"
    ),
    "patrol.tree.yaml": "tree: patrol\nabout: A round.\nroot: [{log: on patrol}]\n",
    "day.scenario.yaml": (
        "scenario: day\nabout: By day.\nsystem: yard\nuser: []\n"
        "expect: {finally: not dark('gate'), within: 10s}\n"
    ),
}


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    folder = tmp_path / "yard"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def _parts(treec: Treec, *args: object) -> dict[str, Any]:
    result = treec("coverage", "yard", *args, "--output-format", "json")
    assert result.status == 0, result
    parts = json.loads(result.out)["parts"]
    return {f"{it['path']}:{it['line']} {it['name']}": it["reached"] for it in parts}


def test_what_no_scenario_reaches_is_listed_at_its_line(treec: Treec, yard: Path) -> None:
    result = treec("coverage", "--library", yard)
    assert result.status == 0
    assert result.out.splitlines() == [
        "look.tree.yaml",
        "     6  node    log",
        "patrol.tree.yaml",
        "     1  node    tree patrol",
        "     3  node    log",
        "watch.decision.yaml",
        "     5  option  Watch: patrol",
        "     7  rule    Watch: offline 1, when dark('gate')",
        "     9  rule    Watch: fallback",
        "yard: 8 of 14 reached (57 %) in 1 run: nodes 6 of 9, options 1 of 2, rules 1 of 3",
    ]


def test_a_second_scenario_reaches_more(treec: Treec, yard: Path) -> None:
    by_night = (yard / "day.scenario.yaml").read_text().replace("day", "night", 1)
    by_night = by_night.replace("user: []", "faults: [\"set dark('gate')\"]").replace(
        "not dark", "dark"
    )
    (yard / "night.scenario.yaml").write_text(by_night)
    reached = _parts(treec, "--library", yard)
    assert reached["watch.decision.yaml:7 Watch: offline 1, when dark('gate')"] == 1
    assert reached["watch.decision.yaml:5 Watch: patrol"] == 1
    assert reached["patrol.tree.yaml:3 log"] == 1
    assert reached["look.tree.yaml:5 check"] == 2  # by both robots at once, in two runs
    assert reached["watch.decision.yaml:9 Watch: fallback"] == 0


def test_recorded_runs_are_counted_alone(treec: Treec, yard: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    for _ in range(2):
        assert treec("run", "yard", "-L", yard, "--runs", runs, "--scenario", "day").status == 0
    reached = _parts(treec, runs, "--library", yard)
    assert reached["look.tree.yaml:5 check"] == 2
    one = next(runs.iterdir())
    assert _parts(treec, one, "--library", yard)["look.tree.yaml:5 check"] == 1
    assert treec("coverage", "yard", runs / "nothing", "--library", yard).status == 2


def test_nodes_that_are_in_no_file_any_more_are_counted_apart(
    treec: Treec, yard: Path, tmp_path: Path
) -> None:
    runs = tmp_path / "runs"
    treec("run", "yard", "-L", yard, "--runs", runs, "--scenario", "day")
    (yard / "look.tree.yaml").write_text("tree: look\nabout: Look.\nroot: [{log: hello}]\n")
    result = treec("coverage", "yard", runs, "--library", yard)
    assert "2 nodes of these runs are in no file any more" in result.out
    assert "     3  node    log" in result.out


@pytest.mark.parametrize(("percent", "status"), [(57, 0), (58, 1)])
def test_less_than_a_threshold_fails(treec: Treec, yard: Path, percent: int, status: int) -> None:
    result = treec("coverage", "--library", yard, "--fail-under", percent)
    assert result.status == status
    assert result.err == ("treec: 57.1 % is less than 58 %\n" if status else "")


def test_rules_of_actions_are_numbered_in_the_journal(treec: Treec, yard: Path) -> None:
    (yard / "sleep.tree.yaml").write_text("tree: sleep\nabout: Nothing.\nroot: [{do: Talk}]\n")
    (yard / "talk.action.yaml").write_text(
        """\
action: Talk
about: Say something.
may: [say]
offline:
  - {when: dark('gate'), do: [{say: It is dark.}]}
  - {when: not dark('gate'), do: [{say: It is light.}]}
"""
    )
    reached = _parts(treec, "--library", yard)
    assert reached["talk.action.yaml:5 Talk: offline 1, when dark('gate')"] == 0
    assert reached["talk.action.yaml:6 Talk: offline 2, when not dark('gate')"] == 1


def test_a_report_says_how_often_and_how_long_nodes_were_ticked(
    treec: Treec, yard: Path, tmp_path: Path
) -> None:
    treec("run", "yard", "-L", yard, "--runs", tmp_path / "runs", "--scenario", "day")
    assert treec("report", "--runs", tmp_path / "runs", "-o", tmp_path / "r.html").status == 0
    page = (tmp_path / "r.html").read_text()
    row = page[page.index("main/look[R1]/check") :].partition("</tr>")[0]
    assert [cell.partition("<")[0] for cell in row.split("<td>")[1:]] == ["1", "", "", "1", "", ""]
