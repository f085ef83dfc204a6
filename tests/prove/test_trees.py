"""Proofs about trees alone: the same, not the same, and what one can return."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from docs.make_house import ROOT
from tests.prove.random_xml import is_skipped_inside, random_xml
from tests.reference import random_tree
from tests.support.tiers import many
from tests.vectors import tree_file
from treec.cli import main
from treec.files.library import load_alone
from treec.files.view import View
from treec_interchange.importer import import_trees
from treec_interchange.tree_yaml import to_tree_file
from treec_interchange.xml_reader import read_xml
from treec_prove.answering import AnsweredTree, Choices, NotFinite, constants_in
from treec_prove.btcpp import ModelTree, NotModelled, constants_of, trees_in
from treec_prove.trees import TreeLimits, explore, moments

GUARDED = """\
tree: guarded
ports: {battery: in number}
root:
  - selector:
      - check: battery > 20
      - charge: {}
  - open_door: {door: front}
  - pass_door: {}
    retry: 3
"""


@pytest.fixture
def tree(tmp_path: Path):
    """A tree of a text, to be answered; what its files compare with are all the texts'."""

    def make(*texts: str) -> list[AnsweredTree]:
        found = []
        for number, text in enumerate(texts):
            path = tmp_path / f"t{number}.tree.yaml"
            path.write_text(text, encoding="utf-8")
            library = load_alone(path)
            assert library.diagnostics == []
            found.append((View(library), next(iter(library.of_kind("tree")))))
        constants = set().union(*(constants_in(*one) for one in found))
        return [AnsweredTree(*one, constants) for one in found]

    return make


def test_a_tree_that_is_written_otherwise_is_proved_to_do_the_same(tree):
    other = GUARDED.replace("root:", "root:\n  - sequence: []").replace("> 20", ">= 20.5")
    found = explore(tree(GUARDED, other), TreeLimits(states=5000))
    assert found.verdict == "refuted"  # a battery at 20.25 tells them apart
    assert dict(found.steps[0].answers)["battery"] == "20.25"
    same = GUARDED.replace("root:", "root:\n  - sequence: []").replace("> 20", "- 20 > 0")
    assert explore(tree(GUARDED, same)).verdict == "proved"


def test_the_difference_is_the_shortest(tree):
    """A guard that is asked again while its action runs halts it; a selector's first child not."""
    skipped = GUARDED.replace(
        "  - selector:\n      - check: battery > 20\n      - charge: {}\n",
        "  - charge: {}\n    skip_unless: not battery > 20\n",
    )
    found = explore(tree(GUARDED, skipped))
    assert found.verdict == "refuted"
    assert len(found.steps) == 2
    first, second = found.steps
    assert ("charge", "RUNNING") in first.answers
    assert [did.halted for did in second.did] == [[], ["charge"]]


@pytest.mark.parametrize(
    ("change", "by"),
    [
        ("retry: 3", "retry: 2"),
        ("battery > 20", "battery < 20"),
        ("door: front", "door: back"),
        ("  - selector:", "  - reactive_selector:"),
        ("- pass_door: {}", "- force_success: true\n    pass_door: {}"),
        ("root:\n", "root:\n  - once: true\n    look: {}\n"),
        ("retry: 3", "retry: 3\n    timeout: 5s"),
    ],
)
def test_each_change_is_found(tree, change, by):
    changed = GUARDED.replace(change, by)
    assert changed != GUARDED
    assert explore(tree(GUARDED, changed), TreeLimits(states=2000)).verdict == "refuted"


BOUND = "tree: t\nroot:\n  - sequence:\n      - A: {}\n      - wait: 2s\n    timeout: 5s\n"
ANY = "tree: t\nports: {x: in any, y: in any}\nroot:\n"
LIST = "tree: t\nports: {x: in list of text}\nroot:\n"


