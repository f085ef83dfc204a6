"""The names that a place in a file binds: arguments, ports, loops, a prompt's `sees`.

This mirrors statically what ``treec.nodes`` and ``treec.team`` bind at run time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from jinja2 import nodes

from treec.check.base import FieldPlace
from treec.check.conditions import split
from treec.check.fields import CALL, REMEMBERED, SKILL_NAME, arguments_type
from treec.check.names import TypeEnvironment
from treec.check.type_checker import infer, item_of
from treec.check.unreadable import unreadable_kinds, unreadable_names
from treec.files.bindings import Binding, argument_names
from treec.files.entry import AnyEntry, per_entry
from treec.files.fields import LoopHead
from treec.files.nodes import MODIFIERS, NodeBase, spec_of
from treec.files.prompts import MEMORIES, RECALLED, DoRule, Prompt
from treec.files.types import ANY, BOOL, NONE, TEXT, ListOf, Named, Type, read_type, union
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.team.contracts import SKILL, Head, head_parameters, parse_head
from treec.team.sentences import ANSWERS, REASONS, claims

AGENT = Named("Agent")
_CLAIM: Mapping[str, Type] = {
    "agent": AGENT,
    "subtask": Named("Subtask"),
    "after": Named("Subtask"),
    "number": Named("integer"),
    "total": Named("integer"),
    "names": ListOf(TEXT),
    "value": ANY,
    **dict.fromkeys(("name", "thing", "fact", "words"), TEXT),
    # what the functions of kinds give
    **dict.fromkeys(("items", "choices", "before", "able", "at", "then", "status", "told"), TEXT),
    **dict.fromkeys(("holder", "place", "count", "failed", "stopped", "fact_words", "team"), ANY),
}
_ANSWER: Mapping[str, Type] = {
    **dict.fromkeys(("thing", "place", "names", "name", "near", "left", "after", "able"), TEXT),
    **dict.fromkeys(("asked", "can", "fact", "value", "reason", "answer"), TEXT),
    "agent": AGENT,
    "subtask": Named("Subtask"),
    "many": BOOL,
    "is_able": BOOL,
    "number": Named("integer"),
    "total": Named("integer"),
}
_PROMPT = frozenset({"system", "observation", "instructions", "reflection"})
_EVENTS = {"utterance": "Utterance", "subtask": "Subtask", "proposal": "Proposal"}


def local_scope(env: TypeEnvironment, place: FieldPlace) -> TypeEnvironment:
    """Return the environment of a place, given that of its view."""
    if isinstance(place.entry.model, Prompt):
        return _prompt(env, place)
    match place.entry.kind:
        case "tree":
            return _tree(env, place)
        case "task":
            return env.child({"agent": AGENT, **arguments(place.entry)})
        case "skill":
            return _skill(env, place)
        case "contract":
            return _contract(env, place)
        case "domain" if isinstance(place.owner, Binding):
            return env.child(_bound(env, place))
        case "domain" if place.loc[-1] == "says":
            return env.child({"thing": TEXT, "names": ListOf(TEXT), "value": ANY})
        case "system" if place.loc[0] == "sentences":
            name = str(place.loc[1])
            if name in ANSWERS or name in claims():
                return env.child(dict(_ANSWER if name in ANSWERS else _CLAIM))
            texts = {"agent": TEXT, "heard": TEXT, "right": TEXT, "why": TEXT}
            return env.child(texts if name in REASONS else _parameters(name))
    binds = getattr(place.entry.model, "binds", None)  # a kind of an extension
    if binds is not None:
        return env.child(_arguments(binds))
    gives = getattr(place.entry.model, "gives", None)  # the same
    if gives is not None:
        return env.child(_arguments(gives)).changed(visible=frozenset())
    return env


@per_entry
def arguments(entry: AnyEntry) -> dict[str, Type]:
    """Return the arguments of an action, a program, a task or a skill, if any, with their types."""
    return _arguments(getattr(entry.model, "args", {}))


def _arguments(args: Mapping[str, str]) -> dict[str, Type]:
    return {name: read_type(text) for name, text in args.items()}


@per_entry
def tree_names(entry: AnyEntry) -> dict[str, Type]:
    """Return the ports and variables of a tree, with their types."""
    return {**ports(entry.model.ports), **_arguments(entry.model.vars)}


def ports(declared: Mapping[str, str]) -> dict[str, Type]:
    """Return the types of ports written ``in Robot``, ``out text``, ``inout Item``."""
    found = {}
    for name, text in declared.items():
        way, _, kind = text.strip().partition(" ")
        found[name] = read_type(kind) if way in ("in", "out", "inout") else ANY
    return found


def _loop(env: TypeEnvironment, loop: LoopHead) -> Mapping[str, Type]:
    """Return the name that ``x in items`` binds, with its type."""
    return {loop.name: _item(env, loop.items)} if loop.is_valid else {}


def _item(env: TypeEnvironment, text: str) -> Type:
    return item_of(_type(text, env))


def _type(text: str, env: TypeEnvironment) -> Type:
    try:
        body = Expression.parse(text).ast[0]
    except LocatedError:
        return ANY
    return infer(body, env) or ANY


def _tree(env: TypeEnvironment, place: FieldPlace) -> TypeEnvironment:
    env = env.child(tree_names(place.entry))
    here: object = place.entry.model
    binds: Mapping[str, Type] = {}
    """What the node around binds for the nodes below it."""
    for index, step in enumerate(place.loc):
        if isinstance(here, NodeBase):
            env, binds = env.child(binds), {}
            if here.for_ is not None and step != "for":
                env = env.child(_loop(env, here.for_))
            spec = spec_of(here)
            modifier = MODIFIERS.get(str(step))
            if modifier is not None:
                binds = {name: read_type(kind) for name, kind in modifier.binds.items()}
            elif spec is not None and spec.binds is not None:
                named = spec.binds(here)
                binds = {name: _item(env, each.items) for name, each in named.items()}
        following = _step(here, step)
        if following is None and index < len(place.loc) - 1:
            break
        here = following
    return env


def _step(value: object, step: str | int) -> object:
    """Return the value one step down in a model, a list or a mapping."""
    if isinstance(value, Mapping):
        return value.get(step)
    if isinstance(value, list):
        return value[step] if isinstance(step, int) and step < len(value) else None
    if not isinstance(step, str):
        return None
    for name in (step, f"{step}_"):
        if name in getattr(type(value), "model_fields", {}):
            return getattr(value, name)
    return None


def _prompt(env: TypeEnvironment, place: FieldPlace) -> TypeEnvironment:
    model, loc = place.entry.model, place.loc
    if loc[0] == "offer":
        return env
    args = arguments(place.entry)
    if loc[0] == "acknowledge":
        return env.child({**args, **_parameters(str(loc[1]))})
    if loc[0] == "objects":
        described = _arguments(model.objects[str(loc[1])].args)
        return env.child({**args, **described, "taken": ListOf(TEXT), "skills": ListOf(TEXT)})
    if loc[0] == "offline" and model.offline_gives is not None:
        recalled = {RECALLED: ListOf(REMEMBERED)} if model.memory is not None else {}
        return env.child({**_arguments(model.offline_gives), **recalled, **args})
    if isinstance(model.sees, Mapping):  # names of its own for what it sees
        if loc[0] in ("sees", "when"):
            return env.child(args)
        args = {**args, **seen_types(env, place.entry)}
    visible = _set_of((*model.sees, *model.recalls, *model.knows))
    local = {**args, **_arguments(model.gives)} if loc[0] in _PROMPT else args
    if loc[0] in _PROMPT and loc[0] != "reflection" and model.memory is not None:
        local = {**local, MEMORIES: ListOf(TEXT)}
    env = env.changed(local=local, visible=visible)
    rule = place.owner
    if isinstance(rule, DoRule) and rule.for_ is not None and place.field != "for_":
        env = env.child(_loop(env, rule.for_))
    return env


def seen_types(env: TypeEnvironment, entry: AnyEntry) -> dict[str, Type]:
    """Return the types of what a prompt sees by names of its own."""
    sees = entry.model.sees
    inside = env.child(arguments(entry))
    return {n: _type(text, inside) for n, text in sees.items()} if isinstance(sees, Mapping) else {}


@lru_cache(maxsize=64)
def _set_of(names: tuple[str, ...]) -> frozenset[str]:
    """Return one set for all places of a prompt: there may be thousands."""
    return frozenset(names)


def _parameters(action: str) -> dict[str, Type]:
    return dict(head_parameters(action) or {})


def _skill(env: TypeEnvironment, place: FieldPlace) -> TypeEnvironment:
    env = env.child({"agent": AGENT, **arguments(place.entry), **_bound(env, place)})
    if place.loc[0] in ("needs", "diagnose"):  # the type of a perception's result is unknown
        return env.changed(calls=None)
    is_repair = place.loc[0] == "before" and not place.key and len(place.loc) > 2
    if is_repair or place.loc[0] == "if_unmet":  # a repair is a skill
        unread = (n for kind, n in unreadable_names(env.view.library) if kind == "skill")
        return env.changed(calls=frozenset((*env.view.all("skill"), *unread)))
    return env


def _bound(env: TypeEnvironment, place: FieldPlace) -> Mapping[str, Type]:
    """Return what the mapping of a skill or a fact for an environment binds at a place."""
    owner = place.owner
    if not isinstance(owner, Binding):
        return {}
    found = owner.names(env.view, place.field)
    if place.entry.kind == "domain":
        fact = env.view.facts.get(str(place.loc[1]))
        found = {**argument_names(fact.args if fact is not None else ()), **found}
    return found


def _contract(env: TypeEnvironment, place: FieldPlace) -> TypeEnvironment:
    model = place.entry.model
    if place.loc[0] == "eventually":
        each = model.eventually.each
        return env.child({each: Named(_EVENTS.get(each, "any"))})
    bound = heads(model.each)
    env = bind_heads(env, bound)
    if any(head.action == SKILL for head in bound) and place.loc[0] != "each":
        env = env.child(_skill_call(env, (str(model.when), str(place.value))))
    return env


def _skill_call(env: TypeEnvironment, texts: Iterable[str]) -> Mapping[str, Type]:
    """Return the types of a skill's name, arguments and subtask, for texts that must all hold."""
    skills = env.view.all("skill")
    if "skill" in unreadable_kinds(env.view.library):
        return {}
    chosen = set(skills)
    for text in texts:
        chosen &= _named_skills(text) or chosen
    types = {"skill": SKILL_NAME, "subtask": union(Named("Subtask"), NONE)}
    args = [arguments_type(name) for name in skills if name in chosen]
    types["args"] = union(*args) if args else ANY
    return {name: type_ for name, type_ in types.items() if name in env.local}


