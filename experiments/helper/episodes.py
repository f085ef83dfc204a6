"""Household episodes: a dialogue, a scene, a program, and the changes that were recorded.

One JSON object a line, as ICAL publishes TEACh's episodes. A scene there names each object's
class, its states and the classes of what it is on or in, but neither positions nor which counter of
several: the first with room is taken, in the order of the scene.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treec.files.types import TypeTree
from treec.files.view import View
from treec.source.errors import suggest

if TYPE_CHECKING:
    from experiments.helper.goals import TaskGoal

ALIASES = {"Sink": "SinkBasin", "Bathtub": "BathtubBasin"}
"""Classes of supports in the data, and the class that stands in the scene instead."""
STATES = {
    "open": "opened",
    "toggled": "running",
    "dirty": "dirty",
    "sliced": "sliced",
    "cooked": "cooked",
}
"""Attributes of the data, and the facts that they are here."""
FLOOR = "Floor"
MAX_OBJECTS = 2_000
MAX_LINE = 10_000_000


class EpisodeError(ValueError):
    """An episode that cannot be read; the message says in which line, and why."""


@dataclass(frozen=True)
class Change:
    """A recorded change of an attribute of an object; ``thing`` is its name in the scene."""

    thing: str
    label: str
    attribute: str
    before: object
    after: object


@dataclass(frozen=True)
class Episode:
    """One episode; ``scene`` is as in the file."""

    id: str
    task_type: str
    dialogue: str
    scene: Mapping[str, Mapping[str, Any]]
    program: str
    changes: tuple[Change, ...]
    line: int = 0
    task: tuple[str, tuple[str, ...]] | None = None
    """The name of its task's definition, and the parameters, where its file says them."""
    goal: TaskGoal | None = None
    """What it is judged by, where its file says that."""
    length: int | None = None
    """The recorded path's primitive actions, where its file has them."""
    held: str | None = None
    """What is in the hand at the start."""
    told: tuple[str, ...] = ()
    """What could not be taken over from its file, in words."""


def read_episodes(
    path: Path, tell: Callable[[EpisodeError], object] | None = None
) -> list[Episode]:
    """All episodes of a file, or of TEACh's own files (`experiments.helper.teach_files`).

    What cannot be read is given to ``tell``, and left out; without it, it is raised. Raises
    EpisodeError, also if there is no episode at all, and OSError.
    """
    found = []
    for read in _each(path):
        try:
            found.append(read())
        except EpisodeError as error:
            if tell is None:
                raise
            tell(error)
    if not found:
        raise EpisodeError(f"{path} has no episodes")
    return found


def _each(path: Path) -> Iterator[Callable[[], Episode]]:
    """What reads each episode of a file or folder."""
    if path.is_dir() or path.suffix == ".json":
        from experiments.helper.teach_files import read_teach

        for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
            yield partial(read_teach, file)
        return
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield partial(_read_line, line, number, path)


def _read_line(line: bytes, number: int, path: Path) -> Episode:
    return parse_episode(_decoded(line, number, path), number, path.name)


def _decoded(line: bytes, number: int, path: Path) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise EpisodeError(f"{path.name}:{number}: this is not UTF-8: {error.reason}") from None