@pytest.mark.parametrize(
    ("text", "change", "by"),
    [
        # a wait that begins after 4 s is not over after 5
        (
            BOUND,
            "- A: {}\n      - wait: 2s\n    timeout: 5s\n",
            "- A: {}\n        timeout: 5s\n      - wait: 2s\n",
        ),
        (BOUND, "    timeout: 5s\n", ""),
        # it turns at 70, and at 8.5, which nothing names
        (ANY + "  - check: 100 - x > 30\n", "> 30", ">= 30"),
        (ANY + "  - check: 2 * x + 3 > 20\n", "> 20", ">= 20"),
        (ANY + "  - check: x - y > 20\n", "> 20", ">= 20"),
        # neither is always true, nor always a number
        (LIST + "  - check: x | length > 1\n", "x | length > 1", "false"),
        (LIST + "  - check: x | length > 3\n", "x | length > 3", "false"),
        (ANY + "  - check: x\n", "x\n", "true\n"),
        (ANY + "  - check: x == 'a'\n  - check: y < 3\n", "x == 'a'", "false"),
        (ANY + "  - check: x == 'a'\n  - check: y < 3\n", "y < 3", "false"),
        (ANY + "  - go: {to: $x}\n  - check: x == 3\n", "x == 3", "false"),
    ],
)
def test_each_moment_and_value_that_tells_two_trees_apart_is_tried(tree, text, change, by):
    changed = by.join(text.rsplit(change, 1))
    assert changed != text
    assert explore(tree(text, changed)).verdict == "refuted"
    assert explore(tree(text, text)).verdict == "proved"


def test_moments_lie_before_with_and_after_each_timer():
    assert moments([5], [2, 5]) == [0.5, 1, 2, 3, 4, 5]
    assert moments([5], [5]) == [2.5, 5]
    assert moments([], [2]) == []


def test_what_a_tree_can_return(tree):
    (one,) = tree("tree: t\nroot:\n  - force_success: true\n    act: {}\n  - check: false\n")
    found = explore([one])
    assert (found.verdict, found.statuses) == ("proved", {"RUNNING", "FAILURE"})
    (path,) = [path for path in found.seen if path.endswith("force_success")]
    assert found.seen[path] == {"RUNNING", "SUCCESS"}


def test_variables_and_time_are_part_of_a_state(tree):
    counting = "tree: t\nvars: {n: integer = 0}\nroot:\n  - set: {n: = n + 1}\n  - check: n < 3\n"
    found = explore(tree(counting), TreeLimits(depth=5))
    assert (found.verdict, found.depth) == ("bounded", 5)
    assert found.statuses == {"SUCCESS", "FAILURE"}
    waiting = "tree: t\nroot:\n  - wait: 2s\n    timeout: {}\n"
    never, sometimes = (explore(tree(waiting.format(limit))) for limit in ("3s", "1s"))
    assert "FAILURE" not in never.statuses
    assert "FAILURE" in sometimes.statuses


def test_bounds_are_told(tree):
    found = explore(tree(GUARDED), TreeLimits(states=10))
    assert (found.verdict, found.why) == ("bounded", "budget 10 states")
    assert explore(tree(GUARDED), TreeLimits(depth=1)).why == "depth"


def test_what_is_not_finite_is_named(tree):
    with pytest.raises(NotFinite, match="order: a value of the type mapping"):
        explore(tree("tree: t\nports: {order: in mapping}\nroot:\n  - check: order.size > 3\n"))


def test_arithmetic_that_turns_without_end_is_named(tree):
    """The first of several, whatever their order in the file."""
    text = "tree: t\nports: {x: in integer}\nroot:\n  - check: x > 2.5\n"
    for more in ("  - check: x // 2 == 1\n  - check: x % 2 == 1\n", "  - check: x % 2 == 1\n"):
        with pytest.raises(NotFinite, match=r"^x: a number, .* does arithmetic with %$"):
            explore(tree(text + more))


def checklist(size: int) -> str:
    ports = ", ".join(f"c{number}: in bool" for number in range(size))
    each = "".join(f"  - selector:\n      - check: c{n}\n      - a{n}: {{}}\n" for n in range(size))
    return f"tree: t\nports: {{{ports}}}\nroot:\n{each}"


