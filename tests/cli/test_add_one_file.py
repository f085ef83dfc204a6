"""Adding a behaviour is adding a file: each of these writes one file and changes no other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.cli.conftest import Treec

SCENARIO = """\
scenario: {name}
system: warehouse
seed: 3
user:
{user}
  - whenever: proposals
    says: Yes, go ahead.
    after: 2s
expect:
  finally: {finally_}
  within: 20m
"""


def write(library: Path, path: str, text: str) -> None:
    file = library / path
    assert not file.exists()
    file.write_text(text, "utf-8")


def say(*lines: str) -> str:
    return "\n".join(f"  - {line}" for line in lines)


def events(library: Path) -> Iterator[dict[str, Any]]:
    """Every event of the one run that the library holds, those of commits among them."""
    (journal,) = (library / "runs").glob("*/journal.jsonl")
    for line in journal.read_text("utf-8").splitlines():
        record = json.loads(line)
        yield record
        yield from record["data"].get("events", ())


def run(treec: Treec, library: Path, name: str, user: str, finally_: str = "all_done") -> None:
    """Check the library, run a scenario of its own in it, and see it end as expected."""
    checked = treec("check", "--library", library)
    assert (checked.status, checked.err) == (0, ""), checked.out
    scenario = SCENARIO.format(name=name, user=user, finally_=finally_)
    write(library, f"trees/scenarios/{name}.scenario.yaml", scenario)
    result = treec("run", "warehouse", "--scenario", name, "--fast", "--library", library)
    assert result.status == 0, result.out + result.err


def test_an_action_offers_itself_and_is_reached_without_a_model(
    treec: Treec, library: Path
) -> None:
    write(
        library,
        "prompts/report_progress.action.yaml",
        """\
action: Report_Progress
about: Tell the operator how many of the orders are done.
sees: [acts, subtasks, completed]
may: [say]
answers: [ask]
offer:
  to: Dispatch
  when: acts.ask and 'far' in (acts.ask.about | join(' '))
  because: The operator asks how far things are.
offline:
  - do:
      - say: "{{ completed | length }} of {{ subtasks | length }} steps are behind us."
""",
    )
    user = say(
        "says: Start the morning orders.",
        "{when: completed | length >= 1, says: How far are we?}",
    )
    run(treec, library, "asks", user, "said('steps are behind us')")
    chosen = [e["data"]["choose"] for e in events(library) if e["kind"] == "decided"]
    assert "Report_Progress" in chosen
    assert {e["data"]["by"] for e in events(library) if e["kind"] == "decided"} <= {
        "always",
        "offline",
        "fallback",
    }


def test_a_second_agent_that_can_inspect_gets_work(treec: Treec, library: Path) -> None:
    write(
        library,
        "envs/ranger.agent.yaml",
        """\
agent: Ranger
is: Robot
about: A second robot with a camera; it only inspects.
can: [inspect]
skills: {drive: {}, scan: {}}
starts: {near: aisle 2, battery: 90}
""",
    )
    run(treec, library, "two_cameras", say("says: Start the morning orders."))
    given = {
        subtask: e["data"]["agent"]
        for e in events(library)
        if e["kind"] == "assigned"
        for subtask in e["data"]["subtasks"]
    }
    inspected = {agent for subtask, agent in given.items() if subtask.startswith("inspect")}
    assert inspected == {"Ranger", "Scout"}


def test_a_recipe_is_worked_off(treec: Treec, library: Path) -> None:
    write(
        library,
        "trees/orders/one_crate.recipe.yaml",
        """\
recipe: One Crate
about: Hardly a shift.
subtasks:
  inspect crate 17: {}
  fetch crate 17: {after: [inspect crate 17]}
""",
    )
    run(treec, library, "one_crate", say("says: One crate."))
    done = [e["data"]["subtask"] for e in events(library) if e["kind"] == "subtask.done"]
    assert done == ["inspect crate 17", "fetch crate 17"]


def test_a_contract_refuses_what_it_forbids(treec: Treec, library: Path) -> None:
    write(
        library,
        "trees/contracts/no_inspection.contract.yaml",
        """\
contract: no_inspection
about: Scout inspects nothing in this warehouse.
each: assign(agent, subtasks)
require: agent != 'Scout' or 'inspect' not in (subtasks | map(attribute='task') | join(' '))
tell: "{{ action }}: Scout must not inspect here."
""",
    )
    user = say("says: Hello", "says: Scout should inspect crate 12", "says: Bye")
    run(treec, library, "no_inspection", user, "heard('bye')")
    refused = [e["data"]["reason"] for e in events(library) if e["kind"] == "refused"]
    assert any("Scout must not inspect here" in reason for reason in refused)
    assert not [e for e in events(library) if e["kind"] == "assigned"]


def test_a_new_action_checks_as_it_is(treec: Treec, library: Path) -> None:
    made = treec("new", "action", "Wave", "--library", library)
    assert made.status == 0, made.err
    path = made.out.partition(":")[0]
    assert (library / path).is_file()
    checked = treec("check", "--library", library)
    assert checked.status == 0, checked.out


def test_a_skeleton_never_replaces_a_file(treec: Treec, library: Path) -> None:
    before = {path: path.read_bytes() for path in library.rglob("*.yaml")}
    made = treec("new", "action", "Wait_For_Work", "--library", library)
    assert made.status == 2
    assert "Wait_For_Work" in made.err
    assert {path: path.read_bytes() for path in library.rglob("*.yaml")} == before
