"""A run that is cut after any record and resumed does what it would have done uncut.

There is a tree for every node type and modifier: a new one without fails the first test. A tree of
nodes that take no skills has the same records as uncut, times included; with skills, which begin
again, the same but for times. Probes count ticks, and a resumed run has one more.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support.library import copy_warehouse
from treec.ask.transport import Answer, Request, clock_sleep
from treec.extensions import registry
from treec.files.library import load_library
from treec.files.nodes import MODIFIERS, node_specs
from treec.files.view import View
from treec.nodes.foreign import GuardedMemory
from treec.nodes.then_repeat import SPEC as THEN
from treec.run import condensed
from treec.run.resume import open_run
from treec.run.run import Run, RunOutcome
from treec.world.check_sums import read_sums, sums_file
from treec.world.clock import VirtualClock
from treec.world.failures import Failure
from treec.world.journal import Journal, Record, events, read_journal
from treec.world.spec import RunSpec


@dataclass(frozen=True)
class Case:
    """A tree's root and vars, and whether its records are the same with their times."""

    text: str
    timed: bool = True


def same(text: str) -> Case:
    return Case(text)


def later(text: str) -> Case:
    return Case(text, timed=False)


WORK = """
root:
  parallel:
    success: 1
    children:
      - - set: {recipe_name: told}
        - do: Share_Out
        - set: {recipe_name: ""}
        - do: Share_Out
        - recipe: One_Order
        - wait: 3s
        - log: all done
      - {tree: worker, with: {agent: Scout}}
"""

