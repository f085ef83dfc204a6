"""Adding a behaviour is adding a file: each of these writes one file and changes no other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.cli.conftest import Treec

SCENARIO = """\
scenario: {name}
system: mosaic
seed: 3
user:
{user}
  - whenever: proposals
    says: Yes please.
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
    result = treec("run", "mosaic", "--scenario", name, "--fast", "--library", library)
    assert result.status == 0, result.out + result.err


def test_an_action_offers_itself_and_is_reached_without_a_model(
    treec: Treec, library: Path
) -> None:
    write(
        library,
        "prompts/mosaic/report_progress.action.yaml",
        """\
action: Report_Progress
about: Tell the user how much of the recipe is done.
sees: [acts, subtasks, completed]
may: [say]
answers: [ask]
offer:
  to: Execution
  when: acts.ask and 'far' in (acts.ask.about | join(' '))
  because: The user asks how far things are.
offline:
  - do:
      - say: "{{ completed | length }} of {{ subtasks | length }} steps are behind us."
""",
    )
    user = say(
        "says: Let's make fruit salad",
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


def test_a_second_agent_that_can_put_away_gets_work(treec: Treec, library: Path) -> None:
    write(
        library,
        "envs/kitchen/R0.agent.yaml",
        """\
agent: R0
is: Robot
about: A second robot on wheels; it only puts things away.
can: [put away]
skills: {go_to: {}, pick: {}, place: {}, put_down: {}}
starts: {near: table, mobile: true}
""",
    )
    user = say(
        "says: Let's make Caesar salad", "{when: current('user'), says: The lettuce is done}"
    )
    run(treec, library, "two_hands", user)
    given = {
        subtask: e["data"]["agent"]
        for e in events(library)
        if e["kind"] == "assigned"
        for subtask in e["data"]["subtasks"]
    }
    assert given["put ranch sauce away"] == "R0"


def test_a_recipe_is_cooked(treec: Treec, library: Path) -> None:
    write(
        library,
        "trees/recipes/pepper_bowl.recipe.yaml",
        """\
recipe: Pepper Bowl
about: Hardly a meal.
subtasks:
  get pepper: {}
  pour pepper into bowl: {after: [get pepper]}
  stir bowl: {after: [pour pepper into bowl]}
""",
    )
    run(treec, library, "pepper", say("says: Let's make a pepper bowl"))
    done = [e["data"]["subtask"] for e in events(library) if e["kind"] == "subtask.done"]
    assert done == ["get pepper", "pour pepper into bowl", "stir bowl"]


def test_a_contract_refuses_what_it_forbids(treec: Treec, library: Path) -> None:
    write(
        library,
        "trees/contracts/no_stirring.contract.yaml",
        """\
contract: no_stirring
about: R1 never stirs in this kitchen.
each: assign(agent, subtasks)
require: agent != 'R1' or 'stir' not in (subtasks | map(attribute='task') | join(' '))
tell: "{{ action }}: R1 must not stir here."
""",
    )
    user = say("says: Hello", "says: R1 should stir the bowl", "says: Bye")
    run(treec, library, "no_stir", user, "heard('bye')")
    refused = [e["data"]["reason"] for e in events(library) if e["kind"] == "refused"]
    assert any("R1 must not stir here" in reason for reason in refused)
    assert not [e for e in events(library) if e["kind"] == "assigned"]


def test_a_new_action_checks_as_it_is(treec: Treec, library: Path) -> None:
    made = treec("new", "action", "Wave", "--library", library)
    assert made.status == 0, made.err
    path = made.out.partition(":")[0]
    assert (library / path).is_file()
    checked = treec("check", "--library", library)
    assert checked.status == 0, checked.out


def test_every_skeleton_checks(treec: Treec, library: Path) -> None:
    from treec.files.skeletons import kinds

    for kind in kinds():
        made = treec("new", kind, f"brand_new_{kind}", "--library", library)
        assert made.status == 0, made.err
    checked = treec("check", "--library", library)
    assert checked.status == 0, checked.out


def test_a_skeleton_never_replaces_a_file(treec: Treec, library: Path) -> None:
    before = {path: path.read_bytes() for path in library.rglob("*.yaml")}
    made = treec("new", "action", "No_op", "--library", library)
    assert made.status == 2
    assert "No_op" in made.err
    assert {path: path.read_bytes() for path in library.rglob("*.yaml")} == before