def parse_episode(line: str, number: int = 1, name: str = "episode") -> Episode:
    """One episode from its line. Raises EpisodeError."""
    where = f"{name}:{number}"
    if len(line) > MAX_LINE:
        raise EpisodeError(f"{where}: an episode may have {MAX_LINE:,} characters")
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise EpisodeError(f"{where}: this is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise EpisodeError(f"{where}: an episode is a JSON object")
    for key, kind in (("task_type", str), ("dialogue", str), ("program", str), ("scene", dict)):
        if not isinstance(data.get(key), kind):
            raise EpisodeError(f"{where}: '{key}' is missing or no {_NAMES[kind]}")
    scene = data["scene"]
    if len(scene) > MAX_OBJECTS:
        raise EpisodeError(f"{where}: a scene may have {MAX_OBJECTS:,} objects")
    for thing, spec in scene.items():
        if not isinstance(spec, dict) or not isinstance(spec.get("label"), str):
            raise EpisodeError(f"{where}: the object '{thing}' has no 'label'")
        if not isinstance(spec.get("supported_by") or [], list):
            raise EpisodeError(f"{where}: 'supported_by' of '{thing}' is not a list")
    return Episode(
        id=str(data.get("tag", data.get("id", number))),
        task_type=data["task_type"],
        dialogue=data["dialogue"],
        scene=scene,
        program=data["program"],
        changes=tuple(_changes(data.get("changes") or (), where)),
        line=number,
    )


_NAMES = {str: "text", dict: "object"}


def _changes(given: object, where: str) -> Iterator[Change]:
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise EpisodeError(f"{where}: 'changes' is not a list")
    for one in given:
        if not isinstance(one, dict) or not {"id", "label", "attribute"} <= one.keys():
            raise EpisodeError(f"{where}: a change has 'id', 'label' and 'attribute'")
        label = str(one["label"])
        thing = f"{label}_{one['id']}"
        yield Change(thing, label, str(one["attribute"]), one.get("before"), one.get("after"))


def scene_before(episode: Episode) -> dict[str, dict[str, Any]]:
    """The scene as it was before the program, by its recorded changes.

    Many scenes in the data are of a later moment: what the program cuts is cut, its pieces lie
    there, and the knife is in the hand. So each recorded change is taken back, the pieces of what
    is recorded as cut are left out, and the hand is empty.
    """
    found = {thing: dict(spec) for thing, spec in episode.scene.items()}
    cut = {f"{change.label}Sliced" for change in episode.changes if change.attribute == "sliced"}
    for thing in [thing for thing, spec in found.items() if spec["label"] in cut]:
        del found[thing]
    for spec in found.values():
        spec.pop("holding", None)
    for change in episode.changes:
        own = found.get(change.thing)
        if own is None:
            continue
        supports = own.get("supported_by")
        if not change.attribute.isdigit():
            own[change.attribute] = change.before
        elif isinstance(supports, list) and int(change.attribute) < len(supports):
            place = int(change.attribute)
            own["supported_by"] = [*supports[:place], change.before, *supports[place + 1 :]]
    return found


def unknown_objects(episode: Episode, types: TypeTree) -> dict[str, str]:
    """The objects of classes that the domain does not have, and what is to be said of each."""
    found = {}
    for thing, spec in episode.scene.items():
        label = str(spec["label"])
        if not types.has(label) or not types.is_a(label, "Thing"):
            near = suggest(label, types.names)
            help = f"; {near}" if near else ""
            found[thing] = f"episode {episode.id}: '{thing}' is of an unknown class '{label}'{help}"
    return found


def scene_of(episode: Episode, view: View, name: str) -> dict[str, object]:
    """The episode's scene as the data of a scene file. Raises EpisodeError.

    ``view`` has the domain: objects of classes that it does not have are left out, and what is on
    or in them lies on the floor.
    """
    types = view.types
    rooms = {kind: view.type_facts(kind).get("room") for kind in types.names}
    receptacles = {kind: float(room) for kind, room in rooms.items() if isinstance(room, int)}
    where = f"episode {episode.id}"
    unknown = unknown_objects(episode, types)
    before = {thing: spec for thing, spec in scene_before(episode).items() if thing not in unknown}
    labels = {thing: str(spec["label"]) for thing, spec in before.items()}
    objects: dict[str, dict[str, object]] = {FLOOR: {"type": FLOOR}}
    supports = _Supports(before, view.types, receptacles)
    for thing, spec in before.items():
        found: dict[str, object] = {"type": labels[thing]}
        for attribute, fact in STATES.items():
            if spec.get(attribute) is True:
                found[fact] = True
        if spec.get("filled") is True:
            found["filled"] = str(spec.get("fillLiquid") or "water")
        if types.is_a(labels[thing], "Item"):
            found["at"] = supports.find(thing)
        objects[thing] = found
    for extra, label in supports.added.items():
        objects[extra] = {"type": label}
    _refuse_loops(objects, where)
    return {"scene": name, "domain": "household", "objects": objects}


class _Supports:
    """Finds what each thing stands on or in: by class in the data, by name in the scene."""

    def __init__(
        self, before: Mapping[str, Mapping[str, Any]], types: TypeTree, room: Mapping[str, float]
    ) -> None:
        self.before = before
        self.labels = {thing: str(spec["label"]) for thing, spec in before.items()}
        self.types = types
        self.room = room
        """How many things find room on or in one of a class."""
        self.added: dict[str, str] = {}
        self._at: dict[str, str] = {}

    def find(self, thing: str) -> str:
        """The name of what a thing stands on or in: what can be moved before what cannot."""
        given = _labels(self.before[thing].get("supported_by"))
        of = [label for label in given if label != FLOOR]
        moved = [label for label in of if self.types.is_a(self._class(label), "Item")]
        for label in (*moved, *of):
            found = self._named(label, thing, given)
            if found is not None:
                self._at[thing] = found
                return found
        return FLOOR

    def _class(self, label: str) -> str:
        return self.labels.get(label, ALIASES.get(label, label))

    def _named(self, label: str, thing: str, given: Collection[str]) -> str | None:
        if label in self.labels:
            return label
        kind = self._class(label)
        if kind not in self.room:
            return None
        names = [n for n, own in self.labels.items() if own == kind and not self._is_in(n, thing)]
        if not names and not self.types.is_a(kind, "Item"):
            names = [f"{kind}_of_the_scene"]
            self.added[names[0]] = kind

        def shared(name: str) -> bool:  # a pan on the table, if the food is in a pan and on a table
            own = _labels(self.before[name].get("supported_by")) if name in self.before else ()
            return not {FLOOR, *own}.isdisjoint(given)

        taken = Counter(self._at.values())
        free = [name for name in names if taken[name] < self.room[kind]] or names
        return next(filter(shared, free), free[0] if free else None)

    def _is_in(self, thing: str, other: str) -> bool:
        """Whether a thing is, or is in, another."""
        while thing != other:
            if thing not in self._at:
                return False
            thing = self._at[thing]
        return True


def _labels(given: object) -> list[str]:
    return [str(label) for label in given] if isinstance(given, list) else []


def _refuse_loops(objects: Mapping[str, Mapping[str, object]], where: str) -> None:
    for thing in objects:
        way = [thing]
        while (at := objects.get(way[-1], {}).get("at")) is not None:
            if at in way:
                raise EpisodeError(f"{where}: '{thing}' is in itself: {' in '.join((*way, at))}")
            way.append(str(at))
