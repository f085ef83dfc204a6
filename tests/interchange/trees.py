"""Random trees as data, and ways to compare trees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from treec.files.entry import AnyEntry
from treec.files.library import Library, load_file
from treec.files.view import View
from treec_interchange.exporter import node_data
from treec_interchange.tree_yaml import to_tree_file

WORDS = (
    "a",
    "R1",
    "red can",
    "5",
    "true",
    "{x}",
    "$x",
    "$$x",
    "json:1",
    "",
    " ",
    "a\nb",
    "é→",
    '"<&',
)
NAMES = st.sampled_from(("look", "two words", "a/b", "x<y", 'q"', "json:{", "ü"))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | st.sampled_from(("$agent", "$subtask.words", *WORDS)),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=4,
)
ARGUMENTS = st.dictionaries(
    st.sampled_from(("agent", "place", "name", "ID", "do", "with", "type", "x-y", "_z", "1")),
    VALUES,
)
CONDITIONS = st.sampled_from(
    (
        "true",
        "a == 'x' and not b",
        "(a or b) and c > 3",
        "status(agent) == 'Running'",
        "a - (b - 1) < -c",
        "not a == b",
        "{'x': 1}['x']",
        "'{{'",
    )
)
SCRIPTS = st.builds(
    lambda values: {"set": values},
    st.dictionaries(st.sampled_from("ab"), st.sampled_from((1, True, "x", "$b")), min_size=1),
)
TIMES = st.sampled_from((0.001, 0.25, 1, 20, 90, 180, 7200, 0.0001234))


def _leaves() -> st.SearchStrategy[dict[str, Any]]:
    return st.one_of(
        st.builds(lambda text: {"check": text}, CONDITIONS),
        st.builds(lambda name, given: {"skill": name, "with": given}, NAMES, ARGUMENTS),
        st.builds(lambda name: {"do": name}, NAMES),
        st.builds(lambda name: {"ask": name}, NAMES),
        st.builds(lambda seconds: {"wait": seconds}, TIMES),
        st.builds(lambda text: {"wait": {"until": text}}, CONDITIONS),
        st.builds(lambda text, t: {"wait": {"until": text, "for": t}}, CONDITIONS, TIMES),
        st.builds(
            lambda values: {"set": values},
            st.dictionaries(st.sampled_from(("a", "b", "if", "name")), VALUES, min_size=1),
        ),
        st.builds(lambda text: {"log": text}, st.sampled_from(("{{ a }} kg", *WORDS))),
        st.builds(lambda name, given: {"tree": name, "with": given}, NAMES, ARGUMENTS),
        st.builds(lambda given: {"press": given}, ARGUMENTS),
        st.builds(lambda given: {"depot.nodes:Weigh": given}, ARGUMENTS),
        st.just({"take": {"queue": "$agent", "into": "subtask"}}),
        st.just({"report": {"subtask": "$subtask", "done": True}}),
        st.just({"recipe": "$name"}),
        st.just({"program": "P", "with": {"agent": "$agent"}, "into": "text"}),
    )


OPTIONS = st.sampled_from(({"yields": True}, {"shuffle": True}, {"shuffle": True, "yields": True}))
LOOPS = st.sampled_from(
    (
        {},
        {"shuffle": True},
        {"yields": True, "if_empty": "skip"},
        {"in": "b", "takes": True},
        {"in": "names", "takes": True, "yields": True},
    )
)
IN_ORDER = st.sampled_from(("sequence", "selector"))


def _parents(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    nodes = st.lists(inner, min_size=1, max_size=3)
    case = st.sampled_from(("x", "y", "3", "true", "json:"))
    kinds = (
        "sequence",
        "selector",
        "reactive_sequence",
        "reactive_selector",
        "sequence_with_memory",
    )
    counts = st.integers(-2, 3)
    return st.one_of(
        nodes,
        st.builds(lambda kind, below: {kind: below}, st.sampled_from(kinds), nodes),
        st.builds(lambda kind, below, more: {kind: below, **more}, IN_ORDER, nodes, OPTIONS),
        st.builds(lambda below: {"parallel": below}, nodes),
        st.builds(
            lambda s, f, below: {"parallel": {"success": s, "failure": f, "children": below}},
            counts,
            counts,
            nodes,
        ),
        st.builds(lambda below: {"parallel": {"until": "never", "children": below}}, nodes),
        st.builds(lambda below: {"parallel": {"until": "all", "children": below}}, nodes),
        st.builds(lambda c, a, b: {"if": c, "then": a, "else": b}, CONDITIONS, inner, inner),
        st.builds(lambda c, a: {"if": c, "then": a}, CONDITIONS, inner),
        st.builds(lambda c, a: {"if": c, "then": a, "reactive": True}, CONDITIONS | inner, inner),
        st.builds(
            lambda of, cases, default: {"switch": {"of": of, "cases": cases, "default": default}},
            st.sampled_from(("a", "a.b", "status(agent)")),
            st.dictionaries(case, inner, min_size=1),
            inner,
        ),
        st.builds(lambda a: {"switch": {"of": "a", "cases": {"x": a}}}, inner),
        st.builds(
            lambda do, more: {"for_each": {"item": "i", "in": "[1, 2]", **more, "do": do}},
            inner | st.builds(lambda do: [{"set": {"a": "$i"}}, do], inner),
            LOOPS,
        ),
        st.builds(lambda given, below: {"Recovery": given, "children": below}, ARGUMENTS, nodes),
    )


def _modified(node: Any, more: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return {"sequence": node, **more} if more else node
    return {**node, **more}


PAUSES = st.just({"times": 3, "every": "2s", "backoff": 1.5})


def _nodes(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    more = st.fixed_dictionaries(
        {},
        optional={
            "name": NAMES,
            "about": st.sampled_from(WORDS),
            "for": st.just("agent in robots"),
            "skip_if": CONDITIONS,
            "fail_if": CONDITIONS,
            "succeed_if": CONDITIONS,
            "skip_unless": CONDITIONS,
            "while": CONDITIONS,
            "on_failure": inner | SCRIPTS,
            "on_success": inner | SCRIPTS,
            "timeout": TIMES,
            "retry": st.integers(-1, 3) | PAUSES | st.just("$a"),
            "repeat": st.integers(-1, 3) | PAUSES | st.just("= a + 1"),
            "invert": st.just(True),
            "force_success": st.just(True),
            "force_failure": st.just(True),
            "once": st.just(True) | st.just("skip"),
            "keep_running_until_failure": st.just(True),
            "cooldown": TIMES,
        },
    )
    few = st.just({}) | more
    return st.builds(_modified, inner, few)


NODES = st.recursive(_nodes(_leaves()), lambda inner: _nodes(_parents(inner)), max_leaves=8)
TREES = st.fixed_dictionaries(
    {"tree": st.sampled_from(("main", "two words", "json:x", "é"))},
    optional={"about": st.sampled_from(WORDS)},
).flatmap(
    lambda head: st.builds(
        lambda root, then, ports: {
            "tree": head["tree"],
            **({"about": head["about"]} if "about" in head else {}),
            **({"ports": ports} if ports else {}),
            "vars": {"a": "text", "b": "list of (Item or none)", "names": "list of text"},
            "root": root,
            **({"then": "repeat"} if then else {}),
        },
        NODES,
        st.booleans(),
        st.dictionaries(
            st.sampled_from("xyz"), st.sampled_from(("in Robot", "out any")), max_size=2
        ),
    )
)


def load(text: str) -> dict[str, AnyEntry]:
    """The trees of a file's text, by name."""
    library = Library(Path("/nowhere"), edited={"t.tree.yaml": text})
    entries = load_file(library, Path("/nowhere/t.tree.yaml"), "t.tree.yaml")
    assert not library.diagnostics, library.diagnostics[0]
    return {entry.name: entry for entry in entries}


