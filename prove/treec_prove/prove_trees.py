"""What `treec prove` does with trees: names or files of treec's, or XML of BehaviorTree.CPP."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from treec.cli.basics import Stop, open_library, reason
from treec_prove.trees import TickedTree, TreeLimits, TreesExplored, TriedTick, explore

if TYPE_CHECKING:
    from treec.files.entry import AnyEntry
    from treec.files.view import View
    from treec_interchange.xml_reader import XmlElement

SHOWN = 12
"""How many lines of a kind are shown."""


@dataclass
class TreeFound:
    """A tree that was named: of a library, or of a file of BehaviorTree.CPP."""

    shown: str
    view: View | None = None
    entry: AnyEntry | None = None
    xml: XmlElement | None = None


def is_tree(name: str, folder: Path | None) -> bool:
    """Whether a name is that of a tree, or of a file with one, and not of a system."""
    if name.endswith((".tree.yaml", ".xml")):
        return True
    library = open_library(folder, or_none=True)
    return library.find("system", name) is None and library.find("tree", name) is not None


def find_tree(name: str, folder: Path | None) -> TreeFound:
    """The tree of a name or file, if it has no errors. Raises Stop."""
    from treec.cli.correct import require_correct_entries
    from treec.files.view import View, views_of
    from treec.source.diagnostics import unknown

    if name.endswith(".xml"):
        return TreeFound(name, xml=_read_xml(Path(name)))
    if name.endswith(".tree.yaml"):
        return _find_in_file(Path(name))
    library = open_library(folder, or_none=True)
    views = views_of(library) or [View(library)]
    for view in views:
        if entry := view.find("tree", name):
            require_correct_entries(view, [entry])
            return TreeFound(name, view, entry)
    known = sorted({tree for view in views for tree in view.all("tree")})
    raise Stop(unknown("tree", name, known))


def _find_in_file(path: Path) -> TreeFound:
    from treec.cli.correct import require_correct_file
    from treec.cli.render import load_one_file
    from treec.files.library import NoLibrary, find_root, load_library
    from treec.files.view import View, views_of

    alone = View(load_one_file(path))
    entry = next(iter(alone.all("tree").values()), None)
    if entry is None:
        raise Stop(f"{path} has no tree")
    require_correct_file(alone.library, path, alone=False)
    try:
        library = load_library(find_root(path.resolve().parent))
    except NoLibrary:
        return TreeFound(path.as_posix(), alone, entry)
    for view in views_of(library):
        found = view.find("tree", entry.name)
        if found is not None and (library.root / found.path).resolve() == path.resolve():
            return TreeFound(path.as_posix(), view, found)
    return TreeFound(path.as_posix(), alone, entry)


def _read_xml(path: Path) -> XmlElement:
    from treec.requirements import needs_extra

    try:
        from treec_interchange.xml_reader import BadXml, read_xml
    except ImportError as error:
        raise Stop(needs_extra("XML of BehaviorTree.CPP", "interchange", error)) from None
    try:
        root = read_xml(path.read_bytes())
    except OSError as error:
        raise Stop(f"{path} cannot be read: {reason(error)}") from None
    except BadXml as error:
        raise Stop(f"{path}:{error.line}:{error.column}: {error}") from None
    for element in root.walk():
        element.path = path.as_posix()
    return root


def make_trees(found: Iterable[TreeFound]) -> list[TickedTree]:
    """Trees that are ticked with the same answers. Raises Stop."""
    from treec.nodes.place import CompileError
    from treec_prove.answering import AnsweredTree, constants_in

    found = list(found)
    constants: set[object] = set()
    for one in found:
        if one.xml is not None:
            from treec_prove.btcpp import constants_of

            constants |= constants_of(one.xml)
        elif one.view is not None and one.entry is not None:
            constants |= constants_in(one.view, one.entry)
    made: list[TickedTree] = []
    for one in found:
        if one.xml is not None:
            made.append(_make_model(one, constants))
        elif one.view is not None and one.entry is not None:
            try:
                made.append(AnsweredTree(one.view, one.entry, constants))
            except CompileError as error:
                where = f"{error.span}: " if error.span is not None else ""
                raise Stop(f"{where}{error}", 1) from None
    return made


def _make_model(one: TreeFound, constants: set[object]) -> TickedTree:
    from treec_prove.btcpp import ModelTree, NotModelled, trees_in

    assert one.xml is not None
    trees = trees_in(one.xml)
    main = one.xml.attributes.get("main_tree_to_execute") or next(iter(trees), "")
    try:
        return ModelTree(main, trees, constants)
    except NotModelled as error:
        raise Stop(str(error), 1) from None


Bounds = tuple[int | None, float | None, int | None]
"""States, seconds and ticks in a row that are looked at, if they are limited."""


def prove_trees(
    name: str, same_as: str | None, folder: Path | None, bounds: Bounds, as_json: bool
) -> int:
    """Compare two trees, or say what one can return; 0 if that is proved. Raises Stop."""
    from treec_prove.answering import NotFinite

    found = [find_tree(one, folder) for one in (name, same_as) if one is not None]
    trees = make_trees(found)
    states, seconds, depth = bounds
    limits = TreeLimits(states, depth=depth, seconds=seconds)
    show = _TreeProgress()
    try:
        explored = explore(trees, limits, show)
    except NotFinite as error:
        raise Stop(f"this cannot be tried in all cases: {error}", 1) from None
    finally:
        show.end()
    names = [one.shown for one in found]
    if as_json:
        import json

        print(json.dumps(as_data(names, explored), ensure_ascii=False))
    else:
        print("\n".join(lines_of(names, explored, _read(trees))))
    return 0 if explored.verdict == "proved" else 1


def _read(trees: Iterable[TickedTree]) -> dict[str, str]:
    read: dict[str, str] = {}
    for tree in trees:
        read.update(getattr(getattr(tree, "scope", None), "read", {}))
    return read


class _TreeProgress:
    """A line that says how far it is, on a terminal."""

    def __init__(self) -> None:
        self._is_shown = False

    def __call__(self, states: int, waiting: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{states:,} states, {waiting:,} to go on from ", end="", file=sys.stderr)
            self._is_shown = True

    def end(self) -> None:
        """Take the line away."""
        if self._is_shown:
            print("\r" + " " * 60 + "\r", end="", file=sys.stderr)


def extent(explored: TreesExplored) -> str:
    """How much was looked at, in words."""
    return f"{explored.states:,} states, {explored.ticks:,} ticks tried"


def lines_of(names: list[str], explored: TreesExplored, read: dict[str, str]) -> list[str]:
    """What is told of a proof."""
    if len(names) == 2:
        return _compared(names, explored, read)
    (name,) = names
    statuses = ", ".join(sorted(explored.statuses - {"INVALID"}) or ["nothing"])
    if "INVALID" in explored.statuses:
        statuses += ", or be skipped"
    first = f"{_head(explored)}: '{name}' can return {statuses} ({extent(explored)})"
    lines = [first, *_looked_at(read)]
    if explored.verdict != "proved":
        return lines
    never = {
        "is never ticked": [p for p, seen in explored.seen.items() if seen <= {"INVALID"}],
        "never succeeds": [p for p, seen in explored.seen.items() if _lacks(seen, "SUCCESS")],
        "never fails": [p for p, seen in explored.seen.items() if _lacks(seen, "FAILURE")],
    }
    for words, paths in never.items():
        lines += [f"  {path} {words}" for path in paths[:SHOWN]]
        if len(paths) > SHOWN:
            lines.append(f"  … and {len(paths) - SHOWN} more, of which each {words}")
    return lines


def _lacks(seen: set[str], status: str) -> bool:
    return status not in seen and not seen <= {"INVALID"}


def _head(explored: TreesExplored) -> str:
    if explored.verdict == "proved":
        return "proved"
    if explored.why == "depth":
        return f"proved to depth {explored.depth}"
    return f"not proved ({explored.why}; to depth {explored.depth} it is so)"


def _looked_at(read: dict[str, str]) -> list[str]:
    lines = [f"  any value at every tick: {name} ({values})" for name, values in read.items()]
    more = len(lines) - SHOWN
    return lines if more <= 0 else [*lines[:SHOWN], f"  … and {more} more"]


def _compared(names: list[str], explored: TreesExplored, read: dict[str, str]) -> list[str]:
    one, other = names
    if explored.verdict != "refuted":
        first = f"{_head(explored)}: '{one}' and '{other}' do the same ({extent(explored)})"
        return [first, *_looked_at(read)]
    lines = [f"not the same: '{one}' and '{other}' differ at tick {len(explored.steps)}"]
    for number, step in enumerate(explored.steps, 1):
        later = f", {step.seconds:g} s later" if step.seconds else ""
        lines.append(f"  tick {number}{later}: {'the whole is halted' if step.is_halt else ''}")
        if step.answers:
            lines[-1] += ", ".join(f"{question} is {answer}" for question, answer in step.answers)
        did = [_done(step, place) for place in range(2)]
        if did[0] == did[1]:
            lines.append(f"    both     {did[0]}")
        else:
            width = max(len(one), len(other))
            lines += [f"    {n:{width}}  {d}" for n, d in zip(names, did, strict=True)]
    return lines


def _done(step: TriedTick, place: int) -> str:
    did = step.did[place]
    ticked = ", ".join(label for label, _ in did.done) or "nothing"
    halted = f"; halts {', '.join(did.halted)}" if did.halted else ""
    return f"{did.status}: ticks {ticked}{halted}"


def as_data(names: list[str], explored: TreesExplored) -> dict[str, object]:
    """The same as data."""
    return {
        "trees": names,
        "verdict": explored.verdict,
        "states": explored.states,
        "ticks": explored.ticks,
        "depth": explored.depth,
        "why": explored.why,
        "statuses": sorted(explored.statuses),
        "nodes": {path: sorted(seen) for path, seen in explored.seen.items()},
        "steps": [
            {
                "answers": dict(step.answers),
                "seconds": step.seconds,
                "halt": step.is_halt,
                "did": [
                    {"status": did.status, "ticked": did.done, "halted": did.halted}
                    for did in step.did
                ],
            }
            for step in explored.steps
        ],
    }
