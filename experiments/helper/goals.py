"""TEACh's task definitions: which conditions a household task sets, and which of them hold.

A definition has components (things of a class with properties; or another task) and relations (one
component is on or in another). All conditions of the required number of things count, each by
itself, as TEACh counts goal conditions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from experiments.helper.episodes import ALIASES
from experiments.helper.task_groups import classes_of
from treec.source.diagnostics import unknown
from treec_household.state import HouseholdState


class GoalError(ValueError):
    """A task without a definition, or a definition that cannot be read."""


@dataclass(frozen=True)
class GoalCondition:
    """One goal condition: what it is about, whether it holds, and TEACh's words if it does not.

    ``subtask`` is the description of the (sub)task that sets it, ``kind`` the class of its thing.
    """

    about: str
    met: bool
    words: str
    subtask: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Component:
    """So many things (None: all) of a class with properties."""

    name: str
    number: int | None
    conditions: Mapping[str, object]
    words: Mapping[str, str]
    subtask: str = ""

    @property
    def kind(self) -> str:
        """The class or group of its things."""
        conditions = self.conditions
        return str(conditions.get("objectType", conditions.get("simbotObjectClass", "")))


@dataclass(frozen=True)
class Relation:
    """Things of components are on or in one of another; ``same``: all in the same one."""

    heads: tuple[str, ...]
    tail: str
    same: bool
    words: str
    subtask: str = ""


@dataclass(frozen=True)
class TaskGoal:
    """The components and relations of a task with its parameters."""

    task: str
    components: tuple[Component, ...]
    relations: tuple[Relation, ...]


class Definitions:
    """All task definitions of a folder, or none. Raises GoalError for one that cannot be read."""

    def __init__(self, folder: Path | None) -> None:
        self._by_name: dict[str, Mapping[str, Any]] = {}
        if folder is None:
            return
        for path in sorted(folder.glob("*.json")):
            try:
                data = json.loads(path.read_text("utf-8"))
                self._by_name[str(data["task_name"])] = data
            except (ValueError, KeyError, TypeError) as error:
                raise GoalError(f"{path}: this is not a task definition: {error}") from None
        if not self._by_name:
            raise GoalError(
                f"no task definitions in {folder}; TEACh's are in the folder "
                "src/teach/meta_data_files/task_definitions of its code"
            )

    def goal(
        self,
        task_type: str,
        hidden: Callable[[str], Sequence[str] | None] = lambda task: None,
    ) -> TaskGoal:
        """The goal of a task as an episode names it: Serve_2_slice(s)_of_Tomato_on_a_Plate.

        ``hidden`` gives the parameters of a task whose name leaves them out, by the name of its
        definition. Raises GoalError.
        """
        data, params = self._find(task_type)
        name = data["task_name"]
        if len(params) != int(data["task_nparams"]):
            params = list(hidden(name) or ())
        return self._goal(task_type, data, params)

    def named(self, name: str, params: Sequence[str]) -> TaskGoal:
        """The goal of a definition by its name, with parameters. Raises GoalError."""
        if name not in self._by_name:
            raise GoalError(unknown("task", name, self._by_name))
        return self._goal(name, self._by_name[name], list(params))

    def _goal(self, task_type: str, data: Mapping[str, Any], params: Sequence[str]) -> TaskGoal:
        name, wanted = data["task_name"], int(data["task_nparams"])
        if len(params) != wanted:
            raise GoalError(f"'{task_type}' does not say the {wanted} parameters of '{name}'")
        try:
            components, relations = self._expand(data, params, "", 0)
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise GoalError(f"the definition of '{name}' cannot be read: {error!r}") from None
        return TaskGoal(task_type, tuple(components), tuple(relations))

    def _find(self, task_type: str) -> tuple[Mapping[str, Any], list[str]]:
        """The definition whose description a task's name is, and the parameters in it."""
        for data in self._by_name.values():
            words = str(data.get("desc", "")).rstrip(".").replace(" ", "_")
            pattern, order = "", []
            for part in re.split(r"(#\d+)", words):
                pattern += r"([A-Za-z0-9]+?)" if part.startswith("#") else re.escape(part)
                order += [int(part[1:])] if part.startswith("#") else []
            match = re.fullmatch(pattern, task_type.rstrip("."))
            if match is not None:
                found = dict(zip(order, match.groups(), strict=True))
                if "#1" not in words and found.get(0) in _SWITCHED:
                    found[1] = _SWITCHED[found[0]]  # "Turn on all": the property's value, too
                number = int(data["task_nparams"])
                return data, [found.get(i, "") for i in range(number)] if found else []
        raise GoalError(f"no definition is of the task '{task_type}'")

    def _expand(
        self, data: Mapping[str, Any], params: Sequence[str], prefix: str, depth: int
    ) -> tuple[list[Component], list[Relation]]:
        if depth > 5:
            raise GoalError(f"the definition of '{data['task_name']}' contains itself")

        def fill(text: object) -> str:
            return _filled(text, params)

        components: list[Component] = []
        relations: list[Relation] = []
        anchors: dict[str, str] = {}
        subtask = fill(data.get("desc", data["task_name"]))
        for key, spec in data["components"].items():
            number = _number(fill(spec["determiner"]))
            name = f"{prefix}{fill(key)}"
            if number == 0:
                continue
            if "task_name" in spec:
                inner = self._by_name.get(spec["task_name"])
                if inner is None:
                    raise GoalError(unknown("task", str(spec["task_name"]), self._by_name))
                given = [fill(one) for one in spec["task_params"]]
                own, more = self._expand(inner, given, f"{name}/", depth + 1)
                anchor = _filled(inner["task_anchor_object"], given)
                anchors[fill(key)] = f"{name}/{anchor}"
                for one in own:
                    wanted = number if one.name == f"{name}/{anchor}" else one.number
                    components.append(replace(one, number=wanted))
                relations += more
                continue
            conditions = {k: _value(fill(v)) for k, v in spec["conditions"].items()}
            if "" in conditions.values():
                continue  # it is not said what it is: where a breakfast is served, for example
            words = {k: fill(v) for k, v in spec.get("condition_failure_descs", {}).items()}
            components.append(Component(name, number, conditions, words, subtask))
            anchors[fill(key)] = name
        for relation in data["relations"]:
            heads = tuple(
                anchors[h] for h in map(fill, relation["head_entity_list"]) if h in anchors
            )
            tail = anchors.get(fill(relation["tail_entity_list"][0]))
            if heads and tail is not None:
                same = relation["tail_determiner_list"][0] == "the"
                missing = fill(relation["failure_desc"])
                relations.append(Relation(heads, tail, same, missing, subtask))
        return components, relations