def view_of(*trees: dict[str, Any]) -> View:
    """A library of some trees."""
    library = Library(Path("/nowhere"), edited={"t.tree.yaml": to_tree_file(trees)})
    load_file(library, Path("/nowhere/t.tree.yaml"), "t.tree.yaml")
    assert not library.diagnostics, library.diagnostics[0]
    return View(library)


def canonical(data: Any) -> Any:
    """Data in which what means the same is the same: a list is a sequence, an `if` may check."""
    if isinstance(data, list):
        return {"sequence": [canonical(one) for one in data]}
    if not isinstance(data, dict):
        return data
    found = {}
    for key, value in data.items():
        if key in ("with", "set") or (key not in NODE_KEYS and key not in ("then", "else")):
            if value not in (None, False, {}):
                found[key] = value
        elif key in LISTS:
            found[key] = [canonical(one) for one in value]
        elif key == "parallel":
            body = value if isinstance(value, dict) else {"children": value}
            children = [canonical(one) for one in body["children"]]
            found[key] = {"success": -1, "failure": 1, **body, "children": children}
        elif key == "switch":
            cases = {case: canonical(one) for case, one in value["cases"].items()}
            found[key] = {**value, "cases": cases, "default": canonical(value.get("default"))}
        elif key == "for_each":
            found[key] = {**value, "do": canonical(value["do"])}
        elif key == "if" and isinstance(value, dict) and value.keys() == {"check"}:
            found[key] = value["check"]
        else:
            found[key] = canonical(value)
    return found


LISTS = (
    "sequence",
    "selector",
    "reactive_sequence",
    "reactive_selector",
    "sequence_with_memory",
    "children",
)
NODE_KEYS = {*LISTS, "parallel", "switch", "for_each", "if", "on_failure", "on_success"}


def tree_of(entry: AnyEntry) -> Any:
    """A tree file as data to compare."""
    model = entry.model
    head = (model.about, model.ports, model.vars, model.then)
    return (entry.name, *head, canonical(node_data(model.root)))
