"""TEACh's own files: a game, or an EDH or TfD instance of one, as an episode.

A game (``games/SPLIT/GAME.game.json``) has the states before and after, with every object's
properties in AI2-THOR, and what the two people said and did. An EDH instance
(``edh_instances/SPLIT/GAME.edh0.json``) begins where ``init_state_diff`` has come to and is judged
by its ``state_changes``; a TfD instance (``tfd_instances/SPLIT/GAME.tfd.json``) is the whole game,
from its dialogue. Both name their game, which is read from beside them. What the driver did to
objects becomes the program; its steps and turns are what the paths are weighted by.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from experiments.helper.episodes import Change, Episode, EpisodeError
from experiments.helper.goals import Component, TaskGoal

DRIVER = 1
SPOKEN = range(100, 103)
ACTED = {
    200: "pickup",
    201: "place",
    202: "open",
    203: "close",
    204: "toggle_on",
    205: "toggle_off",
    206: "slice",
    208: "clean",
    210: "empty",
    211: "pour",
}
"""What an action on an object is called here, by its id in TEACh's definitions."""
_ON_HELD = {201: "place", 211: "pour"}
_OTHER = {207: "Dirty", 209: "Fill", 212: "Break"}
_STATES = {
    "open": "isOpen",
    "toggled": "isToggled",
    "dirty": "isDirty",
    "cooked": "isCooked",
    "filled": "isFilledWithLiquid",
}
_INSTEAD = {
    "simbotPickedUp": ("isPickedUp",),
    "simbotIsCooked": ("isCooked",),
    "simbotIsFilledWithWater": ("isFilledWithLiquid",),
    "simbotIsFilledWithCoffee": ("isFilledWithLiquid",),
    "simbotIsBoiled": ("isCooked", "simbotIsCooked"),
}
"""Properties that are judged, and those that they are judged instead of, as in TEACh."""
_JUDGED = frozenset(
    {
        "objectType",
        "simbotLastParentReceptacle",
        "isToggled",
        "isOpen",
        "isDirty",
        "isFilledWithLiquid",
        "isCooked",
        "simbotIsCooked",
        "simbotIsBoiled",
        "simbotIsFilledWithWater",
        "simbotIsFilledWithCoffee",
    }
)
_NOT_HERE = frozenset({"isBroken", "isUsedUp", "isPickedUp", "simbotPickedUp"})
"""TEACh judges these, too; nothing breaks or is used up here, nor is it kept what was in a hand."""


def read_teach(path: Path) -> Episode:
    """The episode of a game, or of an EDH or TfD instance. Raises EpisodeError, OSError."""
    data = _object(path)
    if "tasks" in data:
        return _of_game(path, data)
    if "game_id" not in data:
        raise EpisodeError(f"{path.name}: neither a game ('tasks') nor an instance ('game_id')")
    game_id = _need(data, "game_id", str, path.name)
    game = path.parent.parent.parent / "games" / path.parent.name / f"{game_id}.game.json"
    if not game.is_file():
        raise EpisodeError(f"{path.name}: its game is missing: {game}")
    whole = _of_game(game, _object(game))
    if "driver_actions_future" not in data:
        raise EpisodeError(
            f"{path.name}: 'driver_actions_future' is missing; TEACh keeps it back in a test split"
        )
    future = _need(data, "driver_actions_future", list, path.name)
    said = data.get("dialog_history_cleaned") or _need(data, "dialog_history", list, path.name)
    if "state_changes" not in data and "init_state_diff" not in data:
        name = path.name.removesuffix(".json")
        return replace(whole, id=name, dialogue=_dialogue(said, path.name), length=len(future))
    return _of_session(path, data, _object(game), _dialogue(said, path.name), len(future))