_SWITCHED = {"on": "1", "off": "0"}
"""How the name of a task says the value of a switch."""


def _filled(text: object, params: Sequence[str]) -> str:
    """A text of a definition with its parameters: #0 is the first."""
    return re.sub(r"#(\d+)", lambda m: params[int(m[1])], str(text))


def _number(determiner: str) -> int | None:
    if determiner == "all":
        return None
    return int(determiner) if determiner.isdigit() else 1


def _value(text: str) -> object:
    return int(text) if text.isdigit() else text


def check_goal(goal: TaskGoal, state: HouseholdState) -> list[GoalCondition]:
    """Every condition of a goal, and whether it holds, with the things that meet most of them."""
    tails = list(dict.fromkeys(relation.tail for relation in goal.relations))
    by_name = {component.name: component for component in goal.components}
    best: list[GoalCondition] = []
    for choice in _choices([_of_class(by_name[tail], state) for tail in tails]):
        chosen = dict(zip(tails, choice, strict=True))
        found = [c for one in goal.components for c in _judge(one, goal, chosen, state)]
        if not best or sum(c.met for c in found) > sum(c.met for c in best):
            best = found
    return best


def _choices(options: Sequence[Sequence[str]]) -> Iterator[tuple[str | None, ...]]:
    if not options:
        yield ()
        return
    for first in options[0] or (None,):
        for rest in _choices(options[1:]):
            yield (first, *rest)