def test_ways_through_a_tick_that_meet_are_tried_once(tree):
    """There are 2 ** 12 ways through its conditions."""
    found = explore(tree(checklist(12)), TreeLimits(ticks=1500))
    assert found.verdict == "proved"


def _drawn(rng: random.Random, depth: int) -> dict[str, object]:
    if not depth or rng.random() < 0.25:
        check = rng.choice(("p", "q", "r", "p and q", "n < 1"))
        leaves = ({rng.choice("ABCDE"): {}}, {"check": check}, {"set": {"n": "= 1 - n"}})
        return rng.choices(leaves, weights=(6, 3, 1))[0]
    children = [_drawn(rng, depth - 1) for _ in range(rng.randint(1, 3))]
    key = rng.choice(("sequence", "selector", "reactive_sequence", "reactive_selector", "parallel"))
    body: object = children
    if key == "parallel":
        counts = (-1, 1, len(children))
        success, failure = rng.choice(counts), rng.choice(counts)
        body = {"children": children, "success": success, "failure": failure}
    turn = rng.choice((None, None, "invert", "force_success", "force_failure"))
    return {key: body, **({turn: True} if turn else {})}


@pytest.mark.parametrize("seed", range(many(40, 6)))
def test_what_is_left_out_of_a_tick_changes_nothing(tree, seed):
    """A tree beside itself is ticked to the end in every way; alone, ways that meet are not."""
    rng = random.Random(7000 + seed)
    root = json.dumps([_drawn(rng, 3), _drawn(rng, 2)])
    names = "ports: {p: in bool, q: in bool, r: in bool}\nvars: {n: integer = 0}\n"
    text = f"tree: t\n{names}root: {root}\n"
    alone, beside = explore(tree(text)), explore(tree(text, text), TreeLimits(ticks=4000))
    if beside.verdict == "proved":
        assert (alone.states, alone.statuses) == (beside.states, beside.statuses)
        for path, seen in beside.seen.items():
            assert alone.seen.get(path, set()) - {"INVALID"} == seen - {"INVALID"}


@pytest.mark.parametrize("seed", range(8))
def test_equal_states_go_on_alike(tree, seed):
    """What is reached by another way to a state does what was done from it before."""
    text = tree_file(0, {"family": "random", "tree": random_tree(9000 + seed, 2)})
    rng = random.Random(seed)
    known: dict[object, dict[tuple[int, ...], object]] = {}
    (one,) = tree(text)
    first = one.save()
    for _ in range(60):
        one.restore(first)
        for _ in range(5):
            state, choices = one.state, Choices([rng.randrange(3) for _ in range(40)])
            did = one.tick(choices)
            told = (did.status, did.done, did.halted, one.state)
            assert known.setdefault(state, {}).setdefault(tuple(choices.made), told) == told


def compared_with_xml(tree, text: str, ticks: int):
    imported = import_trees(text.encode(), "t.xml")
    if imported.failed:
        return None
    (answered,) = tree(to_tree_file(imported.trees))
    root = read_xml(text.encode())
    numbers = constants_of(root) | {2, 3, 5}
    answered.scope.values.constants = numbers
    model = ModelTree("Main", trees_in(root), numbers)
    return explore([answered, model], TreeLimits(ticks=ticks))


def test_imported_trees_do_what_behaviortree_cpp_does(tree):
    """But for nodes that are skipped by what is in them (docs/interchange.md)."""
    texts = [random_xml(seed) for seed in range(many(60, 16))]
    found = [(compared_with_xml(tree, text, 800), text) for text in texts]
    verdicts = [(one.verdict, is_skipped_inside(text)) for one, text in found if one is not None]
    assert ("refuted", False) not in verdicts
    assert sum(verdict == "proved" for verdict, _ in verdicts) > len(verdicts) / 2


