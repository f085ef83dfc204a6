"""Entities from the plain data of examples and cases.

An agent, subtask or proposal is given by its name or a mapping of its fields; acts by a mapping
from kinds to fields, or a list of kinds and of mappings with a ``kind``. Missing fields have their
defaults, so that one template renders an example and the live world.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from treec.files.types import ListOf, Misfit, Named, Names, Type, coerce, parse_type
from treec.team.entities import (
    Act,
    Acts,
    Agent,
    Proposal,
    Recipe,
    Subtask,
    Task,
    Utterance,
)
from treec.team.knowledge import Knowledge
from treec.team.names import team_names

_EMPTY: Mapping[str, object] = {"text": "", "bool": False, "number": 0, "integer": 0}


class ExampleEntities(Names):
    """Makes entities of an example from their names or fields."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.types, self.things = knowledge.view.types, knowledge.view.things

    def entity(self, kind: str, value: object) -> object | None:
        """An entity as an example describes it; whether it exists is up to the check."""
        return _entity(self.knowledge, kind, value)


def parse_value(knowledge: Knowledge, kind: Type | None, value: object) -> object:
    """Plain data as a value of a type: None becomes its default, what does not fit is unchanged."""
    if isinstance(kind, ListOf):
        items = value if isinstance(value, list | tuple) else () if value is None else (value,)
        return tuple(parse_value(knowledge, kind.item, item) for item in items)
    if kind is None:
        return value
    if value is None:
        return _EMPTY.get(kind.name) if isinstance(kind, Named) else None
    found = coerce(kind, value, ExampleEntities(knowledge), shorthand=True)
    return value if isinstance(found, Misfit) else found


def parse_acts(knowledge: Knowledge, value: object, open_: Iterable[object] = ()) -> Acts:
    """Acts from ``{accept: {proposals: [...]}}`` or ``[remark, {kind: accept, ...}]``.

    A proposal may be given by its id in ``open_``.
    """
    known = {p.id: p for p in open_ if isinstance(p, Proposal)}
    found = [
        _act(knowledge, f"u1.{number}", kind, fields, known)
        for number, (kind, fields) in enumerate(_kinds(value), 1)
    ]
    return Acts(knowledge.act_kinds, tuple(found))


