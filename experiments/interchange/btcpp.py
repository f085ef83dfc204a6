"""``python -m experiments.interchange.btcpp``: treec beside BehaviorTree.CPP, tree by tree.

BehaviorTree.CPP itself (through `behaviortreepy`) ticks a tree, and treec ticks what `treec import`
makes of it; or treec ticks a tree, and BehaviorTree.CPP what `treec export` makes of it. Compared
are, tick by tick, the status of the root, the leaves that were ticked with their statuses and
order, those that were halted, and the variables. Trees are random, from a seed: control nodes,
decorators, subtrees, guards and scripts over leaves that return scripted statuses.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from treec_testing.pool.spread import Pool, spread
from treec_testing.pool.workers import CannotOpen

TICKS = 8
CHUNK = 250
"""The number of trees that a process compares."""
VARIABLES = {"a": 0, "b": 2, "c": 1, "n": 2}
"""The variables of each tree that are whole numbers."""
CONDITION = "Is"
"""What names of leaves begin with that are conditions: they are never RUNNING."""
TEXT = "s"
"""The one that is a text."""


@dataclass
class ScriptedTree:
    """A file of BehaviorTree.CPP, and the scripts of its leaves: a letter a tick."""

    xml: str
    leaves: dict[str, str]


@dataclass
class TickRecord:
    """What happened in a tick."""

    root: str
    leaves: list[tuple[str, str]] = field(default_factory=list)
    halted: list[str] = field(default_factory=list)
    variables: dict[str, float] = field(default_factory=dict)


KNOWN = {
    "action as condition": "WhileDoElse, and IfThenElse with two elements, do not reset their "
    "first element: an action there is not asked again before the whole ends; conditions are",
    "halted after it was skipped": "a control node or decorator that what is in it skips counts as "
    "RUNNING there, so that its _onHalted runs when the node above ends; here it was not running",
    "count kept over a skip": "Repeat and RetryUntilSuccessful whose child is skipped keep their "
    "count there until a node above resets them; here their round is over",
    "precondition after a skip": "those of a control node or decorator that is skipped by what is "
    "in it are not looked at there until a node above resets it; here its round is over",
    "queue kept over a skip": "a LoopInt, or one of its kind, that is skipped when it is empty "
    "stays empty there until a node above resets it; its next round has all items again here",
    "precondition after a halt": "a Precondition whose running child was halted ticks it again "
    "there without looking at its condition",
    "not halted": "SkipUnlessUpdated and WaitValueUpdate do not halt what is in them there when "
    "they are halted",
    "count that changes": "the entry in which a number of rounds or attempts is, is read in each "
    "tick there, and when the first round begins here",
    "text as number": "in a script, a text that looks like a number is equal to that number there",
    "division by zero": "it is infinite there; in treec the script fails",
    "exception": "a script with an entry that nobody has set, or that gives an entry a value of "
    "another type, ends the program there; in treec the node fails",
}
"""Differences that are known, each with its reason."""

EXAMPLES: dict[str, ScriptedTree] = {}
"""A tree for each of them."""
for _name, _xml, _leaves in (
    (
        "halted after it was skipped",
        "<Sequence><Fallback _onHalted='a := 1'><L0 _skipIf='a == 0'/></Fallback><L1/></Sequence>",
        {"L0": "S", "L1": "S"},
    ),
    (
        "count kept over a skip",
        "<Repeat num_cycles='2'><IfThenElse><IsA/><L0/><L1 _skipIf='a == 0'/></IfThenElse>"
        "</Repeat>",
        {"IsA": "SFS", "L0": "S", "L1": "S"},
    ),
    (
        "precondition after a skip",
        "<Inverter><IfThenElse _successIf='a > 1'><L0 _onSuccess='a += 1'/><RunOnce><L1/></RunOnce>"
        "</IfThenElse></Inverter>",
        {"L0": "S", "L1": "S"},
    ),
    (
        "queue kept over a skip",
        "<LoopInt queue='1' value='{a}' if_empty='SKIPPED'><L0/></LoopInt>",
        {"L0": "S"},
    ),
    (
        "precondition after a halt",
        "<Parallel success_count='2'><KeepRunningUntilFailure><Switch2 variable='{s}' case_1='x' "
        "case_2='y'><Precondition if='a == 0' else='FAILURE'><L0/></Precondition>"
        "<Script code=\"s := 'x'\"/><AlwaysSuccess/></Switch2></KeepRunningUntilFailure>"
        "<Script code=\"s := 'y'; a := 1\"/></Parallel>",
        {"L0": "R"},
    ),
    (
        "not halted",
        "<ReactiveFallback><IsA/><WaitValueUpdate entry='{a}'><L0/></WaitValueUpdate>"
        "</ReactiveFallback>",
        {"IsA": "FS", "L0": "R"},
    ),
    (
        "action as condition",
        "<WhileDoElse><L0/><L1/><L2/></WhileDoElse>",
        {"L0": "SF", "L1": "R", "L2": "R"},
    ),
    (
        "count that changes",
        "<Repeat num_cycles='{b}'><Sequence><L0/><Script code='b := 0'/></Sequence></Repeat>",
        {"L0": "S"},
    ),
    (
        "text as number",
        "<Sequence><Script code=\"s := '1'\"/><ScriptCondition code='s == 1'/></Sequence>",
        {},
    ),
    ("division by zero", "<ScriptCondition code='1 / a > 5'/>", {}),
    ("exception", "<ScriptCondition code='never_set == 1'/>", {}),
):
    _tree = f"<BehaviorTree ID='main'>{_xml}</BehaviorTree>"
    EXAMPLES[_name] = ScriptedTree(f"<root BTCPP_format='4'>{_tree}</root>", _leaves)


def known_in(case: ScriptedTree) -> list[str]:
    """The known differences that a random tree may show."""
    tree = ElementTree.fromstring(case.xml)
    found = ["precondition after a halt"] if tree.find(".//Precondition") is not None else []
    if any(tree.find(f".//{tag}") is not None for tag in ("SkipUnlessUpdated", "WaitValueUpdate")):
        found.append("not halted")
    trees = {one.get("ID"): one for one in tree}

    def skips(element: ElementTree.Element, inside: bool = False) -> bool:
        own = inside and (
            not element.attrib.keys().isdisjoint(("_skipIf", "_while"))
            or (element.tag == "RunOnce" and element.get("then_skip") != "false")
            or element.get("else") == "SKIPPED"
            or element.tag == "SkipUnlessUpdated"
            or element.get("if_empty") == "SKIPPED"
        )
        below = [*element]
        if element.tag == "SubTree":
            below = [trees[element.get("ID")]]
        return own or any(skips(one, inside=True) for one in below)

    if any(one.get("if_empty") == "SKIPPED" for one in tree.iter()):
        found.append("queue kept over a skip")
    loops = (one for tag in ("Repeat", "RetryUntilSuccessful") for one in tree.iter(tag))
    return found + (["count kept over a skip"] if any(map(skips, loops)) else [])


# Random trees

CONTROLS = (
    *("Sequence", "Fallback", "ReactiveSequence", "ReactiveFallback", "SequenceWithMemory"),
    *("AsyncSequence", "AsyncFallback"),
    *("Parallel", "ParallelAll", "IfThenElse", "WhileDoElse", "Switch2", "SubTree"),
)
DECORATORS = (
    *("Inverter", "ForceSuccess", "ForceFailure", "KeepRunningUntilFailure", "RunOnce"),
    *("RetryUntilSuccessful", "Repeat", "Timeout", "Precondition"),
    *("SkipUnlessUpdated", "WaitValueUpdate", "LoopInt", "LoopString"),
)


_SKIPS = ("_skipIf", "_while", "SKIPPED", "RunOnce", "SubTree", "SkipUnlessUpdated")
"""What a node has in it that is skipped by what is in it."""


class Generator:
    """Random trees of BehaviorTree.CPP."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._leaves: dict[str, str] = {}
        self._subtrees: list[str] = []

    def case(self) -> ScriptedTree:
        """A file with a main tree and the subtrees that it inserts."""
        main = self._node(self._rng.randint(1, 4))
        trees = [f'<BehaviorTree ID="main">{main}</BehaviorTree>', *self._subtrees]
        return ScriptedTree(
            f'<root BTCPP_format="4" main_tree_to_execute="main">{"".join(trees)}</root>',
            self._leaves,
        )

    def _node(self, depth: int, conditions: bool = True) -> str:
        roll = self._rng.random()
        if depth == 0 or roll < 0.15:
            return self._leaf()
        if roll < 0.45:
            return self._decorator(depth)
        kind = self._rng.choice(CONTROLS)
        few = {"IfThenElse": (3, 3), "WhileDoElse": (2, 3), "Switch2": (3, 3), "SubTree": (0, 0)}
        count = self._rng.randint(*few.get(kind, (1, 4)))
        given: dict[str, object] = {}
        if kind == "Parallel":
            most = min(count, 2)
            given["success_count"] = self._rng.choice((-1, -1, 1, most))
            given["failure_count"] = self._rng.choice((1, 1, most, -1))
        if kind == "ParallelAll":
            given["max_failures"] = self._rng.choice((1, 1, count, -1, 0))
        if kind == "Switch2":
            given |= {"variable": "{s}", "case_1": "x", "case_2": "y"}
        if kind == "SubTree":
            name = f"sub{len(self._subtrees)}"
            self._subtrees.append("")
            index = len(self._subtrees) - 1
            inner = self._node(depth - 1)
            self._subtrees[index] = f'<BehaviorTree ID="{name}">{inner}</BehaviorTree>'
            given |= {"ID": name, "_autoremap": "true"}
        children = [self._node(depth - 1) for _ in range(count)]
        if kind == "WhileDoElse":  # its condition is not RUNNING
            children[0] = self._element("ScriptCondition", {"code": self._condition(2)}, "")
        if kind in ("IfThenElse", "WhileDoElse") and self._rng.random() < 0.5:
            name = f"{CONDITION}{len(self._leaves)}"
            self._leaves[name] = "".join(self._rng.choices("SF", k=3))
            children[0] = f"<{name}/>"
        return self._element(kind, given, "".join(children))

    def _decorator(self, depth: int) -> str:
        kind = self._rng.choice(DECORATORS)
        given: dict[str, object] = {}
        if kind == "RetryUntilSuccessful":
            given["num_attempts"] = self._rng.choice((1, 2, 3, -1, "{n}"))
        if kind == "Repeat":
            given["num_cycles"] = self._rng.choice((1, 2, 3, -1, "{n}"))
        if kind == "Timeout":
            given["msec"] = 3_600_000
        if kind == "RunOnce" and self._rng.random() < 0.5:
            given["then_skip"] = "false"
        if kind in ("SkipUnlessUpdated", "WaitValueUpdate"):
            given["entry"] = f"{{{self._rng.choice(tuple(VARIABLES))}}}"
        if kind in ("LoopInt", "LoopString"):
            items, value = (
                ("0123", self._rng.choice("abcn")) if kind == "LoopInt" else ("xyz", TEXT)
            )
            given["queue"] = ";".join(self._rng.choices(items, k=self._rng.randint(0, 3)))
            given["value"] = f"{{{value}}}"
            if self._rng.random() < 0.5:
                given["if_empty"] = self._rng.choice(("FAILURE", "SKIPPED", "RUNNING", "SUCCESS"))
        if kind == "Precondition":
            given |= {"if": self._condition(2)}
            given["else"] = self._rng.choice(("SUCCESS", "FAILURE", "SKIPPED"))
        return self._element(kind, given, self._node(depth - 1))

    def _leaf(self, letters: str = "SFR") -> str:
        roll = self._rng.random()
        if roll < 0.15:
            return self._element("Script", {"code": self._script()}, "")
        if roll < 0.25:
            return self._element("ScriptCondition", {"code": self._condition(2)}, "")
        if roll < 0.28:
            entry = f"{{{self._rng.choice(tuple(VARIABLES))}}}"
            return self._element("WasEntryUpdated", {"entry": entry}, "")
        if roll < 0.3:
            return self._element(self._rng.choice(("AlwaysSuccess", "AlwaysFailure")), {}, "")
        name = f"L{len(self._leaves)}"
        self._leaves[name] = "".join(self._rng.choices(letters, k=self._rng.randint(1, 4)))
        return self._element(name, {}, "")

    def _element(self, tag: str, given: dict[str, object], children: str) -> str:
        for key in ("_skipIf", "_failureIf", "_successIf", "_while"):
            if self._rng.random() < 0.06:
                given[key] = self._condition(2)
        can_be_skipped = any(word in children for word in _SKIPS)
        for key in ("_onSuccess", "_onFailure", "_post", "_onHalted"):
            if self._rng.random() < 0.06 and not (key == "_onHalted" and can_be_skipped):
                given[key] = self._script()
        attributes = "".join(f" {key}={quoteattr(str(value))}" for key, value in given.items())
        return f"<{tag}{attributes}>{children}</{tag}>" if children else f"<{tag}{attributes}/>"

    def _condition(self, depth: int) -> str:
        roll = self._rng.random()
        if roll < 0.06:
            return f"s {self._rng.choice(('==', '!='))} '{self._rng.choice('xyz')}'"
        if roll < 0.12:
            return f"{self._number(1)} < {self._number(1)} <= {self._number(1)}"
        if depth == 0 or roll < 0.5:
            operator = self._rng.choice(("==", "!=", "<", "<=", ">", ">="))
            return f"{self._number(1)} {operator} {self._number(1)}"
        if roll < 0.6:
            return f"!({self._condition(depth - 1)})"
        operator = self._rng.choice(("&&", "||"))
        one, other = self._condition(depth - 1), self._condition(depth - 1)
        return f"{one} {operator} {other}" if roll < 0.8 else f"({one}) {operator} ({other})"

    def _number(self, depth: int) -> str:
        roll = self._rng.random()
        if roll < 0.55:
            return self._rng.choice(tuple(VARIABLES))
        if depth == 0 or roll < 0.8:
            return str(self._rng.randint(0, 3))
        parts = [self._number(0)]
        for _ in range(self._rng.randint(1, 3)):
            parts += self._rng.choice(("+", "-", "*")), self._number(0)
        text = " ".join(parts)
        return f"({text})" if roll < 0.9 else text

    def _script(self) -> str:
        parts = []
        for _ in range(self._rng.choice((1, 1, 2))):
            name = self._rng.choice(("a", "b", "c", TEXT))
            if name == TEXT:
                parts.append(f"s := '{self._rng.choice('xyz')}'")
                continue
            operator = self._rng.choice((":=", ":=", "=", "+=", "-="))
            value = self._number(1)
            if operator == ":=" and self._rng.random() < 0.2:
                value = f"{self._condition(1)} ? {value} : {self._number(0)}"
            parts.append(f"{name} {operator} {value}")
        return "; ".join(parts)