CASES = {
    "sequence": same("""
root:
  - sequence: [log: a, wait: 1s, log: b, wait: 1s, log: c]
  - {yields: true, sequence: [log: d, log: e, wait: 1s, log: f, log: g]}
  - {repeat: 2, sequence: [{shuffle: true, sequence: [log: h, wait: 1s, log: i, wait: 2s]}]}
  - {shuffle: true, yields: true, sequence: [log: k, log: l, log: m]}
"""),
    "selector": same("""
root:
  selector:
    - sequence: [log: a, wait: 1s, check: 1 > 2]
    - {yields: true, selector: [{invert: true, log: b}, {invert: true, log: c}, check: 1 > 2]}
    - repeat: 3
      sequence: [{shuffle: true, selector: [log: d, log: e, [wait: 1s, log: f]]}]
"""),
    "reactive_sequence": same("""
root:
  reactive_sequence:
    - check: recipe_name != 'x'
    - sequence: [log: a, wait: 1s, log: b, wait: 1s]
"""),
    "reactive_selector": same("""
root:
  reactive_selector:
    - check: now > 1.5
    - sequence: [log: a, wait: 1s, log: b, wait: 1s, log: c]
"""),
    "sequence_with_memory": same("""
root:
  sequence_with_memory:
    - sequence: [log: a, wait: 1s]
    - sequence: [log: b, wait: 1s]
    - sequence: [log: c, wait: 1s, {check: now > 4.5}]
  retry: 4
"""),
    "parallel": same("""
root:
  parallel:
    success: 2
    failure: 3
    children:
      - sequence: [log: a, wait: 1s, log: b]
      - sequence: [log: c, wait: 2s, check: 1 > 2]
      - sequence: [log: d, wait: 3s, log: e]
"""),
    "round_robin": same("""
root:
  repeat: 5
  round_robin:
    - sequence: [log: a, wait: 1s]
    - sequence: [log: b, wait: 1s, check: 1 > 2]
    - sequence: [log: c, wait: 1s]
"""),
    "if": same("""
root:
  - if: recipe_name == ''
    then: [set: {recipe_name: x}, log: a, wait: 1s, log: b, wait: 1s]
    else: {log: c}
  - log: d
"""),
    "switch": same("""
root:
  switch:
    of: "'late' if now > 1.5 else 'early'"
    cases:
      early: [log: a, wait: 1s, log: b, wait: 2s]
      late: [log: c, wait: 1s, log: d]
"""),
    "for_each": same("""
vars: {queue: list of text, done: bool}
root:
  - set: {queue: [d, e]}
  - parallel:
      success: 1
      failure: 2
      children:
        - for_each:
            item: letter
            in: queue
            takes: true
            if_empty: running
            do: [wait: 1s, log: "{{ letter }} {{ queue | length }}"]
        - for_each:
            item: letter
            in: "['f', 'g']"
            yields: true
            do: [log: "{{ letter }}", wait: 2s, set: {queue: "= queue + [letter]"}]
  - set: {recipe_name: ab}
  - for_each:
      item: letter
      in: "['a', 'b'] if recipe_name == 'ab' else ['x']"
      do: [set: {recipe_name: $letter}, wait: 1s, log: "{{ letter }}"]
  - repeat: 3
    sequence:
      - for_each: {item: n, in: "[1, 2, 3, 4]", shuffle: true, do: {log: "{{ n }}"}}
      - wait: 1s
"""),
    "tree": same("""
vars: {letter: text}
root:
  - {tree: set_it, with: {out: $letter}}
  - wait: 1s
  - log: "{{ letter }}"
  - wait: 1s
  - log: "{{ letter }}"
"""),
    "wait": same(
        "root: [{wait: 2s, timeout: 5s}, log: a, wait: {until: now > 4, for: 1s}, log: b]"
    ),
    "check": same("root: [check: 1 < 2, wait: 1s, log: a]"),
    "set": same("""
vars: {letter: text, agent: Robot}
root:
  - set: {letter: a, recipe_name: b, agent: Scout}
  - wait: 1s
  - log: "{{ letter }} {{ recipe_name }} {{ agent }}"
  - wait: 1s
"""),
    "log": same("root: [log: a, wait: 1s, log: b]"),
    "on_change": same("""
root:
  parallel:
    - repeat: 3
      sequence: [on_change: recipe_name, log: "it is {{ recipe_name }}", wait: 1s]
    - sequence: [set: {recipe_name: a}, wait: 3s, set: {recipe_name: b}, wait: 1s]
"""),
    "probe": later("""
root:
  force_success: true
  repeat: 2
  sequence: [{probe: {name: p, script: RRSRRF}}, log: a]
"""),
    "remember": same("""
root: [{remember: {in: pairs.db, key: box, answer: open it}}, wait: 1s, log: a]
"""),
    "ask": same("""
root:
  parallel:
    success: 1
    children:
      - {ask: Pick, repeat: -1}
      - - wait: 2s
        - set: {recipe_name: a}
        - wait: 2s
        - set: {recipe_name: b}
        - wait: 3s
"""),
    "do": same("root: [do: Option_A, wait: 1s, do: Option_B, wait: 1s, log: a]"),
    "read": same("root: [read: Operator_Talk, wait: 1s, read: Operator_Talk, log: a]"),
    "recipe": later(WORK),
    "take": later(WORK),
    "program": later(WORK),
    "report": later(WORK),
    "skill": later("""
root:
  - {skill: drive, with: {agent: Hauler, place: aisle 1}}
  - {log: half way}
  - {skill: drive, with: {agent: Hauler, place: aisle 2}}
"""),
    "skip_if": same("""
root: {skip_if: recipe_name == 'x', sequence: [set: {recipe_name: x}, wait: 1s, log: a]}
"""),
    "succeed_if": same("""
root: {succeed_if: recipe_name == 'x', sequence: [set: {recipe_name: x}, wait: 1s, log: a]}
"""),
    "skip_unless": same("""
root:
  force_success: true
  selector: [{skip_unless: now < 2.5, sequence: [log: a, wait: 1s, log: b, wait: 2s]}, log: c]
"""),
    "on_success": same("""
root: [{on_success: [log: a, wait: 1s, log: b], sequence: [wait: 1s]}, log: c]
"""),
    "fail_if": same("""
root:
  force_success: true
  sequence:
    - {fail_if: recipe_name == 'x', sequence: [set: {recipe_name: x}, wait: 1s, log: a]}
    - log: b
"""),
    "while": same("""
root:
  force_success: true
  sequence: [{while: now < 2.5, sequence: [log: a, wait: 1s, log: b, wait: 2s, log: c]}]
"""),
    "on_failure": same("""
root:
  force_success: true
  sequence:
    - sequence: [log: a, wait: 1s, {report: {subtask: nothing, done: true}}]
      on_failure: [log: "since {{ reason }}", wait: 2s, log: "it was {{ reason }}", wait: 1s]
"""),
    "on_halted": same("""
root:
  reactive_selector:
    - check: now > 4.5
    - sequence: [log: a, wait: 1s, log: b, wait: 9s]
      on_halted: {set: {recipe_name: x}}
"""),
    "recovery": same("""
root:
  recovery:
    retries: 2
    do: [log: a, wait: 1s, check: now > 2.5]
    recover: [log: mending, wait: 1s]
"""),
    "pipeline": same("""
root:
  pipeline:
    - check: now < 9
    - [wait: 1s, log: b]
    - [wait: 3s, log: c]
"""),
    "rate": same("""
root:
  force_success: true
  sequence:
    - timeout: 5s
      pipeline: [{rate: 0.5, sequence: [log: a, wait: 500ms, log: b]}, wait: 9s]
"""),
    "timeout": same("""
root:
  force_success: true
  sequence:
    - {sequence: [log: a, wait: 1s, log: b, wait: 4s, log: c], timeout: 3s}
"""),
    "retry": same("""
vars: {n: number}
root:
  - parallel:
      - {sequence: [log: d, check: n == 2], retry: 9}
      - [set: {n: 1}, wait: 200ms, set: {n: 2}, log: e]
  - {sequence: [log: a, wait: 1s, check: now > 2.5], retry: 5}
  - {sequence: [log: b, check: now > 5.5], retry: {times: 5, every: 1s, backoff: 2}}
  - {sequence: [log: c, check: now > 9.5], retry: 5}
"""),
    "repeat": same("""
root:
  - {sequence: [log: a, wait: 1s, log: b], repeat: 3}
  - {log: c, repeat: {times: 3, every: 2s}}
"""),
    "delay": same("root: [{log: a, delay: 2s}, {sequence: [wait: 1s, log: b], delay: 1s}]"),
    "invert": same(
        "root: {invert: true, sequence: [log: a, wait: 1s, log: b, wait: 1s, check: 1 > 2]}"
    ),
    "force_success": same("""
root: {force_success: true, sequence: [log: a, wait: 1s, log: b, wait: 1s, check: 1 > 2]}
"""),
    "force_failure": same("""
root:
  invert: true
  sequence: [{force_failure: true, sequence: [log: a, wait: 1s, log: b, wait: 1s]}]
"""),
    "once": same("""
root:
  repeat: 3
  sequence: [{once: true, sequence: [log: a, wait: 1s, log: b]}, wait: 1s, log: c]
"""),
    "keep_running_until_failure": later("""
root:
  invert: true
  sequence:
    - keep_running_until_failure: true
      sequence: [log: a, wait: 1s, log: b, {set: {recipe_name: x}}, check: now < 2.5]
"""),
    "cooldown": same("""
root:
  repeat: 3
  selector:
    - {sequence: [log: a, wait: 1s], cooldown: 4s}
    - [wait: 2s, log: b]
"""),
    "then": same("""
root:
  parallel: {success: 1, children: [tree: again, wait: 5s]}
"""),
    "hysteresis": same("""
root:
  for_each:
    item: level
    in: "[50, 20, 40, 60, 90, 60, 20, 50]"
    do:
      - force_success: true
        sequence: [{hysteresis: {value: $level, low: 25, high: 80}}, log: "low at {{ level }}"]
      - wait: 1s
"""),
}
"""A tree for each node type and modifier, for `then`, and for a node class of one's own."""

