"""What `treec prove` finds in the warehouse, and what it does not find where nothing is wrong."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from docs.make_house import ROOT
from tests.support.library import copy_warehouse
from treec.api.find import find_library, find_system
from treec.api.prepare import prepare
from treec.cli import main
from treec.extensions import Extension, Function
from treec.files.library import load_library
from treec.files.view import View
from treec.nodes.arbiter import SkillArbiter
from treec.source.errors import TreecError
from treec.world.spec import RunSpec
from treec_prove import visited
from treec_prove.explored import Explored, Surroundings
from treec_prove.properties import FINISHES, REFUSED, STOP, parse_property
from treec_prove.prove import Proof, prove
from treec_prove.search import Found, ProofLimits
from treec_prove.visited import Visited

START, YES = "Start the morning orders.", "Yes, go ahead."
DONE = "never: status('inspect crate 12') == 'done'"
ORDERS = ("Scout, inspect crate 12.", "Hauler, fetch crate 12.")


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    library = find_library(copy_warehouse(tmp_path_factory.mktemp("prove") / "warehouse"))
    return prepare(library, find_system(library, "warehouse"), RunSpec()).view


def of(view: View, world: Surroundings, *properties: str, states: int | None = None) -> Proof:
    asked = [parse_property(text) for text in properties]
    return prove(view, RunSpec(system="warehouse"), world, asked, ProofLimits(states=states))


@pytest.mark.thorough
def test_a_broken_property_is_shown_by_a_scenario_that_a_run_confirms(view: View) -> None:
    world = Surroundings(says=(START, YES), utterances=2, asks=False, together=False)
    proof = of(view, world, "never: status('inspect crate 12') == 'failed'", "never: all_dropped")
    (found,) = proof.counterexamples
    assert found.is_confirmed
    assert found.broken.path[:2] == (("says", START), ("says", YES))
    assert found.scenario is not None
    assert found.scenario["expect"]["finally"] == "not (status('inspect crate 12') == 'failed')"
    assert [line["says"] for line in found.scenario["user"]] == [START, YES, ""]
    assert proof.found.is_complete
    assert proof.found.verdict == "proved"


@pytest.mark.thorough
def test_a_model_that_is_silent_twice_breaks_what_the_warehouse_promises(
    view: View, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = Surroundings(says=(START,), utterances=1, answers=False)
    spec = RunSpec(system="warehouse")
    (found,) = prove(view, spec, world, until_broken=True).counterexamples
    assert found.is_confirmed
    assert found.broken.property == "answer_operator"
    assert found.broken.path == (("says", START), ("time",), ("time",))
    assert found.steps[1:] == [
        "21 s: the model has not answered 'Operator_Talk' in time",
        "31 s: the time of the contract 'answer_operator' is over",
    ]
    assert found.broken.how.startswith(f"'{START}': within 30 s it does not come to answered(")
    library = view.library.root
    file = library / "trees" / "scenarios" / "proved_wrong.scenario.yaml"
    file.write_text(found.text(), encoding="utf-8")
    run = ["run", "warehouse", "--scenario", "proved_wrong", "--fast", "-L", str(library)]
    assert main([*run, "--runs", str(tmp_path)]) == 1
    assert "answer_operator" in capsys.readouterr().out
    file.unlink()


def test_the_command_tells_verdicts_apart(view: View, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--says", START, "--utterances", "1", "--depth", "1", "--offline"]
    assert main(["prove", "warehouse", "-L", str(view.library.root), *options]) == 0
    told = capsys.readouterr().out
    assert "operator_decides                     proved to depth 1" in told
    assert "work that was given comes to an end  not proved (only all states together" in told


@pytest.mark.thorough
def test_what_nothing_could_break_is_told(view: View, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["said('Left') leads to at('crate 12') == 'dock'", f"never: {YES_OR_NO}"]
    options = ["--says", "Hm.", "--utterances", "1", "--offline", "--property", asked[0]]
    options += ["--property", asked[1]]
    assert main(["prove", "warehouse", "-L", str(view.library.root), *options]) == 0
    told = dict(
        line.split("  ", 1) for line in capsys.readouterr().out.splitlines() if "  " in line
    )
    unused = "proved, but nothing happened that it is about"
    names = ("operator_decides", FINISHES, STOP, asked[0])
    assert [told[name].strip() for name in names] == [unused] * 4
    assert told["answer_operator"].strip() == told[asked[1]].strip() == "proved"
    counts = f"where '{YES_OR_NO}' cannot be evaluated, it counts as not so: "
    assert any(line.startswith(counts) for line in told.values())


def test_a_property_of_what_there_is_not_is_refused(
    view: View, capsys: pytest.CaptureFixture[str]
) -> None:
    """It could not be broken."""
    asked = ["--property", "never: baterry('Hauler') < 3"]
    assert main(["prove", "warehouse", "-L", str(view.library.root), *asked]) == 2
    assert "unknown function 'baterry'" in capsys.readouterr().err


def test_a_task_is_asked_for_by_an_option_that_there_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["prove", "dag_plan", "-L", str(ROOT)]) == 2
    assert "shall do, with a --scenario that has a task; in " in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.parametrize("says", [(), ("Stop!",)])
def test_a_lost_stop_is_found_and_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: tuple[str, ...]
) -> None:
    root = copy_warehouse(tmp_path / "warehouse")
    worker = root / "trees" / "robot_worker.tree.yaml"
    text = worker.read_text(encoding="utf-8")
    guard = "          while: status(agent) == 'Running'\n"
    assert guard in text  # it would stop the skill, too
    worker.write_text(text.replace(guard, ""), encoding="utf-8")
    if not says:  # nobody understands the words, so that only the button is left
        monkeypatch.setattr(Explored, "_hears_stops", False)
    stops = SkillArbiter._stop
    monkeypatch.setattr(SkillArbiter, "_stop", lambda arbiter, ends: None)
    library = find_library(root)
    planted = prepare(library, find_system(library, "warehouse"), RunSpec()).view
    world = Surroundings(says=(START, YES), utterances=2, asks=False, together=False)
    spec = RunSpec(system="warehouse")
    (found,) = prove(planted, spec, world, until_broken=True).counterexamples
    assert found.broken.property == STOP
    assert found.broken.stop == ((("says", says[0]),) if says else (("button",),))
    assert found.is_confirmed, found.why_not
    assert found.scenario is not None
    assert ("Stop!" in [line["says"] for line in found.scenario["user"]]) == bool(says)
    if says:  # it stays as a test of the engine: what a lost stop lets a skill do must not be so
        file = root / "trees" / "scenarios" / "proved_wrong.scenario.yaml"
        file.write_text(found.text(), encoding="utf-8")
        run = ["run", "warehouse", "--scenario", "proved_wrong", "--fast", "-L", str(root)]
        assert main([*run, "--runs", str(tmp_path / "1")]) == 1
        monkeypatch.setattr(SkillArbiter, "_stop", stops)
        assert main([*run, "--runs", str(tmp_path / "2")]) == 0


@pytest.mark.thorough
def test_orders_that_are_each_given_once_are_proved(view: View) -> None:
    world = Surroundings(says=ORDERS, utterances=None, failures=0, asks=False, together=False)
    proof = of(view, world)
    assert proof.found.verdict == "proved"
    assert not proof.counterexamples
    never = {name.removeprefix("warehouse_main/dispatcher/") for name in proof.found.unreached}
    assert {"Dispatch: fallback", "Dispatch/Change_Work: offline rule 2"} <= never
    assert never.isdisjoint({"the goal of 'fetch'", "Dispatch/Change_Work: offline rule 3"})
    assert {f"Dispatch: offline rule {n}" for n in range(1, 6)} & never == {
        f"Dispatch: offline rule {n}" for n in (1, 3)
    }
    assert proof.found.states < 80  # 2,880 in 8 steps, when deadlines and old talk counted


@pytest.mark.thorough
def test_a_limit_that_may_be_over_at_any_moment_is_confirmed_by_real_times(view: View) -> None:
    """The subtask's three minutes are not over before its skill's, so that these are tried, too."""
    failed = parse_property("never: status('inspect crate 12') == 'failed'")
    world = Surroundings(says=ORDERS[:1], utterances=1, asks=False, together=False)
    proof = prove(view, RunSpec(system="warehouse"), world, [failed], until_broken=True)
    (found,) = proof.counterexamples
    assert found.is_confirmed
    assert found.broken.path[-1] == ("time",)
    assert any("so much time has passed" in line for line in proof.assumed)


GIVES = "first: $r.first, because: $r}"
PROMISE = "eventually: {each: utterance, require: answered(utterance), within: 30s}"
SITS = "each: skill(agent, skill)\nrequire: skill != 'scan'"
YES_OR_NO = "subtask('fetch crate 12').status == 'done'"
CHANGES = "prompts/change_work.action.yaml"
CONTRACT = "trees/contracts/answer_operator.contract.yaml"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("edited", "asks", "how"),
    [
        ({CHANGES: (GIVES, "first: $r.first}")}, False, "rests on nothi"),
        ({CONTRACT: (PROMISE, SITS)}, False, "refuses Scout to sc"),
        ({}, False, ""),
        ({}, True, ""),  # a model answers much that contracts refuse
    ],
)
def test_rules_that_contracts_refuse_are_found(
    view: View, edited: dict[str, tuple[str, str]], asks: bool, how: str
) -> None:
    texts = {}
    for path, (old, new) in edited.items():
        texts[path] = (view.library.root / path).read_text("utf-8").replace(old, new)
        assert new in texts[path]
    library = load_library(view.library.root, texts)
    other = prepare(library, find_system(library, "warehouse"), RunSpec()).view
    world = Surroundings(ORDERS[:1], None, failures=0, asks=asks, silent=False, together=False)
    proof = of(other, world, REFUSED, states=8 if asks else None)
    assert [how in one.broken.how for one in proof.counterexamples] == [True] * bool(how)
    assert all(one.is_confirmed for one in proof.counterexamples)


@pytest.mark.thorough
def test_what_is_within_the_depth_that_a_budget_reaches_is_proved(view: View) -> None:
    world = Surroundings(says=(START, YES), utterances=2, asks=False, together=False)
    found = of(view, world, states=8).found
    assert found.verdict == "proved to depth 2 (budget of 8 states)"
    assert found.verdict_of(STOP) == "proved to depth 1 (budget of 8 states)"


@pytest.mark.thorough
def test_a_budget_proves_nothing(view: View, capsys: pytest.CaptureFixture[str]) -> None:
    proof = of(view, Surroundings(says=(START,), utterances=1, asks=False), states=1)
    assert proof.found.verdict == "not proved (budget of 1 states)"
    proving = ["prove", "warehouse", "-L", str(view.library.root), "--offline", "--says", START]
    assert main([*proving, "--budget", "10m, 1MB"]) == 0
    assert "not proved (memory: 0.001 GB are taken)" in capsys.readouterr().out
    assert main([*proving, "--budget", "10m,4GB,much"]) == 2
    assert (
        "'much' is not a number of states, memory such as 4GB, or a time" in capsys.readouterr().err
    )


@pytest.mark.slow
def test_a_proof_goes_on_from_where_its_budget_ended(view: View, tmp_path: Path) -> None:
    world = Surroundings(ORDERS[:1], None, failures=1, asks=False, together=False)

    def proved(states: int | None, jobs: int = 1, folder: Path | None = tmp_path) -> Found:
        limits, spec = ProofLimits(states=states, jobs=jobs), RunSpec(system="warehouse")
        return prove(view, spec, world, [parse_property(DONE)], limits, folder=folder).found

    whole = proved(None, folder=None)
    assert whole.is_complete
    assert not proved(3).is_complete
    [file] = tmp_path.iterdir()
    again = proved(6)
    assert (again.before, again.is_complete) == (3, False)
    rest = proved(None, jobs=2)
    assert (rest.before, rest.is_complete) == (6, True)
    assert (rest.states, rest.steps, rest.depth) == (whole.states, whole.steps, whole.depth)
    ways = [(one.property, len(one.path)) for one in whole.broken]
    assert [(one.property, len(one.path)) for one in rest.broken] == ways
    assert len(ways) == 1
    assert rest.unreached == whole.unreached
    assert not file.exists()  # it has come to its end


@pytest.mark.thorough
def test_what_was_broken_before_is_broken_though_a_budget_ends_the_way_back(
    view: View, tmp_path: Path
) -> None:
    world = Surroundings(ORDERS[:1], None, failures=1, asks=False)

    def proved(states: int) -> Found:
        limits, spec = ProofLimits(states=states), RunSpec(system="warehouse")
        return prove(view, spec, world, [parse_property(DONE)], limits, folder=tmp_path).found

    before = proved(11)
    assert not before.is_complete
    [way] = before.broken
    again = proved(3)
    assert (again.broken, again.states, again.before) == ([way], 11, 11)
    assert again.verdict == "proved to depth 2 (budget of 3 states)"


def test_a_proof_begins_anew_if_code_of_an_expression_has_changed(
    view: View, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lone_module.py").write_text("def lone(team):\n    return 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    import_module("lone_module")
    called = Function("lone", "lone_module:lone", (), "number", "Of no package.")
    extensions = [(None, Extension(name="lone", functions=[called]))]
    monkeypatch.setattr(visited, "registry", lambda: SimpleNamespace(extensions=extensions))
    run: Any = SimpleNamespace(view=view, root=SimpleNamespace(iterate=lambda: ()))
    before = visited.file_of(tmp_path, run)
    assert visited.file_of(tmp_path, run) == before
    other = visited.file_of(tmp_path, run, "another proof")
    (tmp_path / "lone_module.py").write_text("def lone(team):\n    return 10\n")
    after = visited.file_of(tmp_path, run)
    assert after != before
    for file in (before, other, after):
        file.touch()
    visited.remove_outdated(after)  # of the same proof alone
    assert [file.exists() for file in (before, other, after)] == [False, True, True]


@pytest.mark.parametrize("damage", ["cut", "start", "middle", "end"])
def test_what_is_damaged_is_not_gone_on_with(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "visited.json.gz"
    known = Visited(by=[(), ("both", ("end", "s1"), ("says", "Stop!"))], expanded={0})
    known.parents.extend((-1, 0))
    known.write(path)
    assert Visited.read(path) == known
    data = bytearray(path.read_bytes())
    if damage == "cut":
        del data[-9:]
    else:
        data[{"start": 0, "middle": len(data) // 2, "end": -6}[damage]] ^= 255
    path.write_bytes(data)
    with pytest.raises(TreecError, match=r"visited.json.gz: cannot be gone on with .*; remove it"):
        Visited.read(path)
