"""Facts that an environment senses: which there are, what of them is new, what was expected.

After a skill has ended, what is sensed is taken over; facts that another skill is still at work on
are left to the end of that skill. Where a skill's `after` says something else than what is sensed,
the skill has failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import TYPE_CHECKING

from pydantic import BaseModel

from treec.extensions import registry
from treec.files.places import SceneFile
from treec.files.types import parse_type
from treec.files.view import View
from treec.nodes.environment import EnvironmentSetup, Jitter, Sensor
from treec.nodes.worker import Effect
from treec.world.events import FactSet, flat
from treec.world.facts import Facts
from treec.world.failures import Difference
from treec.world.journal import Record
from treec.world.values import freeze, same

if TYPE_CHECKING:
    from treec.nodes.runtime import Runtime

Key = tuple[str, tuple[str, ...]]


def sensors_of(view: View, environment: str) -> tuple[Sensor, ...]:
    """The sensors that the domain names for an environment, with all things each is about."""
    found = []
    for name, spec in view.facts.items():
        target = spec.sensed.get(environment)
        if target is None:
            continue
        target = registry().target("sensors", target)
        fitting = [_fitting(view, type_) for type_ in spec.args]
        values = () if spec.value is None else _fitting(view, spec.value)
        found.append(Sensor(name, target, tuple(product(*fitting)), tuple(values)))
    return tuple(found)


def setup_of(runtime: Runtime, environment: str) -> EnvironmentSetup:
    """What an environment of this name is made of in a run."""
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
        bodies=_packages(scene.bodies if scene else None),
        seed=runtime.seed,
        time=runtime.clock.now(),
        folder=runtime.folder,
        film=runtime.film,
        jitter=_jitter(scene) if runtime.jitter else None,
    )


def facts_of(record: Record) -> tuple[Effect, ...]:
    """The facts that a record of the journal sets."""
    found = []
    for event in flat(record.event):
        if isinstance(event, FactSet):
            found.append(Effect(event.fact, event.args, event.value, "sensed"))
    return tuple(found)


def changed_facts(
    facts: Facts, sensed: Iterable[Effect], busy: Callable[[Key], bool]
) -> tuple[Effect, ...]:
    """What is sensed and not held to be so; of what somebody is still at work on, nothing."""
    return tuple(
        effect
        for effect in sensed
        if not busy((effect.fact, effect.args)) and not _holds(facts, effect)
    )


def settle_effects(
    expected: Iterable[Effect], sensed: Iterable[Effect]
) -> tuple[tuple[Effect, ...], tuple[Difference, ...]]:
    """A skill's effects, those with a sensor as they are sensed; and what differs."""
    seen_of = {(e.fact, e.args): e for e in sensed}
    last = {(e.fact, e.args): e for e in expected}  # what is said of a fact last is what is meant
    effects: list[Effect] = []
    wrong: list[Difference] = []
    for key, effect in last.items():
        seen = seen_of.get(key)
        if seen is None:
            effects.append(effect)
            continue
        effects.append(seen)
        if not same(_value(seen), _value(effect)):
            wrong.append(Difference(*key, _shown(seen), _shown(effect)))
    return tuple(effects), tuple(wrong)


def _fitting(view: View, wanted: str) -> list[str]:
    type_ = parse_type(wanted)
    return [name for name, own in view.things.items() if view.types.fits(own, type_)]


def _jitter(scene: SceneFile | None) -> Jitter | None:
    wanted = scene.jitter if scene is not None else None
    return None if wanted is None else Jitter(wanted.metres, wanted.degrees)


def _packages(bodies: str | list[str] | None) -> tuple[str, ...]:
    return (bodies,) if isinstance(bodies, str) else tuple(bodies or ())


def _plain(model: BaseModel) -> dict[str, object]:
    return model.model_dump(by_alias=True, exclude_defaults=True)


def _holds(facts: Facts, effect: Effect) -> bool:
    known = facts.get(effect.fact, effect.args)
    if known is None or known.source == "unknown":
        return _value(effect) is None or effect.value is False
    return same(known.value, _value(effect))


def _value(effect: Effect) -> object:
    return None if effect.source == "unknown" else freeze(effect.value)


def _shown(effect: Effect) -> str:
    value = _value(effect)
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