def random_case(seed: int) -> ScriptedTree:
    """The random tree of a seed."""
    return Generator(random.Random(seed)).case()


# Both sides


class ImportRefused(Exception):
    """Nobody can say what the tree does: it was not imported, or BehaviorTree.CPP threw."""


def run_btcpp(case: ScriptedTree, ticks: int = TICKS) -> list[TickRecord]:
    """What BehaviorTree.CPP does. Raises ImportRefused."""
    import behaviortreepy as bt

    statuses = {"S": bt.NodeStatus.SUCCESS, "F": bt.NodeStatus.FAILURE, "R": bt.NodeStatus.RUNNING}
    factory = bt.BehaviorTreeFactory()
    done: list[TickRecord] = []

    def register(name: str, script: str) -> None:
        due = 0

        def tick(_: object) -> Any:
            nonlocal due
            status = statuses[script[due % len(script)]]
            due += 1
            done[-1].leaves.append((name, status.name))
            return status

        if name.startswith(CONDITION):
            factory.register_simple_condition(name, tick)
            return
        factory.register_simple_stateful_action(
            name, tick, tick, lambda _: done[-1].halted.append(name)
        )

    for name, script in case.leaves.items():
        register(name, script)
    board = bt.Blackboard.create()
    for variable, value in VARIABLES.items():
        board.set_int(variable, value)
    board.set_string(TEXT, "x")
    try:
        factory.register_behavior_tree_from_text(case.xml)
        tree = factory.create_tree("main", board)
        for _ in range(ticks):
            done.append(TickRecord(""))
            done[-1].root = tree.tick_exactly_once().name
            done[-1].variables = {name: board.get_double(name) for name in VARIABLES}
        done.append(TickRecord("halted"))
        tree.halt_tree()
    except RuntimeError as error:
        raise ImportRefused(f"BehaviorTree.CPP: {str(error)[:80]}") from error
    return done