def _kinds(value: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    if isinstance(value, Mapping):
        for kind, given in value.items():
            for fields in given if isinstance(given, list | tuple) else [given]:
                yield str(kind), fields if isinstance(fields, Mapping) else {}
    elif isinstance(value, list | tuple):
        for item in value:
            if isinstance(item, Mapping) and "kind" in item:
                yield str(item["kind"]), {k: v for k, v in item.items() if k != "kind"}
            elif isinstance(item, Mapping):
                yield from _kinds(item)
            else:
                yield str(item), {}


def _act(
    knowledge: Knowledge,
    number: str,
    kind: str,
    given: Mapping[str, object],
    known: Mapping[str, Proposal],
) -> Act:
    fields: dict[str, object] = {}
    for name, declared in knowledge.act_fields.get(kind, {}).items():
        value = given.get(name)
        if isinstance(declared, str):
            value = parse_value(knowledge, parse_type(declared), value)
            if isinstance(value, tuple):
                value = tuple(known.get(str(_id(item)), item) for item in value)
        else:
            value = {} if value is None else value
        if isinstance(value, Task):
            args = given.get("args")
            bound = knowledge.task(value.name, args if isinstance(args, Mapping) else {})
            value = bound or value
        fields[name] = value
    id = str(given.get("id", number))
    return Act(id, kind, str(given.get("quote", "")), id.partition(".")[0], fields)


def _id(item: object) -> object:
    """The id that a proposal was given by: a bare id became its subtask's words."""
    return item.subtask.words if isinstance(item, Proposal) else None


def _entity(knowledge: Knowledge, kind: str, value: object) -> object:
    fields = value if isinstance(value, Mapping) else {}
    text = "" if isinstance(value, Mapping) else str(value)
    match kind:
        case "Subtask":
            return _subtask(knowledge, text, fields)
        case "Proposal":
            return _proposal(knowledge, text, fields)
        case "Task":
            return _task(knowledge, text or str(fields.get("name", "")), fields)
        case "Recipe":
            name = text or str(fields.get("name", ""))
            return knowledge.recipe(name) or Recipe(name, str(fields.get("about", "")), ())
        case "Utterance":
            who, _, words = text.partition(": ")
            who, words = (who, words) if words else ("user", text)
            spoken = str(fields.get("text", words))
            speaker = str(fields.get("who", who))
            return Utterance(str(fields.get("id", "u0")), speaker, spoken, 0.0, True, True)
        case "Act":
            return next(iter(parse_acts(knowledge, [value])), None)
    if knowledge.view.types.is_a(kind, "Agent"):
        return _agent(knowledge, text or str(fields.get("name", "")), fields)
    return value


def _agent(knowledge: Knowledge, name: str, fields: Mapping[str, object]) -> Agent:
    spec = knowledge.agents.get(name)
    current = fields.get("current")
    queue = fields.get("queue") or ()
    assert isinstance(queue, Sequence)
    return Agent(
        name=name,
        type=spec.is_ if spec else "Agent",
        about=spec.about if spec else "",
        can=tuple(spec.can) if spec else (),
        status=str(fields.get("status", "Idle")),
        queue=tuple(_of(knowledge, "Subtask", item) for item in queue),  # type: ignore[misc]
        current=None if current in (None, "none") else _of(knowledge, "Subtask", current),  # type: ignore[arg-type]
        person=name in knowledge.people,
    )


def _of(knowledge: Knowledge, kind: str, value: object) -> object:
    return value if isinstance(value, Subtask | Agent) else _entity(knowledge, kind, value)


def _subtask(knowledge: Knowledge, words: str, fields: Mapping[str, object]) -> Subtask:
    words = words or str(fields.get("words", fields.get("id", "")))
    bound = knowledge.words.match(words)
    agent = fields.get("agent")
    status = str(fields.get("status", "waiting"))
    return Subtask(
        id=str(fields.get("id", words)),
        words=words,
        task=bound.task if bound else None,
        args=bound.args if bound else {},
        recipe=_text(fields.get("recipe")),
        after=_ids(fields.get("after")),
        after_any=_ids(fields.get("after_any")),
        status=status,
        agent=_text(agent),
        ready=bool(fields.get("ready", status == "waiting")),
        reason=str(fields.get("reason", "")),
        told=str(fields.get("told", fields.get("reason", ""))),
        past=bool(fields.get("past", False)),
    )


def _ids(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _task(knowledge: Knowledge, words: str, fields: Mapping[str, object]) -> Task:
    args = fields.get("args")
    known = knowledge.task(words, args if isinstance(args, Mapping) else {})
    if known is not None:
        return known
    bound = knowledge.words.match(words)
    task = knowledge.task(bound.task, bound.args) if bound else None
    return task or Task(words)


def _proposal(knowledge: Knowledge, text: str, fields: Mapping[str, object]) -> Proposal:
    """A proposal from its fields or its printed text: 'R2: get crate'."""
    who, _, what = text.partition(": ")
    agent = _of(knowledge, "Agent", fields.get("agent", who))
    subtask = _of(knowledge, "Subtask", fields.get("subtask", what or text))
    assert isinstance(agent, Agent)
    assert isinstance(subtask, Subtask)
    return Proposal(str(fields.get("id", "p1")), agent, subtask, bool(fields.get("drop", False)))


def example_values(
    knowledge: Knowledge, names: Sequence[str] | Mapping[str, str], given: Mapping[str, object]
) -> dict[str, object]:
    """The values that a node sees in an example: those given, and defaults of the others.

    Names of its own, with an expression each, are given as they are, or none.
    """
    if isinstance(names, Mapping):
        return {name: given.get(name) for name in names}
    types = {name: info.type for name, info in team_names().items()}
    types.update({n: parse_type(s.type) for n, s in knowledge.view.state.items()})
    found: dict[str, object] = {}
    for name in names:
        value = given.get(name)
        if name == "acts":
            proposals = parse_value(knowledge, ListOf(Named("Proposal")), given.get("proposals"))
            assert isinstance(proposals, tuple)
            found[name] = parse_acts(knowledge, value, proposals)
        elif name in types:
            found[name] = parse_value(knowledge, types[name], value)
        elif value is None or isinstance(value, list | tuple):
            # lists of derived names are of subtasks
            found[name] = parse_value(knowledge, ListOf(Named("Subtask")), value)
        else:
            found[name] = value
    return found