def _judge(
    component: Component, goal: TaskGoal, chosen: Mapping[str, str | None], state: HouseholdState
) -> Iterator[GoalCondition]:
    """The conditions of a component, for the things that meet most of them."""
    relation = next((r for r in goal.relations if component.name in r.heads), None)
    if component.name in chosen:
        only = chosen[component.name]
        candidates, number = ([] if only is None else [only]), 1
    else:
        candidates = _of_class(component, state)
        number = len(candidates) if component.number is None else component.number
    into: tuple[str, ...] | None = None
    if relation is not None:
        tail = chosen[relation.tail]
        by_name = {one.name: one for one in goal.components}
        into = (tail,) if tail else ()
        if not relation.same:
            into = tuple(_of_class(by_name[relation.tail], state))
    yield from _of_things(component, candidates, number, relation, into, state)


def _of_things(
    component: Component,
    candidates: Sequence[str],
    number: int,
    relation: Relation | None,
    into: Sequence[str] | None,
    state: HouseholdState,
) -> Iterator[GoalCondition]:
    def conditions(thing: str | None) -> list[GoalCondition]:
        found = []
        for name, wanted in component.conditions.items():
            if name == "receptacle":
                continue
            words = component.words.get(name, f"{name} should be {wanted}.")
            if name in ("objectType", "simbotObjectClass"):
                words = component.words.get(name, f"There should be {_a(component.kind)}.")
            met = thing is not None and _holds(state, thing, name, wanted)
            found.append(condition(f"{component.name} {name}", met, words, component.subtask))
        if relation is not None:
            above = set(state.chain(thing)) - {thing} if thing is not None else set()
            met = not above.isdisjoint(into or ())
            about = f"{component.name} in {relation.tail}"
            found.append(condition(about, met, relation.words, relation.subtask))
        return found

    def condition(about: str, met: bool, words: str, subtask: str) -> GoalCondition:
        return GoalCondition(about, met, words, subtask, component.kind)

    judged = sorted(
        (conditions(thing) for thing in candidates), key=lambda found: -sum(c.met for c in found)
    )
    for index in range(number):
        yield from judged[index] if index < len(judged) else conditions(None)


def _a(kind: str) -> str:
    return f"an {kind}" if kind[:1] in "AEIOU" else f"a {kind}"


def _of_class(component: Component, state: HouseholdState) -> list[str]:
    names = classes_of(component.kind)
    return [n for n, kind in state.kinds.items() if kind in names and state.exists(n)]


def _holds(state: HouseholdState, thing: str, name: str, wanted: object) -> bool:
    match name:
        case "objectType" | "simbotObjectClass":
            return state.kinds[thing] in classes_of(str(wanted))
        case "simbotIsFilledWithCoffee":
            return (state.get("filled", thing) == "coffee") == bool(wanted)
        case "isFilledWithLiquid":
            return bool(state.get("filled", thing)) == bool(wanted)
        case "simbotIsFilledWithWater":
            return (state.get("filled", thing) == "water") == bool(wanted)
        case "simbotLastParentReceptacle":
            at = state.kinds.get(state.support(thing) or "")
            return at == (ALIASES.get(str(wanted), wanted) if wanted else None)
        case "isToggled":
            on = wanted in (1, "on", "On")
            return bool(state.get("running", thing)) == on
    fact = _PROPERTIES.get(name)
    if fact is None:
        raise GoalError(unknown("property", name, _PROPERTIES))
    return bool(state.get(fact, thing)) == bool(wanted)


_PROPERTIES = {
    "isCooked": "cooked",
    "simbotIsCooked": "cooked",
    "simbotIsBoiled": "boiled",
    "isDirty": "dirty",
    "isSliced": "sliced",
    "isOpen": "opened",
}