def run_treec(
    trees: list[dict[str, Any]], leaves: Mapping[str, str], ticks: int = TICKS
) -> list[TickRecord]:
    """What treec does with trees, the first of which is the main one."""
    from pathlib import Path

    from py_trees.common import Status

    from treec.compile.build import Compiler
    from treec.compile.standalone import idle_runtime
    from treec.files.library import Library, load_file
    from treec.files.view import View
    from treec.nodes.leaves.probe import Probe
    from treec_interchange.tree_yaml import to_tree_file

    data = [_with_probes(tree, leaves) for tree in trees]
    data[0]["root"] = [data[0]["root"]]  # so that a subtree has a path of its own
    for tree in data:
        if tree is data[0]:
            kinds = {name: f"number = {VARIABLES[name]}" for name in VARIABLES}
            kinds[TEXT] = "text = 'x'"
            tree["vars"] = {**tree.get("vars", {}), **kinds}
            tree.pop("ports", None)  # what a run would be given
    path = Path("/nowhere/t.tree.yaml")
    library = Library(path.parent, edited={path.name: to_tree_file(data)})
    load_file(library, path, path.name)
    if library.diagnostics:
        raise AssertionError(f"{library.diagnostics[0].span}: {library.diagnostics[0].message}")
    view = View(library)
    compiler = Compiler(view, idle_runtime(view))
    entry = view.find("tree", data[0]["tree"])
    assert entry is not None
    root = compiler.root(entry)
    done: list[TickRecord] = []

    def on_tick(probe: Probe, status: Status) -> None:
        done[-1].leaves.append((probe.name, status.name))

    def on_halt(probe: Probe) -> None:
        done[-1].halted.append(probe.name)

    for node in root.iterate():
        if isinstance(node, Probe):
            node.on_tick, node.on_halt = on_tick, on_halt
    _, frame = compiler.frames[data[0]["tree"]]
    for _ in range(ticks):
        done.append(TickRecord(""))
        root.tick_once()
        done[-1].root = "SKIPPED" if root.status is Status.INVALID else root.status.name
        done[-1].variables = {name: float(str(frame.lookup(name))) for name in VARIABLES}
    done.append(TickRecord("halted"))
    root.stop(Status.INVALID)
    return done