def _named_skills(text: str) -> set[str]:
    """The skills to which a condition is confined: of `skill == 'a' and …`, `skill != 'a' or …`."""
    try:
        node = Expression.parse(text).ast[0]
    except LocatedError:
        return set()
    either = isinstance(node, nodes.Or)
    named: set[str] = set()
    for part in split(node, nodes.Or if either else nodes.And):
        if not isinstance(part, nodes.Compare) or len(part.ops) != 1:
            continue
        left, right = part.expr, part.ops[0].expr
        about = any(isinstance(side, nodes.Name) and side.name == "skill" for side in (left, right))
        if about and part.ops[0].op in (("ne", "notin") if either else ("eq", "in")):
            sides = nodes.Tuple([left, right], "load")
            named.update(const.value for const in sides.find_all(nodes.Const))
    return named


def heads(texts: Iterable[str]) -> list[Head]:
    """Return the valid heads of a contract."""
    found = []
    for text in texts:
        try:
            found.append(parse_head(text))
        except ValueError:
            continue
    return found


def bind_heads(env: TypeEnvironment, judged: list[Head]) -> TypeEnvironment:
    """The environment with the arguments that all heads bind; ``partly`` has the others."""
    types: dict[str, Type] = {}
    partly: dict[str, str] = {}
    for head in judged:
        parameters = _parameters(head.action)
        for name in head.args:
            types[name] = union(types.get(name), parameters.get(name, ANY))
    for name in list(types):
        lacking = next((head for head in judged if name not in head.args), None)
        if lacking is not None:
            del types[name]
            hint = f"make a contract of its own for {lacking.action}"
            if name in _parameters(lacking.action):
                hint = f"write {lacking.action}({', '.join((*lacking.args, name))}) in 'each'"
            partly[name] = f"'{name}' is not bound for {lacking.action}\n{hint}"
    if types.get("actions") == ListOf(ANY):
        types["actions"] = ListOf(CALL)
    types = {"action": TEXT, "answer": ListOf(CALL), **types}
    return env.child(types).changed(partly=partly)