def test_what_is_skipped_by_what_is_in_it_stays_running_in_behaviortree_cpp(tree):
    """As BehaviorTree.CPP itself does, of which tests/interchange/test_btcpp.py says the same."""
    text = (
        '<root><BehaviorTree ID="Main"><IfThenElse _successIf="x &gt; 2"><A/>'
        "<RunOnce><B/></RunOnce></IfThenElse></BehaviorTree></root>"
    )
    found = compared_with_xml(tree, text, 2000)
    assert found.verdict == "refuted"
    _, second, third = found.steps
    assert [did.status for did in second.did] == ["INVALID", "INVALID"]
    assert [[label for label, _ in did.done] for did in third.did] == [[], ["A"]]


def test_a_wrong_import_is_found(tree):
    reactive = "<ReactiveSequence><A/><B/></ReactiveSequence>"
    text = f'<root><BehaviorTree ID="Main">{reactive}</BehaviorTree></root>'
    (answered,) = tree("tree: Main\nroot:\n  - A: {}\n  - B: {}\n")
    found = explore([answered, ModelTree("Main", trees_in(read_xml(text.encode())), ())])
    assert found.verdict == "refuted"


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        ('<Script code="x := 1"/>', r"1:.*'Script' is not in the model"),
        (
            '<SubTree ID="Nosuch"/>',
            "^unknown tree 'Nosuch'; did you mean|^unknown tree 'Nosuch'; known: Main$",
        ),
        ('<SubTree ID="Main"/>', "1:7: the tree 'Main' contains itself$"),
        ("<A/><B/>", "1:7: the tree 'Main' has no single root$"),
        ('<Repeat num_cycles="x"><A/></Repeat>', '1:31: num_cycles="x" is no number$'),
        ('<Sequence><A x="{v}"/><B _skipIf="v"/></Sequence>', "'v' is read here, and may be set"),
    ],
)
def test_what_the_model_lacks_is_named(inside, why):
    text = f'<root><BehaviorTree ID="Main">{inside}</BehaviorTree></root>'
    with pytest.raises(NotModelled, match=why):
        ModelTree("Main", trees_in(read_xml(text.encode())), ())


def test_an_entry_that_a_node_is_given_is_what_the_import_makes_of_it(tree):
    text = (
        '<root><BehaviorTree ID="Main"><Sequence><C/><A x="{v}"/></Sequence></BehaviorTree></root>'
    )
    assert compared_with_xml(tree, text, 5000).verdict == "proved"


def test_the_command_compares_names_and_files(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    one, other = tmp_path / "one.tree.yaml", tmp_path / "other.tree.yaml"
    one.write_text(GUARDED, encoding="utf-8")
    other.write_text(GUARDED.replace("retry: 3", "retry: 2"), encoding="utf-8")
    assert main(["prove", "one.tree.yaml", "--same-as", "one.tree.yaml"]) == 0
    assert "proved: 'one.tree.yaml' and 'one.tree.yaml' do the same (" in capsys.readouterr().out
    assert main(["prove", "one.tree.yaml", "--same-as", "other.tree.yaml"]) == 1
    told = capsys.readouterr().out
    assert told.startswith("not the same: 'one.tree.yaml' and 'other.tree.yaml' differ at tick 2")
    assert main(["prove", "one.tree.yaml", "--budget", "5", "--output-format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["verdict"], data["why"]) == ("bounded", "budget 5 states")
    assert main(["prove", "one.tree.yaml", "--same-as", "two.xml"]) == 2
    assert "two.xml cannot be read" in capsys.readouterr().err
    assert main(["prove", "one.tree.yaml", "--property", "never: battery < 8"]) == 2
    assert "--property is about a system, and 'one.tree.yaml' is a tree" in capsys.readouterr().err
    assert main(["prove", "one.tree.yaml", "--jobs", "2"]) == 2


def test_the_command_says_what_a_tree_can_return(capsys):
    library = str(ROOT / "engine/treec/templates/warehouse")
    assert main(["prove", "dispatcher", "--library", library]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("proved: 'dispatcher' can return FAILURE, RUNNING, SUCCESS (")