def _of_game(path: Path, data: Mapping[str, Any]) -> Episode:
    where = path.name
    task, episode = _task_of(data, where)
    scene = _Objects(_state(episode, "initial_state", where), where)
    acts = _need(episode, "interactions", list, where)
    program, told = _program(acts, scene, where)
    final = episode.get("final_state")
    params = tuple(map(str, _need(task, "task_params", list, where)))
    name = _need(task, "task_name", str, where)
    return Episode(
        id=where.removesuffix(".json").removesuffix(".game"),
        task_type="_".join((name, *params)).replace(" ", "_"),
        dialogue=_spoken(acts),
        scene=scene.specs,
        program=program,
        changes=tuple(scene.changes(final)) if isinstance(final, dict) else (),
        task=(name, params),
        length=sum(_moves(one) for one in acts),
        held=scene.held,
        told=(*scene.told, *told),
    )


def _of_session(
    path: Path, data: Mapping[str, Any], game: Mapping[str, Any], dialogue: str, length: int
) -> Episode:
    where = path.name
    _, episode = _task_of(game, where)
    before = _state(episode, "initial_state", where)
    diff = _need(data, "init_state_diff", dict, where)
    scene = _Objects(before, where, _need(diff, "objects", dict, f"{where}: init_state_diff"))
    acts = _need(data, "interactions", list, where)
    start = _need(data, "pred_start_idx", int, where)
    if not 0 <= start <= len(acts):
        raise EpisodeError(f"{where}: 'pred_start_idx' is {start}, of {len(acts)} interactions")
    program, told = _program(acts[start:], scene, where)
    changes = _need(data, "state_changes", dict, where)
    changed = _need(changes, "objects", dict, f"{where}: state_changes")
    goal, left = goal_of_changes(changed, where)
    return Episode(
        id=str(data.get("instance_id", where.removesuffix(".json"))),
        task_type="EDH",
        dialogue=dialogue,
        scene=scene.specs,
        program=program,
        changes=(),
        goal=goal,
        length=length,
        held=scene.held,
        told=(*scene.told, *told, *left),
    )


def goal_of_changes(
    changed: Mapping[str, Mapping[str, Any]], where: str = "EDH"
) -> tuple[TaskGoal, list[str]]:
    """The goal that TEACh makes of state changes, and what of it cannot be judged here, in words.

    So many things of a class have a property: which of them does not matter.
    """
    counts: dict[tuple[str, str, object], int] = {}
    left = []
    for oid, props in changed.items():
        if not isinstance(props, dict):
            raise EpisodeError(f"{where}: state_changes: '{oid}' has no JSON object")
        instead = {name for prop in props for name in _INSTEAD.get(prop, ())}
        for prop, value in props.items():
            if prop in _NOT_HERE - instead:
                left.append(f"{where}: not judged: {prop} of {oid}")
            if prop not in _JUDGED - instead:
                continue
            if prop == "simbotLastParentReceptacle" and value is not None:
                value = class_of(str(value))
            key = class_of(oid), prop, value
            counts[key] = counts.get(key, 0) + 1
    components = tuple(
        Component(
            f"{kind} {prop} {value}",
            number,
            {"objectType": kind, prop: value},
            {prop: f"{prop} needs to be {value} for {kind}"},
        )
        for (kind, prop, value), number in counts.items()
    )
    if not components:
        raise EpisodeError(f"{where}: no change in 'state_changes' can be judged here")
    return TaskGoal("EDH", components, ()), left


def class_of(oid: str) -> str:
    """The class of an object by its id: ``Bread|+00.1|+00.9|-01.0|BreadSliced_2``."""
    parts = oid.split("|")
    return parts[0] if len(parts) <= 4 else parts[-1].split("_")[0]


def _base(oid: str) -> str:
    return "|".join(oid.split("|")[:4])