def _with_probes(data: Any, leaves: Mapping[str, str]) -> Any:
    """Trees in which the leaves are probes."""
    if isinstance(data, list):
        return [_with_probes(one, leaves) for one in data]
    if not isinstance(data, dict):
        return data
    node = {key: _with_probes(value, leaves) for key, value in data.items()}
    for key in node.keys() & leaves.keys():
        del node[key]
        node["probe"] = {"name": key, "script": leaves[key]}
    return node


def compare(one: list[TickRecord], other: list[TickRecord]) -> str | None:
    """The first difference, or None."""
    for number, (mine, theirs) in enumerate(zip(one, other, strict=True), 1):
        for key in ("root", "leaves", "halted", "variables"):
            here, there = getattr(mine, key), getattr(theirs, key)
            if here != there:
                return f"tick {number}: {key}: BehaviorTree.CPP {here}, treec {there}"
    return None


def imported(case: ScriptedTree) -> list[dict[str, Any]]:
    """What treec imports. Raises ImportRefused."""
    from treec_interchange.importer import import_trees

    done = import_trees(case.xml.encode(), "x.xml")
    errors = [str(one.message) for one in done.findings if one.severity == "error"]
    if errors:
        raise ImportRefused(f"import: {errors[0]}")
    unknown = sorted(done.own_types.keys() - case.leaves.keys())
    if unknown:
        raise ImportRefused(f"import: unknown node '{unknown[0]}'")
    return done.trees


