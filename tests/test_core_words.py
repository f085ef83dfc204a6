"""The core knows no kitchen and no arms: its words, what it imports, what it registers.

Identifiers, strings, docstrings and comments of `engine` are read alike. What one published system
needs stands in `systems/`, and its examples may speak of what it likes; examples of the core speak
of crates and docks.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.make_house import CORE as ENGINE
from docs.make_house import ROOT, imports, modules
from treec.core import CORE
from treec.extensions import MAPPINGS, registry
from treec.world.events import event_classes
from treec_asking.extension import EXTENSION

OURS = ("treec_mosaic.", "treec_dag_plan.", "treec_helper.")
"""Packages of the systems that ship with treec."""

KITCHEN = (
    "kitchens? dish(es)? salads? cook(s|ed|ing)? ingredients? peppers? lettuce soups? "
    "stir(s|red|ring)? sauces? bowls? milk foods? meals? sandwich(es)? breakfast dinner "
    "tomato(es)? onions? ovens? stoves? fridges? pantry cups? coffee bread cereal pasta gnocchi "
    "moods? pots? salt microwaves? toasters? chop(s|ped|ping)? pans? pour(s|ed|ing)? celery butter "
    "melt(s|ed|ing)? spoons? caesar appetites? hungry tasty mosaic"
)
ARMS = "arms (left|right|two|both|one|dual)[ _-]arms? arm_num bimanual grippers? pddl dag_?plan"
WORDS = re.compile(
    rf"(?<![A-Za-z])(?:{'|'.join([*KITCHEN.split(), *re.split(r' (?![_-])', ARMS)])})(?![a-z])",
    re.IGNORECASE,
)

ALLOWED = {
    "engine/treec/companions.py": {"kitchen", "mosaic", "dag_plan"},
    "engine/treec/team/stop_words.py": {"salt"},
}
"""A file → words that it may use, each for a reason:

- `companions`: the names of packages that are developed beside the core.
- `stop_words`: "salt" is one letter from "halt" and stops nobody.
"""


def found(file: Path) -> Iterator[tuple[int, str]]:
    """The line and the word, in lower case, of each word that the core does not know."""
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", line)  # DualArm is two words
        for word in WORDS.finditer(apart):
            yield number, word.group().lower()


def test_the_core_speaks_of_no_kitchen_and_of_no_arms() -> None:
    wrong = []
    for file in modules(ENGINE):
        path = file.relative_to(ROOT).as_posix()
        allowed = ALLOWED.get(path, set())
        wrong += [f"{path}:{n}: {word}" for n, word in found(file) if word not in allowed]
    assert not wrong


@pytest.mark.parametrize("word", ["Dishes", "stirring", "two_arms", "PDDL", "DualArm", "gripper"])
def test_the_words_are_found(tmp_path: Path, word: str) -> None:
    """Else the test above would promise nothing."""
    file = tmp_path / "module.py"
    file.write_text(f"x = '{word}'\n", "utf-8")
    assert [line for line, _ in found(file)] == [1]


def test_words_that_only_look_alike_are_not(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text("potential, spot, expand, company, bowled, alarms, published\n", "utf-8")
    assert list(found(file)) == []


def test_what_is_excepted_is_there() -> None:
    files = [file.relative_to(ROOT).as_posix() for file in modules(ENGINE)]
    assert [path for path in ALLOWED if path not in files] == []


def declared_by_systems() -> set[str]:
    """The names of kinds, nodes, slots, events and the like that the systems declare.

    What the core calls by a name (`tools`) has the core's own.
    """
    found = {cls.kind for cls in event_classes().values() if cls.__module__.startswith(OURS)}
    for _, extension in registry().extensions:
        if any(target.startswith(OURS) for target in extension.targets()):
            lists = (extension.kinds, extension.slots)
            found |= {item.name for items in lists for item in items} | set(extension.nodes)
            lists = (extension.functions, extension.names, extension.filters)
            found |= {item.name for items in lists for item in items}
            words = [field for field in MAPPINGS if field not in ("reports", "drawings", "tools")]
            found |= {name for field in words for name in getattr(extension, field)}
    return found - {"problem", "finish"}  # which are words for many things


EXCEPTED = {("draft.py", "plan")}
"""Of `draft`: a key of answers, which stands in recordings."""


@pytest.mark.thorough
@pytest.mark.needs_system("mosaic", "dag_plan")
def test_the_core_names_nothing_that_a_system_declares() -> None:
    known = (*CORE.kinds, *EXTENSION.kinds)
    names = declared_by_systems() - {kind.name for kind in known} - {"plans"}
    assert {"plan_status", "planned", "plan.done"} <= names
    wrong = [
        f"{file.relative_to(ROOT)}:{node.lineno}: {node.value}"
        for file in modules(ENGINE)
        if file.name != "companions.py"
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value in names
        and (file.name, node.value) not in EXCEPTED
    ]
    assert not wrong


def test_the_core_imports_no_system_skill_or_environment() -> None:
    above = re.compile(r"treec_\w+|(treec\.)?(systems|skills|envs)\b")
    wrong = [
        f"{item.path}:{item.line} imports {item.target}"
        for file in modules(ENGINE)
        for item in imports(file)
        if above.match(item.target)
    ]
    assert not wrong


def test_the_core_registers_only_its_own() -> None:
    targets = (*CORE.targets(), *CORE.rules, *CORE.pages)
    assert [t for t in targets if re.match(r"treec_|treec\.envs\b", t)] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"] == {
        "pytest11": {"treec": "treec.pytest_plugin"},
        "treec.packs": {"treec": "treec"},
    }
