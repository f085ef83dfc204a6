"""The household's skills on a robot in SAPIEN: bindings, sensors, and what needs an empty hand."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

import pytest

from experiments.helper.arm_trial import ArmTrial, read_requests, run_trial
from tests.support.library import ROOT
from treec.api.find import find_system
from treec.files.library import load_library
from treec.files.view import View, in_scene, on_environment
from treec.nodes.events import SkillStarted
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.world.events import flat
from treec.world.journal import Journal
from treec.world.spec import RunSpec

pytestmark = pytest.mark.needs_system("household")
pytest.importorskip("sapien")

LIBRARY = load_library(ROOT)
UNBOUND = {"slice"}
"""Skills without a motion: pieces have no bodies."""


def skills() -> dict[str, Any]:
    view = View(LIBRARY, in_scene(find_system(LIBRARY, "helper"), "arm_kitchen"))
    return {entry.name: entry.model for entry in view.entries if entry.kind == "skill"}


def test_every_skill_has_a_physical_worker() -> None:
    from treec_sapien.worker import Physical

    found = skills()
    assert {name for name, skill in found.items() if "sapien" not in skill.runs} == UNBOUND
    for name, skill in found.items():
        if name in UNBOUND:
            continue
        module, _, cls = str(skill.runs["sapien"]).partition(":")
        assert issubclass(getattr(importlib.import_module(module), cls), Physical), name


def carried_out(*lines: str) -> list[str]:
    """The skills that a program begins with in the arm's kitchen, in the symbolic household."""
    system = in_scene(find_system(LIBRARY, "helper_household"), "arm_kitchen")
    run = Run(
        View(LIBRARY, on_environment(system, "household")),
        SteppingClock(),
        Journal.in_memory(),
        RunSpec(tree="carry_out", ports={"script": "\n".join(lines)}),
    )
    run.go()
    events = [event for record in run.journal.records for event in flat(record.event)]
    return [
        f"{e.skill}({', '.join(map(str, e.args.values()))})"
        for e in events
        if isinstance(e, SkillStarted) and e.skill not in ("go_to",)
    ]


def test_a_door_is_opened_before_the_thing_is_fetched() -> None:
    assert carried_out(
        'apple = InteractionObject("Apple")',
        'fridge = InteractionObject("Fridge")',
        "apple.pickup_and_place(fridge)",
    ) == ["open(Fridge_1)", "pickup(Apple_1)", "place(Apple_1, Fridge_1)"]


def test_what_is_in_the_hand_is_put_down_to_open_a_door() -> None:
    assert carried_out(
        'apple = InteractionObject("Apple")',
        'fridge = InteractionObject("Fridge")',
        "apple.pickup()",
        "fridge.open()",
        "apple.place(fridge)",
    ) == [
        "pickup(Apple_1)",
        "put_down(Apple_1)",
        "open(Fridge_1)",
        "pickup(Apple_1)",
        "place(Apple_1, Fridge_1)",
    ]


def test_in_other_scenes_no_empty_hand_is_needed() -> None:
    system = find_system(LIBRARY, "helper_household")
    script = 'm = InteractionObject("Mug")\nf = InteractionObject("Fridge")\nm.pickup()\nf.open()'
    run = Run(
        View(LIBRARY, system),
        SteppingClock(),
        Journal.in_memory(),
        RunSpec(tree="carry_out", ports={"script": script}),
    )
    run.go()
    events = [event for record in run.journal.records for event in flat(record.event)]
    assert "put_down" not in [e.skill for e in events if isinstance(e, SkillStarted)]


@pytest.mark.parametrize("number", [2, 15])
def test_programs_from_memory_reach_their_goals_in_the_symbolic_household(number: int) -> None:
    says = str(read_requests()["requests"][number - 1]["says"])
    result = run_trial(LIBRARY, ArmTrial(number, says), "household")
    assert result.met, result
    assert result.program


def kitchen(**more: Any) -> Any:
    """What sensors read of a kitchen, without physics."""
    door = SimpleNamespace(joint="door", handle="door")
    fridge = SimpleNamespace(
        body=SimpleNamespace(parts=[door], opened={"door": 1.0}, fixed=True),
        position=lambda joint: more.get("angle", 0.0),
    )
    machine = SimpleNamespace(running=True, finished_items=lambda: ["Potato_1"], makes="heated")
    own = SimpleNamespace(
        bodies={"Fridge_1": fridge, "Potato_1": None},
        machines={"Microwave_1": machine},
        vessels=("Cup_1",),
        setup=SimpleNamespace(
            objects={"Fridge_1": {}, "Microwave_1": {}, "Knob_1": {"controls": "Microwave_1"}},
            facts=[
                SimpleNamespace(fact="cooks", args=("Potato_1",), value=True, source="scene"),
                SimpleNamespace(fact="filled", args=("Cup_1",), value="water", source="scene"),
            ],
        ),
    )

    class Kitchen:
        """Weakly referenced, as SAPIEN's is."""

        def __init__(self) -> None:
            self.__dict__.update(vars(own))

        def is_free(self, name: str) -> bool:
            return name.startswith(("Potato", "Cup"))

    return Kitchen()


def test_sensors_give_the_households_facts() -> None:
    from treec_household.physical import sense
    from treec_household.physical.liquids import liquids
    from treec_sapien.sense.unsensed import UNSENSED

    there, ask = kitchen(angle=0.2), SimpleNamespace()
    assert sense.opened(there, ask, "Fridge_1") is False
    assert sense.opened(kitchen(angle=1.2), ask, "Fridge_1") is True
    assert sense.opened(there, ask, "Potato_1") is UNSENSED
    assert sense.running(there, ask, "Knob_1") is True, "what it turns on"
    assert sense.running(there, ask, "Fridge_1") is UNSENSED
    assert sense.cooked(there, ask, "Potato_1") is True
    assert sense.cooked(there, ask, "Cup_1") is UNSENSED
    assert sense.filled(there, ask, "Cup_1") == "water"
    liquids(there).pop("Cup_1")
    assert sense.filled(there, ask, "Cup_1") is None
    assert sense.filled(kitchen(), ask, "Cup_1") == "water", "another kitchen"
    assert sense.located(there, ask, "Fridge_1")


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 12])
def test_a_program_from_memory_runs_physically(number: int) -> None:
    says = str(read_requests()["requests"][number - 1]["says"])
    result = run_trial(LIBRARY, ArmTrial(number, says), "sapien")
    assert result.met, result