def judge(case: ScriptedTree) -> str | None:
    """The first difference between BehaviorTree.CPP and the imported tree. Raises ImportRefused."""
    return compare(run_btcpp(case), run_treec(imported(case), case.leaves))


def judge_export(case: ScriptedTree) -> str | None:
    """The first difference of an imported tree and its export. Raises ImportRefused."""
    trees = imported(case)
    return compare(run_btcpp(exported(trees, case.leaves)), run_treec(trees, case.leaves))


def exported(trees: list[dict[str, Any]], leaves: dict[str, str]) -> ScriptedTree:
    """What treec exports trees as, the first of which is the main one. Raises ImportRefused."""
    from pathlib import Path

    from treec.files.library import Library, load_file
    from treec.files.view import View
    from treec_interchange.exporter import export_trees
    from treec_interchange.tree_yaml import to_tree_file

    path = Path("/nowhere/t.tree.yaml")
    library = Library(path.parent, edited={path.name: to_tree_file(trees)})
    load_file(library, path, path.name)
    done = export_trees(View(library), trees[0]["tree"], "btcpp")
    if done.findings:
        raise ImportRefused(f"export: {done.findings[0].message}")
    return ScriptedTree(done.text, leaves)


Result = tuple[int, str, str | None, str | None]
"""The seed, the way, the difference, or why there was nothing to compare."""


