"""Unknown system, scene, agent, skill or act in a scenario.

`system` names a system; `scene` a scene of its domain; `faults` are lines that name its skills with
their arguments, its facts, things, agents and environments. `means` lists acts of kinds that its
readings declare, with their fields, and subtasks that exist.

Wrong:

    scenario: impatient_user
    system: depto
    user:
      - says: Not yet.
        means: [declin]
    faults:
      - fail pik: slipped

Right:

    scenario: impatient_user
    system: depot
    user:
      - says: Not yet.
        means: [decline]
    faults:
      - fail pick: slipped
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import Loc, entries
from treec.check.environments import world
from treec.check.names import TypeEnvironment
from treec.check.task_words import task_words
from treec.check.texts import place_in_line
from treec.check.unreadable import unreadable_kinds, unreadable_names
from treec.files.entry import AnyEntry
from treec.files.systems import ScenarioFile
from treec.files.types import ListOf, Named, Type, misfit, read_type, without_none
from treec.files.view import View
from treec.program.faults import InvalidFault, condition_of, read_fault
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.errors import LocatedError
from treec.source.text import Span
from treec.source.yaml import Scalar

CODE = "TC603"


def check(view: View) -> Iterator[Diagnostic]:
    """Report unknown systems, scenes, agents, skills, kinds of acts and fields."""
    no_reading = "reading" in unreadable_kinds(view.library)
    for entry in entries(view, "scenario"):
        scenario: ScenarioFile = entry.model
        if view.library.find_system(scenario.system, entry) is None:
            yield from unknown_system(CODE, view, entry)
            continue
        yield from _scene(view, entry)
        if view.system is None or not view.library.belongs_to(entry, view.system):
            continue
        for index, line in enumerate(scenario.faults):
            yield from _fault(view, entry, ("faults", index), line)
        if no_reading:
            continue
        for index, step in enumerate(scenario.user):
            for number, act in enumerate(step.means):
                yield from _act(view, entry, ("user", index, "means", number), act)


def unknown_system(code: str, view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    """Report the system of a scenario or a case, which there is not; none if it cannot be read."""
    name = entry.model.system
    if ("system", name) in unreadable_names(view.library):
        return
    near = view.library.systems_in_packs(name.rpartition("/")[2])
    known = [*sorted({one.name for one in view.library.own("system")}), *near]
    help = suggestion(name, known, "systems")
    if near and name not in near:
        help = f"did you mean '{near[0]}'?"
    yield Diagnostic(code, "error", entry.span("system"), f"unknown system '{name}'", help)


def _scene(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    """Report an unknown scene, or one of another domain."""
    scene = entry.model.scene
    system = view.library.find_system(entry.model.system, entry)
    if scene is None or system is None or ("scene", scene) in unreadable_names(view.library):
        return
    domain = system.model.domain
    known = [e.name for e in view.library.of_kind("scene") if e.model.domain == domain]
    if scene not in known:
        help = suggestion(scene, known, "scenes")
        message = f"unknown scene '{scene}' of the system '{system.name}'"
        yield Diagnostic(CODE, "error", entry.span("scene"), message, help)


def _fault(view: View, entry: AnyEntry, loc: Loc, line: str) -> Iterator[Diagnostic]:
    """Report a line that is not a fault of this system, or arguments of the wrong type."""
    try:
        fault = read_fault(line, view)
    except LocatedError as error:
        condition = condition_of(line)
        if condition is not None and 0 <= error.offset - condition.offset <= len(condition.text):
            return  # reported by TC201
        if isinstance(error, InvalidFault) and _is_unreadable(view, error.unknown):
            return
        span = _span_in_line(entry, loc, error.offset, error.length)
        yield Diagnostic(CODE, "error", span, error.message, error.help)
        return
    skill = view.all("skill").get(fault.name) if fault.word == "fail" else None
    if skill is None:
        return
    types = {"agent": "Agent", **skill.model.args}  # every work order has an agent
    for name, value in fault.args.items():
        wrong = misfit(read_type(types[name]), value, world(view))
        if wrong is not None:
            at = line.find(str(value), line.index("("))
            span = _span_in_line(entry, loc, at, len(str(value)))
            yield Diagnostic(CODE, "error", span, wrong.message, wrong.help)


def _is_unreadable(view: View, unknown: tuple[str, str] | None) -> bool:
    """Whether a file that could not be read may declare what is unknown."""
    broken = unreadable_kinds(view.library)
    return unknown is not None and (
        unknown in unreadable_names(view.library)
        or (unknown[0] in ("thing", "fact") and bool(broken & {"domain", "scene", "agent"}))
    )


def _span_in_line(entry: AnyEntry, loc: Loc, offset: int, length: int) -> Span:
    place, key, offset = place_in_line(entry, loc, offset)
    node = entry.at(*place, key=key)
    return node.at(offset, length) if isinstance(node, Scalar) else node.span


def _act(view: View, entry: AnyEntry, loc: Loc, act: object) -> Iterator[Diagnostic]:
    env = world(view)
    if isinstance(act, str):
        if act not in env.acts:
            yield _unknown_act(env, entry, loc, act, key=False)
        return
    if not isinstance(act, dict) or len(act) != 1:
        message = "an act is its kind, or one kind with its fields"
        help = "write decline, or {request: {task: get}}"
        yield Diagnostic(CODE, "error", entry.span(*loc), message, help)
        return
    ((kind, fields),) = act.items()
    if kind not in env.acts:
        yield _unknown_act(env, entry, (*loc, kind), kind, key=True)
    elif fields is not None and not isinstance(fields, dict):
        message = f"the fields of '{kind}' must be a mapping"
        help = f"write {{{kind}: {{…}}}}, or {kind} for any"
        yield Diagnostic(CODE, "error", entry.span(*loc, kind), message, help)
    elif fields:
        yield from _values(view, entry, (*loc, kind), fields, env.acts[kind], f"the act '{kind}'")
        yield from _subtasks(view, entry, (*loc, kind), fields, env.acts[kind])
        args = fields.get("args")
        task = view.all("task").get(str(fields.get("task")))
        if isinstance(args, dict) and task is not None:
            types = {name: read_type(text) for name, text in task.model.args.items()}
            what = f"the task '{task.name}'"
            yield from _values(view, entry, (*loc, kind, "args"), args, types, what)


def _subtasks(
    view: View, entry: AnyEntry, loc: Loc, fields: Mapping[str, object], types: Mapping[str, Type]
) -> Iterator[Diagnostic]:
    """Report subtasks that no recipe has and no task's patterns match."""
    words = task_words(view)
    if words is None or not view.all("task") or "recipe" in unreadable_kinds(view.library):
        return
    ids = {id for recipe in view.all("recipe").values() for id in recipe.model.subtasks}
    for name, value in fields.items():
        kind = types.get(name)
        item = kind.item if isinstance(kind, ListOf) else kind
        if item is None or without_none(item) != Named("Subtask"):
            continue
        for index, said in enumerate(value if isinstance(value, list) else [value]):
            wrong = words.wrong(said) if isinstance(said, str) and said not in ids else None
            if wrong is None:
                continue
            where = (*loc, name, index) if isinstance(value, list) else (*loc, name)
            message = f"no recipe has a subtask '{said}', and no task's patterns match it"
            help = wrong.help if wrong.slip else suggestion(str(said), sorted(ids), "subtasks")
            yield Diagnostic(CODE, "error", entry.span(*where), message, help)


def _unknown_act(
    env: TypeEnvironment, entry: AnyEntry, loc: Loc, kind: str, *, key: bool
) -> Diagnostic:
    help = suggestion(kind, env.acts, "kinds of acts")
    message = f"no reading of the system declares a kind of act '{kind}'"
    return Diagnostic(CODE, "error", entry.span(*loc, key=key), message, help)


def _values(
    view: View,
    entry: AnyEntry,
    loc: Loc,
    given: Mapping[str, object],
    types: Mapping[str, Type],
    what: str,
) -> Iterator[Diagnostic]:
    """Report unknown names, and values of the wrong type."""
    for name, value in given.items():
        kind = types.get(name)
        if kind is None:
            help = suggestion(name, types, "its fields")
            span = entry.span(*loc, name, key=True)
            yield Diagnostic(CODE, "error", span, f"unknown field '{name}' of {what}", help)
            continue
        wrong = misfit(kind, value, world(view))
        if wrong is not None:
            yield Diagnostic(CODE, "error", entry.span(*loc, name), wrong.message, wrong.help)
