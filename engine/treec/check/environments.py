"""Type environments of expressions: :func:`world` for a view, :func:`environment` for a place."""

from __future__ import annotations

from collections.abc import Mapping

from treec.check.base import FieldPlace
from treec.check.fields import (
    ACT_KIND,
    ACTION_NAME,
    ACTS,
    AGENT_NAME,
    CHOICES,
    DATA_FIELDS,
    RECIPE_NAME,
    SKILL_NAME,
    TASK_ARGUMENTS,
    TASK_NAME,
    act_fields,
    act_type,
)
from treec.check.known_texts import fact_texts, state_texts
from treec.check.names import FactFunction, TypeEnvironment
from treec.check.scopes import local_scope
from treec.check.type_checker import infer
from treec.check.unreadable import unreadable_kinds
from treec.extensions import registry
from treec.files.bindings import Binding, bindings_for
from treec.files.places import FactSpec
from treec.files.types import (
    ANY,
    BOOL,
    NONE,
    Type,
    TypeTree,
    own_values,
    read_type,
    union,
)
from treec.files.view import View, per_view
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.team.names import team_names, team_texts


@per_view
def world(view: View) -> TypeEnvironment:
    """Return the names that every expression of a view can use; cached by view."""
    broken = unreadable_kinds(view.library)
    acts = act_fields(view)
    inner = {act_type(kind).name: "Act" for kind in acts}
    states, facts = state_texts(view), fact_texts(view)
    known = {own_values(name).name: texts for name, texts in {**facts, **states}.items()}
    names_of = (ACT_KIND, ACTION_NAME, AGENT_NAME, SKILL_NAME, TASK_NAME, RECIPE_NAME)
    words = (*CHOICES, *team_texts(), *known, *(type_.name for type_ in names_of))
    roots: dict[str, str | None] = dict.fromkeys((ACTS.name, *DATA_FIELDS))
    records = _bound_records(view)
    roots.update(dict.fromkeys((*registry().records, *records, TASK_ARGUMENTS.name), "mapping"))
    types = TypeTree({**view.types.parents, **inner, **dict.fromkeys(words, "text"), **roots})
    names: dict[str, Type] = {name: info.type for name, info in team_names().items()}
    names["acts"] = ACTS
    for name, spec in view.state.items():
        names[name] = own_values(name) if name in states else read_type(spec.type)
    missing = not view.domains or "domain" in broken
    no_scene = not view.scenes or "scene" in broken
    env = TypeEnvironment(
        view=view,
        types=types,
        names=names,
        facts={name: _fact(name, spec, name in facts) for name, spec in view.facts.items()},
        things=view.things,
        acts=acts,
        whole=not missing,
        things_whole=not (missing or no_scene or "agent" in broken),
        acts_whole="reading" not in broken,
        records=records,
        texts={**team_texts(), **known},
    )
    derived = dict.fromkeys(view.derived, ANY)
    env = env.changed(names={**names, **derived})
    return env.changed(names={**names, **_infer_derived(view, env)})


def _bound_records(view: View) -> dict[str, Mapping[str, Type]]:
    """Return the types of mappings that the bindings of skills and facts have."""
    skills = [entry.model.runs for entry in view.all("skill").values()]
    bound = [*skills, *(spec.sensed for spec in view.facts.values())]
    used = {env for by in bound for env, one in by.items() if isinstance(one, Binding)}
    found = [bindings_for(environment) for environment in sorted(used)]
    return {k: v for one in found if one is not None for k, v in one.records(view).items()}


def _fact(name: str, spec: FactSpec, known: bool) -> FactFunction:
    value = own_values(name) if known else read_type(spec.value or "any")
    gives = BOOL if spec.value is None else union(value, NONE)
    return FactFunction(tuple(map(read_type, spec.args)), gives)


def _infer_derived(view: View, env: TypeEnvironment) -> dict[str, Type]:
    """Infer the types of derived names, in order; one that uses a later one sees it as ``any``."""
    found: dict[str, Type] = {}
    for name, text in view.derived.items():
        try:
            body = Expression.parse(text).ast[0]
        except LocatedError:
            found[name] = ANY
            continue
        found[name] = infer(body, env.child(found)) or ANY
    return found


def environment(view: View, place: FieldPlace) -> TypeEnvironment:
    """Return the names that can be used at a place, with their types."""
    return local_scope(world(view), place)