WAYS = {"import": judge, "export": judge_export}


def judge_many(seeds: range) -> Iterator[Result]:
    """Of each seed, and of each way, the difference or why there was nothing to compare."""
    for seed in seeds:
        case = random_case(seed)
        for way, compared in WAYS.items():
            try:
                yield seed, way, compared(case), None
            except ImportRefused as why:
                yield seed, way, None, str(why)


def _judge(seeds: range) -> list[Result]:
    return list(judge_many(seeds))


def _ended(seeds: range) -> list[Result]:
    return [(seed, way, None, "its process ended") for seed in seeds for way in WAYS]


def main(arguments: list[str] | None = None) -> int:
    """Print how many trees were compared, which differ and why others were not compared."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=10_000, help="Number of trees (default: 10000).")
    parser.add_argument("--seed", type=int, default=0, help="The first seed (default: 0).")
    parser.add_argument("--jobs", type=int, help="Number of processes (default: 1; Ray: all).")
    parser.add_argument("--on", default="", help="Ray: ray, ray=ADDRESS or ray://HOST:PORT.")
    parser.add_argument("--show", type=int, help="Print the tree of a seed, and what each does.")
    given = parser.parse_args(arguments)
    if given.show is not None:
        show(given.show)
        return 0
    if given.jobs is not None and given.jobs < 1:
        parser.error(f"--jobs must be at least 1, not {given.jobs}")
    seeds = range(given.seed, given.seed + given.n)
    chunks = [seeds[first : first + CHUNK] for first in range(0, given.n, CHUNK)]
    counts, refused = Counter[str](), Counter[str]()

    def take(results: list[Result]) -> None:
        for seed, way, difference, why in results:
            if why is not None:
                refused[f"{way}: {' '.join(why.split())[:70]}"] += 1
                continue
            counts[way] += 1
            if difference is not None:
                known = " or ".join(known_in(random_case(seed)))
                counts[f"{way} differs" + (" as known" if known else "")] += 1
                note = f" ({known})" if known else ""
                print(f"seed {seed}, {way}: {difference}{note}", flush=True)
        done = sum(counts[way] for way in WAYS) + refused.total()
        print(f"{done // 2} of {given.n}", file=sys.stderr)

    pool = Pool(given.jobs, given.on, lambda text: print(text, file=sys.stderr))
    try:
        # in processes of their own: neither side frees all it takes
        for _, results in spread(_judge, chunks, pool, fresh=1, lost=_ended):
            take(results)
    except CannotOpen as error:
        parser.error(str(error))
    for way in WAYS:
        differ, listed = counts[f"{way} differs"], counts[f"{way} differs as known"]
        print(
            f"{way}: {counts[way]} of {given.n} trees compared, {differ} differ, "
            f"{listed} more in a way that is listed"
        )
    for why, times in refused.most_common(20):
        print(f"{times:6}  not compared, {why}")
    return 1 if counts["import differs"] + counts["export differs"] else 0


def show(seed: int) -> None:
    """Print the tree of a seed, and what each side does."""
    from xml.dom.minidom import parseString

    from treec_interchange.tree_yaml import to_tree_file

    case = random_case(seed)
    print(parseString(case.xml).toprettyxml(indent="  "), case.leaves)
    for tick in run_btcpp(case):
        print(tick)
    trees = imported(case)
    print(to_tree_file(trees))
    for tick in run_treec(trees, case.leaves):
        print(tick)


if __name__ == "__main__":
    raise SystemExit(main())
