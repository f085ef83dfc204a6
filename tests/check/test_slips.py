"""Slips that newcomers make: one message, at the place, that says what would be right."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from treec.check import check_library
from treec.files.library import load_library

BASE = Path(__file__).parent / "base"


def first_of(folder: Path, kind: str) -> Path:
    return sorted(folder.rglob(f"*.{kind}.yaml"))[0]


def told(root: Path) -> list[tuple[str, str | None]]:
    return [(p.code, p.help) for p in check_library(load_library(root))]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BASE, tmp_path / "library"))


def test_a_misspelt_folder_hides_nothing_of_what_lies_in_it(library: Path) -> None:
    system = first_of(library, "system")
    text = system.read_text("utf-8")
    assert "tasks" in text
    system.write_text(text.replace("tasks", "taks", 1), "utf-8")
    assert told(library) == [("TC604", "did you mean 'tasks'?")]


def test_a_misspelt_parent_type_is_told_once(library: Path) -> None:
    domain = first_of(library, "domain")
    text = domain.read_text("utf-8").replace("Item: {}", "Item: {}\n  Cup: {is: Itm}")
    domain.write_text(text.replace("args: [Item]", "args: [Cup]"), "utf-8")
    assert told(library) == [("TC208", "did you mean 'Item'?")]


def test_files_that_would_not_be_read(library: Path) -> None:
    (library / "tasks" / "one.task.yml").write_text("task: one\nabout: One.\n", "utf-8")
    (library / "tasks" / "two.yaml").write_text("task: two\nabout: Two.\n", "utf-8")
    (library / "tasks" / "tool.yaml").write_text("task: lint\nsteps: [ruff]\n", "utf-8")
    (library / "tasks" / "void.task.yaml").write_text("# later\n", "utf-8")
    assert told(library) == [
        ("TC105", "did you mean '.task.yaml'?"),
        ("TC105", "if it is a task, rename it to end in '.task.yaml'"),
        ("TC104", "begin with 'task: NAME', or delete the file"),
    ]


@pytest.mark.parametrize(
    ("kind", "text", "help"),
    [
        (
            "action",
            "action: A\nabout: A.\nsees: acts, agents\nmay: [say]\n",
            "write [acts, agents]",
        ),
        (
            "action",
            "action: A\nabout: A.\nsees: [acts]\nmay: [say]\noffer: {to: Execution, when: acts}\n"
            "observation: '{{ acts }'\n",
            "close it with '}}'",
        ),
        (
            "tree",
            "tree: t\nabout: T.\nroot:\n  - log: a\n    wait: 2s\n",
            "'log' and 'wait' are two nodes: begin a new item, '- wait: …'",
        ),
        (
            "tree",
            "tree: t\nabout: T.\nroot:\n  - check: status('R1') == Running\n",
            "write a fixed word in quotes: 'Running'",
        ),
        (
            "action",
            "action: A\nabout: A.\nsees: [acts, proposals]\nmay: [asign, say]\noffline:\n"
            "  - for: p in proposals\n    do:\n"
            "      - assign: {agent: $p.agent, subtasks: [$p.subtask], because: $p}\n",
            "did you mean 'assign'?",
        ),
        (
            "action",
            "action: A\nabout: A.\nsees: [acts, proposals]\nmay: [assign]\noffline:\n"
            "  - for: p in proposals\n    do:\n"
            "      - assign: {agent: p.agent, subtasks: [$p.subtask], because: $p}\n",
            "did you mean '$p.agent'?",
        ),
        (
            "tree",
            "tree: t\nabout: T.\nroot:\n  - go_to(R1, table)\n",
            "a skill is run by 'skill: go_to' and 'with: {…}'",
        ),
        (
            "tree",
            "tree: t\nabout: T.\nvars: {n: number}\nroot:\n  - set: n := 2\n  - log: '{{ n }}'\n",
            "write {n: 2}",
        ),
        *(
            ("tree", f"tree: t\nabout: T.\nroot:\n  - {line}\n", help)
            for line, help in (
                ("parallel", "write {parallel: …}"),
                ("check: round(now, 2) == 1", "'round' is a filter: write value | round(…)"),
                ("check: status('R1') is Running", "write '==' to compare"),
            )
        ),
        (
            "tree",
            "tree: t\nabout: T.\nvars: {n: number}\nroot:\n"
            "  - set: {n: n + 1}\n  - log: '{{ n }}'\n",
            "an expression begins with '=': '= n + 1'",
        ),
        *(
            ("decision", f"decision: d\nabout: D.\n{line}\n", help)
            for line, help in (
                ("prompt: What next?", "did you mean 'instructions'?"),
                ("temperature: 0", "it belongs into 'model': model: {temperature: …}"),
                ("model: openai/gpt", "write {name: openai/gpt}"),
                ("options: [One, Two]", "write {One: …, Two: …}"),
            )
        ),
        ("domain", "domain: d\nabout: D.\nstate: {n: number}\n", "write {type: number}"),
    ],
)
def test_what_would_be_right_is_said(library: Path, kind: str, text: str, help: str) -> None:
    folder = first_of(library, kind).parent
    (folder / f"slip.{kind}.yaml").write_text(text, "utf-8")
    others = ("TC404", "TC401", "TC420")
    problems = [(code, said) for code, said in told(library) if code not in others]
    assert [said for _, said in problems if code_is_ours(said)] == [help]


def test_a_name_is_no_mapping_of_what_it_names(library: Path) -> None:
    scene = "scene: s\nabout: S.\ndomain: demo\nobjects: mug\n"
    (first_of(library, "scene").parent / "slip.scene.yaml").write_text(scene, "utf-8")
    assert ("TC103", "write {type: mug}") not in told(library)
    assert ("TC103", None) in told(library)


def code_is_ours(help: str | None) -> bool:
    return help is not None and not help.startswith("there is")


def test_a_skill_that_cannot_be_read_is_told_alone(library: Path) -> None:
    for path in library.rglob("*.skill.yaml"):
        text = path.read_text("utf-8")
        if "takes: " in text:
            path.write_text(text.replace("takes: ", "takes: about "), "utf-8")
    assert {code for code, _ in told(library)} == {"TC103"}


@pytest.mark.parametrize(
    ("vars", "sets", "codes"),
    [
        ("n: number", ["= n + 1"], ["error"]),
        ("n: number", ["= 2 * (1 - n)", "= n - 1"], ["error"]),
        ("n: number = 0", ["= n + 1"], []),
        ("n: number", ["0", "= n + 1"], []),
        ("n: number", ["= (n or 0) + 1"], []),
        ("n: number", ["= n + 1 if n else 1"], []),
        ("m: number = 0", ["= n + m"], ["warning"]),  # n is then state
        ("m: number = 0", ["= m + 1"], []),
    ],
)
def test_what_is_only_counted_up_needs_a_value_to_begin_with(
    library: Path, vars: str, sets: list[str], codes: list[str]
) -> None:
    domain = first_of(library, "domain")
    text = domain.read_text("utf-8")
    assert "\nstate:\n" in text
    domain.write_text(text.replace("\nstate:\n", "\nstate:\n  n: {type: number}\n"), "utf-8")
    lines = "".join(f"  - set: {{n: {value}}}\n" for value in sets)
    tree = first_of(library, "tree").parent / "slip.tree.yaml"
    tree.write_text(f"tree: t\nabout: T.\nvars: {{{vars}}}\nroot:\n{lines}  - log: '{{{{ n }}}}'\n")
    found = [p for p in check_library(load_library(library)) if p.code == "TC312"]
    told = [p for p in found if "has no value to begin with" in p.message]
    assert [p.severity for p in told] == codes


def test_what_a_judge_sets_has_a_value_to_count_from(library: Path) -> None:
    domain = first_of(library, "domain")
    text = domain.read_text("utf-8")
    domain.write_text(text.replace("\nstate:\n", "\nstate:\n  n: {type: number}\n"), "utf-8")
    tree = "tree: t\nabout: T.\nroot:\n  - set: {n: = n + 1}\n  - log: '{{ n }}'\n"
    (first_of(library, "tree").parent / "slip.tree.yaml").write_text(tree)
    judge = "judge: J\nabout: J.\nsees: {at: now}\nsets: {n: {scale: {low: A., high: B.}}}\n"
    (first_of(library, "reading").parent / "slip.judge.yaml").write_text(judge)
    found = check_library(load_library(library))
    assert not [p for p in found if "to begin with" in p.message]


def test_a_key_of_what_stands_in_a_list_belongs_into_no_mapping(library: Path) -> None:
    folder = first_of(library, "decision").parent
    (folder / "slip.decision.yaml").write_text("decision: d\nabout: D.\nperson: 1m\n", "utf-8")
    (help,) = [help for code, help in told(library) if code == "TC101"]
    assert help is not None
    assert help.startswith("known keys: ")
