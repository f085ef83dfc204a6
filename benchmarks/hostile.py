"""Hostile and huge files: each is written into a small, correct library."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

Files = dict[str, str]
"""Texts by their paths in the library."""


def pipe(folder: Path) -> None:
    """A pipe with the name of a library file: whoever reads it waits for ever."""
    os.mkfifo(folder / "pipe.task.yaml")
    os.mkfifo(folder / "pipe.yaml")


def misspelt_after(count: int) -> Files:
    """A recipe whose subtasks all wait for one that does not exist."""
    lines = (
        f"  subtask number {n}: {{do: get kettle, after: [subtask nmuber {n}]}}\n"
        for n in range(count)
    )
    return {"recipes/huge.recipe.yaml": "recipe: Huge\nsubtasks:\n" + "".join(lines)}


def misspelt_options(count: int) -> Files:
    """A decision whose options all lead nowhere."""
    lines = "".join(f"  Confrim_{n}: x\n" for n in range(count))
    return {
        "prompts/demo/huge.decision.yaml": f"decision: Huge\nabout: x\nsees: []\noptions:\n{lines}",
        "prompts/demo/many.action.yaml": "---\n".join(
            f"action: Confirm_{n}\nabout: x\nsees: []\nmay: [say]\n" for n in range(count)
        ),
    }


def misspelt_names(count: int) -> Files:
    """An action whose rules all read names that do not exist, among as many that do."""
    known = "".join(f"  value_{n}: {{type: text, default: ''}}\n" for n in range(count))
    rules = "".join(f"  - {{when: vaule_{n}, do: [{{say: hello}}]}}\n" for n in range(count))
    sees = ", ".join(f"value_{n}" for n in range(count))
    return {
        "room/huge.domain.yaml": f"domain: huge\nstate:\n{known}",
        "prompts/demo/huge.action.yaml": "action: Huge\nabout: x\n"
        f"sees: [{sees}]\nmay: [say]\noffline:\n{rules}",
    }


def large_scene(count: int) -> Files:
    """A scene of as many things side by side, each with a body."""
    side = int(count**0.5) + 1
    return _scene(
        f"  thing {n}: {{{_PACKET}, pose: [{n % side * 0.3:.1f}, {n // side * 0.3:.1f}, 0.0]}}\n"
        for n in range(count)
    )


def misspelt_places(count: int) -> Files:
    """A scene of things whose places do not exist, but nearly."""
    things = "".join(f"  thing {n}: {{type: Item, at: thnig {n}}}\n" for n in range(count))
    return {"room/huge.scene.yaml": f"scene: huge\ndomain: tea_room\nobjects:\n{things}"}


def stacked_scene(count: int) -> Files:
    """A scene of as many things in one place."""
    return _scene(f"  thing {n}: {{{_PACKET}, pose: [0.0, 0.0, 0.0]}}\n" for n in range(count))


def floating_scene(count: int) -> Files:
    """A scene of as many things in the air."""
    return _scene(f"  thing {n}: {{{_PACKET}, pose: [{n}.0, 0.0, 1.0]}}\n" for n in range(count))


_PACKET = "type: Item, body: {kind: packet}"


def _scene(things: Iterable[str]) -> Files:
    head = "scene: huge\ndomain: tea_room\nbodies: treec_sapien.bodies\nobjects:\n"
    return {"room/huge.scene.yaml": head + "".join(things)}


def doubled_trees(levels: int) -> Files:
    """Trees of which each uses the next one twice; the system's root is the first."""
    trees = [
        f"tree: level_{n}\nabout: x\nroot:\n  - tree: level_{n + 1}\n  - tree: level_{n + 1}\n"
        for n in range(levels)
    ]
    trees.append(f"tree: level_{levels}\nabout: x\nroot: [check: true]\n")
    return {"trees/huge.tree.yaml": "---\n".join(trees), **_rooted("level_0")}


def nested_loops(levels: int, items: int) -> Files:
    """A tree with a `for` in a `for`; the system's root is that tree."""
    values = ", ".join(map(str, range(items)))
    lines = ["tree: level_0", "about: x", "root:"]
    indent = "  "
    for level in range(levels):
        lines += [f"{indent}- for: x{level} in [{values}]", f"{indent}  sequence:"]
        indent += "    "
    text = "\n".join([*lines, f"{indent}- check: true", ""])
    return {"trees/huge.tree.yaml": text, **_rooted("level_0")}


def doubled_decisions(levels: int) -> Files:
    """Decisions of which each has two options that lead to the next ones."""
    decision = "decision: {name}\nabout: x\nsees: []\noptions: {{{a}: x, {b}: x}}\nfallback: {a}\n"
    nodes = []
    for n in range(levels):
        last = n == levels - 1
        a, b = ("Confirm", "Modify") if last else (f"A{n + 1}", f"B{n + 1}")
        nodes += [decision.format(name=f"{letter}{n}", a=a, b=b) for letter in ("AB" if n else "A")]
    tree = "tree: level_0\nabout: x\nroot: [ask: A0]\n"
    return {
        "prompts/demo/huge.decision.yaml": "---\n".join(nodes),
        "trees/huge.tree.yaml": tree,
        **_rooted("level_0"),
    }


def _rooted(tree: str) -> Files:
    uses = "[trees, prompts/demo, recipes, tasks, skills, contracts, scenarios, room]"
    return {
        "trees/huge.system.yaml": f"system: huge\nabout: x\nuses: {uses}\nroot: {tree}\n"
        "domain: tea_room\nscene: room\nruns_on: {default: symbolic}\n"
    }


def write(files: Files, folder: Path) -> None:
    """Write files into a library."""
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
