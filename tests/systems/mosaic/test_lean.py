"""`mosaic_lean`: a model reads what people say, rules decide the rest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from operator import le
from pathlib import Path
from typing import Any

import pytest

import treec as api
from benchmarks.bench_lean import NEEDED, Costs, systems
from tests.cli.conftest import Treec
from tests.cli.test_run import events, journal
from tests.systems.mosaic.table import ROOT, Table
from tests.systems.mosaic.test_scenarios import SCENARIOS
from treec.api.prepare import prepare
from treec.ask.transport import ScriptedTransport, Unavailable
from treec.nodes.events import Asked
from treec.run.summary import summarize
from treec.world.journal import Journal, Record
from treec.world.spec import RunSpec
from treec_asking.decide import Decision

CHOICE = {"kind": "choose", "recipe": "Caesar Salad", "quote": "a caesar salad"}


def asked(table: Table) -> set[str]:
    """The nodes that asked a model."""
    transport = table.run.transport
    assert isinstance(transport, ScriptedTransport)
    return {request.node for request in transport.requests}


def test_only_the_reading_asks() -> None:
    lean = Table(answers={"Kitchen_Talk": [Unavailable("down")] * 9}, system="mosaic_lean")
    lean.say("Let's make a caesar salad.", 20)
    assert asked(lean) == {"Kitchen_Talk"}
    assert lean.run.world.state["recipe"] == "Caesar Salad"
    whole = Table(answers={}, system="mosaic")
    whole.say("Let's make a caesar salad.", 20)
    assert {"Kitchen_Talk", "Decision", "Set_Recipe"} <= asked(whole)


@pytest.mark.thorough
def test_what_the_model_read_is_what_the_rules_decide_on() -> None:
    words = "I fancy that thing with a caesar salad."
    answer = {"reasoning": "They want it.", "acts": [CHOICE]}
    lean = Table(answers={"Kitchen_Talk": [answer]}, system="mosaic_lean")
    lean.say(words, 5)
    (read,) = lean.happened("answered")
    assert read["by"] == "scripted"
    assert lean.run.world.state["recipe"] == "Caesar Salad"
    assert asked(lean) == {"Kitchen_Talk"}


def cost(treec: Treec, *words: str) -> dict[str, Any]:
    """What a model would be asked, by `treec cost`."""
    return dict(json.loads(treec("cost", *words, "--output-format", "json", "-L", ROOT).out))


def a_head(counts: Mapping[str, int], data: Mapping[str, Any]) -> tuple[float, float]:
    """Requests an utterance, and tokens of their prompts, also of those that were closed."""
    tokens = counts["input_tokens"] + counts["closed_tokens"]
    return counts["asked"] / data["utterances"], tokens / data["utterances"]


def test_an_utterance_costs_what_it_may(treec: Treec) -> None:
    """The goals of issue 47: 8 requests and 9,000 tokens at every node, 1.2 and 2,500 in lean."""
    data = cost(treec, "mosaic", "-s", "caesar_salad")
    for counts, most in (
        (data["total"], (8.0, 9000)),
        (data["nodes"]["Kitchen_Talk"], (1.2, 2500)),
    ):
        assert all(map(le, a_head(counts, data), most))


@pytest.mark.parametrize(
    "system",
    [
        pytest.param("mosaic", marks=pytest.mark.thorough),
        pytest.param("mosaic_lean", marks=pytest.mark.slow),  # one node asks, as in any scenario
    ],
)
def test_an_utterance_of_all_scenarios_costs_what_it_may(treec: Treec, system: str) -> None:
    data = cost(treec, system)
    most = (8.0, 9000) if system == "mosaic" else (1.2, 2500)
    assert all(map(le, a_head(data["total"], data), most))
    assert set(data["scenarios"]) == set(SCENARIOS)  # of its domain: not those of DAG-Plan


@pytest.fixture(scope="module")
def mosaic() -> api.Workspace:
    return api.open(ROOT)


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.few(0, thorough=3)
def test_mosaics_scenarios_run_in_it_with_the_same_journal(
    mosaic: api.Workspace, scenario: str
) -> None:
    lean = mosaic.run("mosaic_lean", scenario=scenario)
    whole = mosaic.run("mosaic", scenario=scenario)
    assert lean.ok
    (first, *records), (_, *others) = lean.journal, whole.journal
    assert first.data["system"] == "mosaic_lean"
    assert [r.line() for r in records] == [r.line() for r in others]  # without a model


@pytest.mark.needs_system("dag_plan")
def test_a_scenario_of_another_domain_says_so(mosaic: api.Workspace) -> None:
    told = "its domain is 'team_kitchen', and that of 'dag_plan' 'dual_kitchen'"
    with pytest.raises(api.TreecError, match=told):
        mosaic.run("dag_plan", scenario="slippery")


@pytest.mark.thorough
def test_where_nobody_has_spoken_a_decision_asks_only_what_is_open(mosaic: api.Workspace) -> None:
    """`mosaic`, answered as the rules answer."""
    system = systems(mosaic.library)[NEEDED]
    setup = prepare(mosaic.library, system, RunSpec(scenario="fruit_salad"))
    journal = Journal.in_memory()
    run = Costs(None).make_run(setup.view, journal, None, "fruit_salad")
    decisions = {node.path: node for node in run.root.iterate() if isinstance(node, Decision)}
    asked: list[tuple[str, object]] = []

    def on_record(record: Record) -> None:
        event = record.event
        if isinstance(event, Asked) and event.node in decisions and not run.team.now.acts:
            decision = decisions[event.node]
            asked.append((decision.entry.name, decision.question().schema["properties"]))

    run.world.subscribe(on_record)
    assert run.go().ok
    ((name, properties),) = asked
    assert name == "Execution"
    assert properties["choose"]["enum"] == ["No_op", "Say_Finished"]  # type: ignore[index]
    assert summarize(journal.records).decisions["only option"] > 20


@pytest.mark.needs_system("dag_plan")
def test_the_system_of_a_scenario_is_exchanged_by_an_option(treec: Treec, tmp_path: Path) -> None:
    run = ("run", "mosaic", "-s", "fallen", "--fast", "--runs", tmp_path, "-L", ROOT)
    assert treec(*run, "--system", "mosaic_lean").status == 0
    assert events(journal(tmp_path))[0]["data"]["system"] == "mosaic_lean"
    wrong = treec(*run, "--system", "dag_plan")
    assert wrong.status == 2
    assert "belongs to the system 'mosaic': its domain is 'team_kitchen'" in wrong.err


@pytest.mark.thorough
def test_with_a_model_mosaic_asks_at_the_reading_unless_its_own_way_is_named(
    treec: Treec, tmp_path: Path
) -> None:
    run = ("run", "mosaic", "-s", "fallen", "--fast", "-L", ROOT)
    model = ("--model", "openai/none", "--api-base", "http://127.0.0.1:9/v1")
    ways = {(): "mosaic", model: "mosaic_lean", (*model, "--system", "mosaic"): "mosaic"}
    for number, (options, system) in enumerate(ways.items()):
        folder = tmp_path / str(number)
        assert treec(*run, *options, "--runs", folder).status == 0
        assert events(journal(folder))[0]["data"]["system"] == system