@dataclass
class _Objects:
    """The objects of a state, named as in an episode's scene; ``diff`` is applied to them."""

    state: Mapping[str, Any]
    where: str
    diff: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    """Their names in the scene, by id."""
    specs: dict[str, dict[str, Any]] = field(default_factory=dict)
    held: str | None = None
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        objects = _by_id(self.state, self.where)
        for oid, changed in self.diff.items():
            if oid not in objects and _base(oid) not in objects:
                raise EpisodeError(f"{self.where}: init_state_diff: unknown object '{oid}'")
            objects[oid] = {**objects.get(oid, objects.get(_base(oid), {})), **changed}
            objects[oid]["objectId"] = oid
        pieces = {_base(oid) for oid in self.diff if len(oid.split("|")) > 4}
        for oid in pieces - {oid for oid in pieces if self._stays(oid)}:
            objects.pop(oid, None)
        for number, oid in enumerate(objects):
            self.names[oid] = f"{class_of(oid)}_{number}"
        for oid, own in objects.items():
            self.specs[self.names[oid]] = self._spec(own)
            if own.get("isPickedUp"):
                self.held = self.names[oid]

    def _stays(self, oid: str) -> bool:
        """Whether what has parts of other classes is no cut thing: a sink has a basin."""
        return not any(
            _base(other) == oid and class_of(other).endswith(("Sliced", "Cracked"))
            for other in self.diff
        )

    def _spec(self, own: Mapping[str, Any]) -> dict[str, Any]:
        oid = str(own["objectId"])
        spec: dict[str, Any] = {"label": class_of(oid)}
        for attribute, prop in _STATES.items():
            if prop in own:
                spec[attribute] = bool(own[prop])
        spec["cooked"] = bool(own.get("isCooked") or own.get("simbotIsCooked"))
        if own.get("isSliced"):
            spec["sliced"] = True
        for liquid in ("Coffee", "Water"):
            if own.get(f"simbotIsFilledWith{liquid}"):
                spec |= {"filled": True, "fillLiquid": liquid.lower()}
        if spec.get("filled"):
            spec.setdefault("fillLiquid", str(own.get("fillLiquid") or "water"))
        last = own.get("simbotLastParentReceptacle")
        parents = own.get("parentReceptacles") or ([last] if last else [])
        if not isinstance(parents, list):
            raise EpisodeError(f"{self.where}: 'parentReceptacles' of '{oid}' is not a list")
        spec["supported_by"] = [name for one in parents for name in self._support(str(one))]
        return spec

    def _support(self, oid: str) -> Iterator[str]:
        """A support's name, its basin's if it has one."""
        basin = next((n for o, n in self.names.items() if o.startswith(f"{oid}|")), None)
        name = basin if basin and "Basin" in basin else self.names.get(oid)
        if name is not None:
            yield name
        elif not oid.startswith("Floor"):
            self.told.append(f"{self.where}: unknown support '{oid}'")

    def name(self, oid: str) -> str | None:
        """The name of an object, of a sink's basin for the sink."""
        return next(self._support(oid), None) if oid in self.names else None

    def changes(self, final: Mapping[str, Any]) -> Iterator[Change]:
        """The recorded changes of states of things that are there before and after."""
        after = _by_id(final, self.where)
        for oid, name in self.names.items():
            if oid not in after:
                continue
            old, new = self.specs[name], self._spec(after[oid])
            for attribute in _STATES:
                if old.get(attribute) != new.get(attribute):
                    yield Change(name, old["label"], attribute, old.get(attribute), new[attribute])


