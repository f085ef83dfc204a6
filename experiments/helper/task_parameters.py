"""The parameters of a task that its name leaves out: what goes into a breakfast, for example.

TEACh draws them for each session; published episodes have only the task's name. So they are read
off the recorded changes (what was cut, filled or moved), and off the dialogue where these are not
enough (which dish a cut tomato is for).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from experiments.helper.episodes import Change, Episode
from experiments.helper.task_groups import classes_of

_SERVED_ON = {
    "dining table": "DiningTable",
    "coffee table": "CoffeeTable",
    "side table": "SideTable",
    "counter": "CounterTop",
    "island": "CounterTop",
    "table": "DiningTable",
}
"""What people call the places where a breakfast is served; the first that is said counts."""


def hidden_parameters(task: str, episode: Episode) -> list[str] | None:
    """The parameters of a task whose name has none; None for a task that is not known here."""
    make = _MAKE.get(task)
    return None if make is None else [str(one) for one in make(episode)]


def _cut(episode: Episode, kind: str) -> int:
    """1 if a thing of a class was cut: in how many pieces it is wanted is not recorded."""
    return int(any(c.attribute == "sliced" and c.label == kind for c in episode.changes))


def _salad(episode: Episode) -> Sequence[object]:
    return [_cut(episode, food) for food in ("Lettuce", "Tomato", "Potato")]


def _sandwich(episode: Episode) -> Sequence[object]:
    return [_cut(episode, food) for food in ("Lettuce", "Tomato")]


def _breakfast(episode: Episode) -> Sequence[object]:
    said = episode.dialogue.lower()
    coffees = _things(episode.changes, lambda c: c.after == "coffee")
    coffee = coffees or int("coffee" in said and "coffee table" not in said)
    dish = "Bowl" if "bowl" in said else "Plate"
    sandwich, salad = int("sandwich" in said), int("salad" in said)
    lettuce, tomato = _sandwich(episode)
    potato, apple = _cut(episode, "Potato"), _cut(episode, "Apple")
    # no dish of tomato or lettuce alone is defined: they belong to a salad or a sandwich
    if (lettuce or tomato) and not (sandwich or salad):
        sandwich, salad = int(bool(_cut(episode, "Bread"))), int(not _cut(episode, "Bread"))
    toast = _cut(episode, "Bread") and not sandwich
    in_salad = salad and potato
    return [
        coffee,
        int(toast),
        int(potato and not in_salad),
        dish,
        apple,
        dish,
        sandwich,
        lettuce if sandwich else 0,
        tomato if sandwich else 0,
        salad,
        lettuce if salad and not sandwich else 0,
        tomato if salad and not sandwich else 0,
        int(bool(in_salad)),
        _served_on(said),
    ]


def _served_on(said: str) -> str:
    """Where a dialogue has the dishes served; nothing if it does not say so."""
    served = re.search(
        r"\b(?:serve|put|place|set|bring)\b[^.?!]*\b(?:on|onto|to) (?:the |a )?", said
    )
    if served is None:
        return ""
    rest = re.split(r"[.?!<]", said[served.end() :])[0]
    found = {rest.find(word): kind for word, kind in _SERVED_ON.items() if word in rest}
    return found[min(found)] if found else ""


def _workspace(episode: Episode) -> Sequence[object]:
    moved = [c for c in episode.changes if c.attribute.isdigit() or c.attribute == "supported_by"]
    pens = _things(moved, lambda c: c.label in classes_of("WritingUtensils"))
    laptops = _things(episode.changes, lambda c: c.label == "Laptop")
    books = _things(episode.changes, lambda c: c.label == "Book")
    said = episode.dialogue.lower()
    return [
        pens or int("pen" in said),
        laptops or int("laptop" in said),
        books or int("book" in said),
    ]


def _things(changes: Sequence[Change], wanted: Callable[[Change], bool]) -> int:
    """How many things have a change that is wanted."""
    return len({change.thing for change in changes if wanted(change)})


_MAKE: Mapping[str, Callable[[Episode], Sequence[object]]] = {
    "Salad": _salad,
    "Sandwich": _sandwich,
    "Breakfast": _breakfast,
    "Workspace": _workspace,
}