FILES = {
    "trees/set_it.tree.yaml": """
tree: set_it
ports: {out: out text}
root: [wait: 1s, set: {out: q}, wait: 1s]
""",
    "trees/again.tree.yaml": """
tree: again
root: [log: a, wait: 1s, log: b, wait: 1s]
then: repeat
""",
    "trees/worker.tree.yaml": """
tree: worker
ports: {agent: in Robot}
vars: {subtask: Subtask}
root:
  - take: {queue: $agent, into: subtask}
  - {program: Subtask_To_Skills, with: {agent: $agent, subtask: $subtask}}
  - report: {subtask: $subtask, done: true}
  - wait: 1s
  - log: "did {{ subtask }}"
  - wait: 1s
then: repeat
""",
    "trees/one_order.recipe.yaml": """
recipe: One_Order
subtasks: {inspect crate 12: {}, inspect crate 31: {after: [inspect crate 12]}}
""",
    "prompts/pick.decision.yaml": """
decision: Pick
about: What to log.
sees: [recipe_name]
options: {Option_A: It is a., Option_B: It is not.}
offline: [{when: recipe_name == 'a', choose: Option_A}, {when: true, choose: Option_B}]
""",
    "prompts/option_a.action.yaml": """
action: Option_A
about: Says that it is a.
sees: [recipe_name]
may: [say]
offline: [{when: true, do: [{say: "It is {{ recipe_name }}."}]}]
""",
    "prompts/option_b.action.yaml": """
action: Option_B
about: Says that it is not.
sees: [recipe_name]
may: [say]
offline: [{when: true, do: [{say: "It is not a."}]}]
""",
    "prompts/share_out.action.yaml": """
action: Share_Out
about: All for Scout.
sees: [available]
may: [set_recipe, assign]
offline:
  - {when: recipe_name == 'told', do: [{set_recipe: One_Order}]}
  - for: s in subtasks
    when: recipe_name != 'told' and s.status == 'waiting'
    do: [{assign: {agent: Scout, subtasks: [$s]}}]
""",
}


