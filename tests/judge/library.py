"""A small kitchen with judges, and a run of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tests.support.bench import Bench
from tests.support.files import KITCHEN

DOMAIN = KITCHEN["pack/kitchen.domain.yaml"].replace(
    "state:\n",
    """\
  gap: {args: [Robot], value: number}
  unsafe: {args: [Robot], value: number}
  clean: {args: [Item]}
  sort_of: {args: [Item], value: text, values: [plate, mug]}
  stained: {args: [Item], value: number}
  looks: {args: [Item], value: text}
  belongs: {args: [Item], value: Place}
  weight: {args: [Item], value: number}
state:
""",
)

UNSAFE = """\
judge: Unsafe
about: Whether a robot is too near.
for: {robot: Robot}
sees: {gap: gap(robot)}
sets:
  unsafe: {yes: It is within half a metre., no: It is not.}
offline:
  - {when: gap != none and gap < 0.5, answer: {unsafe: true}}
  - {when: gap != none, answer: {unsafe: false}}
observation: "{{ robot }} is {{ gap }} m away."
"""

DISH = """\
judge: Dish
about: What it is.
for: {item: Item}
when: looks(item) != none
sees: {looks: looks(item)}
sets:
  clean: {yes: Nothing sticks to it., threshold: {yes: 0.8, no: 0.2}}
  sort_of: {about: What kind of dish it is.}
  stained: {scale: {spotless: null, stained: A stain or two., filthy: null}}
observation: "{{ item }}: {{ looks }}"
"""

GAPS = {"R1": 0.2, "R2": 3.0}


def judged_by(
    folder: Path,
    judge: str,
    *sent: object,
    node: str = "{judge: %, keep_running_until_failure: true}",
    more: str = "",
    **files: str,
) -> Bench:
    """A run whose root judges, on the virtual clock, without a first tick."""
    name = judge.split("\n", 1)[0].removeprefix("judge: ")
    written = {
        "pack/kitchen.domain.yaml": DOMAIN,
        f"pack/{name}.judge.yaml": judge + more,
        "pack/main.tree.yaml": f"tree: main\nroot:\n  {node.replace('%', name)}\n",
        **files,
    }
    answers: Sequence[object] = sent
    return Bench(folder, written, answers={name: answers} if sent else None)  # type: ignore[dict-item]


def see(b: Bench, fact: str, **values: object) -> None:
    """Something is sensed of each thing."""
    for thing, value in values.items():
        about = thing.replace("_", " ")
        b.emit("fact.set", fact=fact, args=[about], value=value, source="sensed")


def answer(**values: object) -> dict[str, object]:
    """A chat model's answer."""
    return {"reasoning": "So it looks.", **values}


def typed(**values: object) -> str:
    """A decision model's answers."""
    return json.dumps(values)
