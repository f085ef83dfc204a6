"""Commands that are given a tree with a mistake: what the check says of it, and status 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec

TREE = "trees/charge_when_low.tree.yaml"
MISTAKES = {
    "node": ("- skill: drive", "- skil: drive", f"{TREE}:6:5: error TC301"),
    "bracket": ("- skill: drive", "- skill: [drive", f"{TREE}:6:12: error TC003"),
    "argument": ("place: dock}", "plcae: dock}", f"{TREE}:7:27: error TC303"),
    "key": ("about:", "abuot:", f"{TREE}:2:1: error TC101"),
    "expression": ("= battery(agent)", "= batery(agent)", f"{TREE}:5:27: error TC204"),
    "type": ("in Robot", "in Robt", f"{TREE}:3:19: error TC208"),
    "tab": ("  - skill: drive", "\t- skill: drive", f"{TREE}:6:1: error TC003"),
    "twice": ("about:", "tree: again\nabout:", f"{TREE}:2:1: error TC004"),
    "empty": (None, "", f"{TREE}:1:1: error TC104"),
}
COMMANDS = [
    ("render", "charge_when_low"),
    ("render", "warehouse_main", "-o", "drawn.svg"),
    ("render", "warehouse"),
    ("render", TREE),
    ("export", "charge_when_low", "--to", "btcpp"),
    ("export", "warehouse_main", "--to", "py_trees"),
    ("export", "warehouse_main", "--to", "html"),
    ("export", TREE, "--to", "mermaid"),
    ("trace", TREE),
    ("run", "warehouse", "--fast"),
    ("run", "charge_when_low", "agent=Scout", "--fast"),
    ("run", TREE, "agent=Scout", "--fast"),
    ("skill", "try", "drive", "place=dock"),
]


def pairs(shift: int) -> list[tuple[tuple[str, ...], str]]:
    """Each command with one of the mistakes."""
    kinds = list(MISTAKES)
    return [(command, kinds[(n + shift) % len(kinds)]) for n, command in enumerate(COMMANDS)]


@pytest.mark.parametrize(
    ("command", "mistake"),
    [*pairs(0), *(pytest.param(*pair, marks=pytest.mark.thorough) for pair in pairs(4))],
    ids=lambda one: one if isinstance(one, str) else "-".join(one[:2]),
)
def test_a_tree_with_a_mistake(
    treec: Treec,
    library: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    mistake: str,
) -> None:
    old, new, told = MISTAKES[mistake]
    text = (library / TREE).read_text("utf-8")
    (library / TREE).write_text(new if old is None else text.replace(old, new, 1), "utf-8")
    monkeypatch.chdir(library)
    result = treec(*command)
    assert result.status == 1
    assert told in result.out + result.err
    assert (result.out + result.err).count(": error TC") == 1
    assert not (library / "drawn.svg").exists()


def test_a_mistake_elsewhere_does_not_keep_a_tree_from_being_drawn(
    treec: Treec, library: Path
) -> None:
    text = (library / TREE).read_text("utf-8")
    (library / TREE).write_text(text.replace("- skill: drive", "- skil: drive"), "utf-8")
    assert treec("render", "dispatcher", "-L", library).status == 0
    assert treec("export", "dispatcher", "--to", "btcpp", "-L", library).status == 0


def test_a_misspelt_node_of_a_tree_alone_is_told(treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "alone.tree.yaml"
    file.write_text("tree: alone\nroot:\n  - logg: hello\n", "utf-8")
    for command in (("render", file), ("export", file, "--to", "btcpp"), ("trace", file)):
        result = treec(*command)
        assert result.status == 1
        assert "alone.tree.yaml:3:5: error TC301: unknown node type 'logg'" in result.err


def test_a_system_that_cannot_be_read_is_what_is_told_of_its_trees(
    treec: Treec, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = library / "trees/warehouse.system.yaml"
    system.write_text(system.read_text("utf-8").replace("\nroot:", "\nrot:"), "utf-8")
    monkeypatch.chdir(library)
    for name in ("warehouse", "charge_when_low", TREE):
        result = treec("run", name, "agent=Scout" if name != "warehouse" else "--fast")
        assert result.status == 1
        assert (result.out + result.err).count(": error TC") == 1
        assert "trees/warehouse.system.yaml:4:1: error TC101: unknown key 'rot'" in result.out