@cache
def library(folder: Path) -> View:
    """A warehouse with the trees of all cases."""
    root = copy_warehouse(folder / "library")
    shutil.rmtree(root / "trees/contracts")
    for name, text in FILES.items():
        (root / name).write_text(text.lstrip(), "utf-8")
    for name, case in CASES.items():
        text = f"tree: case_{name}\n{case.text.strip()}\n"
        (root / f"trees/case_{name}.tree.yaml").write_text(text, "utf-8")
    made = load_library(root)
    assert not made.diagnostics, made.diagnostics
    return View(made, made.find("system", "warehouse"))


def go(view: View, name: str, journal: Journal, **resumed: Any) -> RunOutcome:
    t = resumed["records"][-1].t if resumed else 0.0
    folder = Path(journal._where).parent
    spec = RunSpec(tree=f"case_{name}", memories=folder)
    return Run(view, VirtualClock(t), journal, spec, **resumed).go()


BOOKKEEPING = ("tree", "ticked", "run.begin", "programmed", "step")
"""What a resumed run writes again, though nothing is done again."""


def story(records: tuple[Record, ...], *, timed: bool) -> list[object]:
    """What happened, without statuses, and without skills that were lost and begun again."""
    told: list[object] = []
    for record in (one for whole in records for one in events(whole)):
        if record.kind in BOOKKEEPING or record.by == "resume":
            if record.kind == "skill.ended":
                told = [t for t in told if t[-1] != record.data["id"]]  # type: ignore[index]
            continue
        order = record.by if record.by.startswith("s") and record.by[1:].isdigit() else None
        id = record.data.get("id", order)
        data = {key: value for key, value in record.data.items() if key != "id"}
        by = "" if order else record.by
        told.append((record.t if timed else None, record.kind, by, data, id))
    return [t[:-1] for t in told]  # type: ignore[index]


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    return library(tmp_path_factory.mktemp("every_node"))


def test_there_is_a_tree_for_every_node_type_and_modifier() -> None:
    nodes = registry().nodes
    ours = {
        spec.key
        for spec in node_specs()
        if registry().owner(nodes[spec.key]).name in ("treec", "memory", "interchange")
    }
    assert set(CASES) == {*ours, *MODIFIERS, THEN.key, "hysteresis"}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.few(16, thorough=50)