def _program(
    acts: Sequence[Mapping[str, Any]], scene: _Objects, where: str
) -> tuple[str, list[str]]:
    """What the driver did to objects, as a program; and what could not be taken over, in words."""
    lines: list[str] = []
    told: list[str] = []
    variables: dict[str, str] = {}
    held = (
        None if scene.held is None else next(o for o, n in scene.names.items() if n == scene.held)
    )

    def variable(oid: str) -> str | None:
        if oid in variables:
            return variables[oid]
        name, base = scene.name(oid), _base(oid)
        if name is not None:
            made = f'"{scene.specs[name]["label"]}", object_instance="{name}"'
        elif base != oid and (parent := variable(base)) is not None:
            made = f'"{class_of(oid)}", parent_object={parent}'
        else:
            return None
        variables[oid] = f"thing_{len(variables)}"
        lines.append(f"{variables[oid]} = InteractionObject({made})")
        return variables[oid]

    for number, one in enumerate(acts):
        if not isinstance(one, dict) or not isinstance(one.get("action_id"), int):
            raise EpisodeError(f"{where}: interaction {number} has no 'action_id'")
        action = one["action_id"]
        if one.get("agent_id") != DRIVER or not 200 <= action < 300 or not one.get("success", 1):
            continue
        oid = one.get("oid")
        skill = ACTED.get(action)
        own = variable(oid) if isinstance(oid, str) else None
        if skill is None:
            told.append(f"{where}: interaction {number}: '{_OTHER.get(action, action)}' left out")
        elif own is None:
            said = f"unknown object '{oid}'" if oid else "it has no 'oid'"
            told.append(f"{where}: interaction {number}: '{skill}' left out: {said}")
            held = None if action in (200, 201) else held
        elif action not in _ON_HELD:
            lines += [f"{own}.go_to()", f"{own}.{skill}()"]
            held = str(oid) if action == 200 else held
        elif held is None or (item := variable(held)) is None:
            told.append(f"{where}: interaction {number}: '{skill}' left out: the hand is empty")
        else:
            lines += [f"{own}.go_to()", f"{item}.{skill}({own})"]
            held = None if action == 201 else held
    if not lines:
        raise EpisodeError(f"{where}: the driver does nothing to any object that is known")
    return "\n".join(lines) + "\n", told


def _moves(one: Mapping[str, Any]) -> bool:
    """Whether an interaction is an action of the driver in its world."""
    action = one.get("action_id", -1)
    return one.get("agent_id") == DRIVER and (0 < action < 100 or 200 <= action < 300)


def _spoken(acts: Sequence[Mapping[str, Any]]) -> str:
    said = [one for one in acts if one.get("action_id") in SPOKEN and one.get("utterance")]
    who = ("Commander", "Driver")
    return " ".join(f"<{who[one.get('agent_id') == DRIVER]}> {one['utterance']}" for one in said)


def _dialogue(said: Sequence[Any], where: str) -> str:
    """A dialogue history, pairs of speaker and words, in one line."""
    for one in said:
        if not isinstance(one, list) or len(one) != 2:
            raise EpisodeError(f"{where}: a turn of the dialogue is a speaker and words")
    return " ".join(f"<{speaker}> {words}" for speaker, words in said)


def _task_of(data: Mapping[str, Any], where: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    tasks = _need(data, "tasks", list, where)
    task = tasks[0] if tasks and isinstance(tasks[0], dict) else None
    if task is None:
        raise EpisodeError(f"{where}: 'tasks' is empty")
    episodes = _need(task, "episodes", list, f"{where}: tasks[0]")
    if not episodes or not isinstance(episodes[0], dict):
        raise EpisodeError(f"{where}: 'tasks[0].episodes' is empty")
    return task, episodes[0]


def _state(episode: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = _need(episode, key, dict, f"{where}: tasks[0].episodes[0]")
    return found


def _by_id(state: Mapping[str, Any], where: str) -> dict[str, dict[str, Any]]:
    """A state's objects by id, each with the properties that TEACh adds to AI2-THOR's."""
    custom = state.get("custom_object_metadata") or {}
    found: dict[str, dict[str, Any]] = {}
    for one in _need(state, "objects", list, where):
        if not isinstance(one, dict) or not isinstance(one.get("objectId"), str):
            raise EpisodeError(f"{where}: an object of the state has no 'objectId'")
        found[one["objectId"]] = {**one, **(custom.get(one["objectId"]) or {})}
    return found


def _object(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise EpisodeError(f"{path.name}: this is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise EpisodeError(f"{path.name}: a game or an instance is a JSON object")
    return data


_NAMES = {str: "text", dict: "object", list: "list", int: "whole number"}


def _need(data: Mapping[str, Any], key: str, kind: type, where: str) -> Any:
    value = data.get(key)
    if not isinstance(value, kind):
        raise EpisodeError(f"{where}: '{key}' is missing or no {_NAMES[kind]}")
    return value
