"""Sensed facts: an environment's sensors, what differs from the facts, what was expected.

When a skill ends, sensed values become facts, except those that another running skill sets. If they
differ from the skill's `after`, the skill has failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from treec.extensions import registry
from treec.files.bindings import argument_names
from treec.files.places import SceneFile
from treec.files.types import misfit, parse_type
from treec.files.view import View, names_of
from treec.nodes.environment import EnvironmentHost, EnvironmentSetup, Jitter, Sensor
from treec.nodes.worker import Effect
from treec.world.events import FactForget, FactSet, flat
from treec.world.facts import Facts
from treec.world.failures import Difference
from treec.world.journal import Record
from treec.world.values import freeze, same

if TYPE_CHECKING:
    from treec.files.entry import Entry
    from treec.files.systems import ScenarioFile
    from treec.nodes.runtime import Runtime

Key = tuple[str, tuple[str, ...]]


def sensors_of(view: View, environment: str) -> tuple[Sensor, ...]:
    """The sensors that the domain declares for an environment, with all their arguments."""
    found = []
    for name, spec in view.facts.items():
        target = spec.sensed.get(environment)
        if target is None:
            continue
        binding = None if isinstance(target, str) else target
        target = registry().target("sensors", target) if isinstance(target, str) else ""
        fitting = [_things_of_type(view, type_) for type_ in spec.args]
        values = () if spec.value is None else _things_of_type(view, spec.value)
        names = () if binding is None else tuple(argument_names(spec.args))
        args = tuple(product(*fitting))
        found.append(Sensor(name, target, args, tuple(values), binding, names))
    return tuple(found)


def setup_of(
    runtime: Runtime, environment: str, host: EnvironmentHost | None = None
) -> EnvironmentSetup:
    """The setup of an environment in a run."""
    view = runtime.view
    scene = view.scenes[0].model if view.scenes else None
    facts = tuple(
        Effect(name, args, fact.value, "unknown" if fact.source == "unknown" else "expected")
        for (name, args), fact in runtime.world.facts
    )
    return EnvironmentSetup(
        name=environment,
        scene=scene.scene if scene else "",
        objects={name: _plain(spec) for name, spec in view.objects.items()},
        agents={name: _plain(agent) for name, agent in view.agents.items()},
        sensors=sensors_of(view, environment),
        facts=facts,
        bodies=scene.body_packages if scene else (),
        seed=runtime.seed,
        time=runtime.clock.now(),
        folder=runtime.folder,
        film=runtime.spec.film,
        jitter=_jitter(scene) if runtime.spec.jitter else None,
        people=_people_of(view, runtime.scenario),
        begin_external=runtime.external.begin,
        host=host,
        view=view,
        see=runtime.spec.see,
    )


def facts_of(record: Record) -> tuple[Effect, ...]:
    """The facts that a journal record sets; those that it forgets have no value."""
    found = []
    for event in flat(record.event):
        if isinstance(event, FactSet):
            found.append(Effect(event.fact, event.args, event.value, "sensed"))
        elif isinstance(event, FactForget):
            found.append(Effect(event.fact, event.args, None, "unknown"))
    return tuple(found)


def changed_facts(
    facts: Facts, sensed: Iterable[Effect], busy: Callable[[Key], bool]
) -> tuple[Effect, ...]:
    """The sensed values that differ from the facts, except facts that a running skill sets."""
    return tuple(
        effect
        for effect in sensed
        if not busy((effect.fact, effect.args)) and not _holds(facts, effect)
    )


def settle_effects(
    expected: Iterable[Effect], sensed: Iterable[Effect]
) -> tuple[tuple[Effect, ...], tuple[Difference, ...]]:
    """A skill's effects, with sensed values where there are any; and the differences."""
    sensed_values = {(e.fact, e.args): e for e in sensed}
    last = {(e.fact, e.args): e for e in expected}  # the last effect on a fact counts
    effects: list[Effect] = []
    wrong: list[Difference] = []
    for key, effect in last.items():
        actual = sensed_values.get(key)
        if actual is None:
            effects.append(effect)
            continue
        effects.append(actual)
        if not same(_value(actual), _value(effect)):
            wrong.append(Difference(*key, _format_value(actual), _format_value(effect)))
    return tuple(effects), tuple(wrong)


def effect_misfit(view: View, effect: Effect) -> str:
    """Why an effect is not on a fact of the domain with a value of its type, or nothing."""
    spec, names = view.facts.get(effect.fact), names_of(view)
    if spec is None:
        return f"the domain declares no fact '{effect.fact}'"
    if len(effect.args) != len(spec.args):
        return f"{effect.fact} takes ({', '.join(spec.args)}), not ({', '.join(effect.args)})"
    values: list[tuple[str, object]] = [*zip(spec.args, effect.args, strict=True)]
    if effect.source != "unknown" and effect.value is not None:
        values.append((spec.value or "bool", freeze(effect.value)))
    wrong = (misfit(parse_type(kind), value, names) for kind, value in values)
    return next((f"{effect.fact}: {why}" for why in wrong if why), "")


def _things_of_type(view: View, type_name: str) -> list[str]:
    type_ = parse_type(type_name)
    return [name for name, own in view.things.items() if view.types.fits(own, type_)]


def _jitter(scene: SceneFile | None) -> Jitter | None:
    jitter = scene.jitter if scene is not None else None
    return None if jitter is None else Jitter(jitter.metres, jitter.degrees)


def _plain(model: BaseModel) -> dict[str, object]:
    return model.model_dump(by_alias=True, exclude_defaults=True)


def _holds(facts: Facts, effect: Effect) -> bool:
    known = facts.get(effect.fact, effect.args)
    if known is None or known.source == "unknown":
        return _value(effect) is None or effect.value is False
    return same(known.value, _value(effect))


def _value(effect: Effect) -> object:
    return None if effect.source == "unknown" else freeze(effect.value)


def _format_value(effect: Effect) -> str:
    value = _value(effect)
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _people_of(view: View, scenario: Entry[ScenarioFile] | None) -> dict[str, dict[str, Any]]:
    """Return who moves by a recording, of the scene and the scenario, as plain data by agent."""
    found: dict[str, dict[str, Any]] = {}
    files: list[Entry[SceneFile] | Entry[ScenarioFile]] = [*view.scenes[:1]]
    if scenario is not None:
        files.append(scenario)
    for entry in files:
        for name, spec in entry.model.people.items():
            plain = spec.model_dump(exclude_defaults=True)
            plain["motion"] = str(view.library.file_beside(entry, spec.motion))
            found[name] = plain
    return found