def test_cut_after_any_record_it_does_the_same(
    view: View, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    case = CASES[name]
    path = tmp_path / "journal.jsonl"
    uncut = go(view, name, Journal.create(path))
    lines, sums = (file.read_bytes().splitlines(True) for file in (path, sums_file(path)))
    opened = records_of(path)
    expected = story(opened, timed=case.timed)
    committed = [n for n, one in enumerate(read_sums(path) or (), 1) if not one.more]
    assert len(expected) > 2
    for cut in committed[:-1]:
        folder = tmp_path / f"cut {cut}"
        folder.mkdir()
        again = folder / path.name
        again.write_bytes(b"".join(lines[:cut]))
        sums_file(again).write_bytes(b"".join(sums[:cut]))
        # Every second one knows of what was before its last moment only what matters still.
        monkeypatch.setattr(condensed, "WHOLE", 300.0 * (cut % 2))
        run = open_run(again, pytest.fail)
        outcome = go(view, name, run.journal, records=run.records, state=run.state)
        assert story(records_of(again), timed=case.timed) == expected, f"cut after {cut}"
        assert (outcome.ok, outcome.status, outcome.why) == (uncut.ok, uncut.status, uncut.why)
        if case.timed:
            assert outcome.seconds == uncut.seconds, f"cut after {cut}"


def records_of(path: Path) -> tuple[Record, ...]:
    return tuple(read_journal(path))


def cut_at(view: View, name: str, folder: Path, cut: int) -> Path:
    """The journal of a case, cut after a record."""
    path = folder / "journal.jsonl"
    go(view, name, Journal.create(path))
    for file in (path, sums_file(path)):
        file.write_bytes(b"".join(file.read_bytes().splitlines(True)[:cut]))
    return path


class Forgetful:
    """What a node class of one's own may have as memory."""

    def __init__(self, memory: object) -> None:
        self._memory = memory
        self.recalled: list[object] = []

    @property
    def memory(self) -> object:
        if isinstance(self._memory, BaseException):
            raise self._memory
        return self._memory

    def recall(self, memory: object) -> None:
        self.recalled.append(memory)
        raise SystemExit("no")


@pytest.mark.parametrize(
    "memory",
    [SystemExit("no"), object(), float("nan"), {1: 2}],
    ids=["raises", "object", "nan", "number keys"],
)
def test_a_memory_of_one_s_own_that_is_none_is_told_and_costs_nothing_else(memory: object) -> None:
    told: list[Failure] = []
    guarded = GuardedMemory(Forgetful(memory), told.append)
    assert guarded.memory is None
    assert guarded.recall(None) is False
    assert len(told) == 2


def test_a_memory_of_one_s_own_comes_back_as_plain_lists_and_dicts() -> None:
    node = Forgetful({"a": [1, (2,)]})
    guarded = GuardedMemory(node, lambda why: None)
    guarded.recall(guarded.memory)
    assert node.recalled == [{"a": [1, [2]]}]


def test_a_variable_that_no_journal_can_hold_begins_its_tree_anew(
    view: View, tmp_path: Path
) -> None:
    path = tmp_path / "journal.jsonl"
    run = Run(view, VirtualClock(), Journal.create(path), RunSpec(tree="case_tree"))
    frame = run.frames["case_tree"][1]
    run.loop.before_tick.append(
        lambda: frame.set("letter", object()) if run.clock.now() == 2 else None  # type: ignore[arg-type, return-value]
    )
    run.go()
    lines, sums = (file.read_bytes().splitlines(True) for file in (path, sums_file(path)))
    cut = next(r.n for r in records_of(path) if r.kind == "ticked" and r.t == 2)
    path.write_bytes(b"".join(lines[:cut]))
    sums_file(path).write_bytes(b"".join(sums[:cut]))
    opened = open_run(path, pytest.fail)
    outcome = go(view, "tree", opened.journal, records=opened.records, state=opened.state)
    assert outcome.ok
    assert outcome.seconds == 6  # 2 s, and all of it again
    assert [r.data["text"] for r in records_of(path) if r.kind == "log"] == ["q", "q"]


def test_a_root_that_had_ended_is_not_begun_again(view: View, tmp_path: Path) -> None:
    path = cut_at(view, "log", tmp_path, 1000)
    last = records_of(path)[-1]
    assert last.kind == "run.end"
    for file in (path, sums_file(path)):
        file.write_bytes(b"".join(file.read_bytes().splitlines(True)[:-1]))
    opened = open_run(path, pytest.fail)
    outcome = go(view, "log", opened.journal, records=opened.records, state=opened.state)
    assert (outcome.reason, outcome.ok, outcome.seconds) == ("finished", True, last.t)
    assert [r.data["text"] for r in records_of(path) if r.kind == "log"] == ["a", "b"]


class SlowModel:
    """A model that chooses by what it sees, a second later."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock

    async def ask(self, request: Request) -> Answer:
        await clock_sleep(self._clock, 1.0)
        chosen = "Option_A" if request.observation["recipe_name"] == "a" else "Option_B"
        return Answer(json.dumps({"reasoning": "", "choose": chosen}), "slow@1")


def test_a_decision_of_a_model_is_asked_for_again_and_made_once(view: View, tmp_path: Path) -> None:
    """Cut while it is asked, while its option runs, and while it rests."""

    def go_with_model(journal: Journal, t: float, **resumed: Any) -> RunOutcome:
        clock = VirtualClock(t)
        spec = RunSpec(tree="case_ask")
        return Run(view, clock, journal, spec, transport=SlowModel(clock), **resumed).go()

    path = tmp_path / "journal.jsonl"
    go_with_model(Journal.create(path), 0.0)
    decided = [(r.data["choose"], r.data["by"]) for r in records_of(path) if r.kind == "decided"]
    assert decided == [(f"Option_{letter}", "slow@1") for letter in "BAB"]
    lines, sums = (file.read_bytes().splitlines(True) for file in (path, sums_file(path)))
    committed = [n for n, one in enumerate(read_sums(path) or (), 1) if not one.more]
    for cut in committed[:-1]:
        again = tmp_path / f"{cut}.jsonl"
        again.write_bytes(b"".join(lines[:cut]))
        sums_file(again).write_bytes(b"".join(sums[:cut]))
        run = open_run(again, pytest.fail)
        outcome = go_with_model(
            run.journal, run.records[-1].t, records=run.records, state=run.state
        )
        assert outcome.ok
        made = [(r.data["choose"], r.data["by"]) for r in records_of(again) if r.kind == "decided"]
        assert made == decided, f"cut after {cut}"
