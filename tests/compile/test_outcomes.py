"""What cannot be built, although it can be read, and why: `outcomes.txt`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from tests.support import golden
from tests.support.bench import Bench
from tests.support.files import tree

ROOTS = (
    "check: true",
    "tree: nosuch",
    "tree: main",
    "decision: Nosuch",
    "action: Nosuch",
    "skill: nosuch",
    "program: Nosuch",
    "plan: nosuch",
    "recipe: Nosuch",
    "read: Nosuch",
    "take: {queue: R1, into: nosuch}",
    "report: {subtask: $nosuch}",
    "nosuch: {x: 1}",
    "for_each: {item: x, in: robots, do: {log: '{{ x }}'}}",
    "for_each: {item: x, in: '[1, 2]', do: {log: '{{ x }}'}}",
    "for_each: {item: x, in: now, do: {log: '{{ x }}'}}",
    "for_each: {item: x, in: '1', do: {log: '{{ x }}'}}",
    "check: nosuch > 0",
    "check: '1 +'",
    "set: {nosuch: 1}",
    "wait: 0s",
    "timeout: 0s\ncheck: true",
    "retry: 0\ncheck: true",
    "cooldown: 0s\ncheck: true",
    "delay: 0s\ncheck: true",
    "repeat: -2\ncheck: true",
    "parallel: [{check: true}, {action: Nosuch}]",
    "sequence: []",
    "{parallel: [], for: x in now}",
    "[{parallel: [{log: a}], for: x in now}]",
    "[{parallel: [{log: a}], for: x in 1}]",
    "{timeout: 5s, retry: 2, sequence: [{log: a}, {log: a}, {wait: 1s}]}",
    "{on_failure: {log: b}, check: false}",
    "{while: level < 3, repeat: 3, invert: true, log: a}",
    "selector: [{check: true}, {tree: nosuch}]",
)


def _built(folder: Path, root: str) -> str:
    b = Bench(folder, tree(root))
    return ", ".join(f"{path} {type(node).__name__}" for path, node in b.nodes.items())


def _calls(tmp_path: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    for number, root in enumerate(ROOTS):
        folder = tmp_path / str(number)
        yield repr(root), lambda folder=folder, root=root: _built(folder, root)  # type: ignore[misc]


def test_outcomes(tmp_path: Path) -> None:
    text = golden.outcomes(_calls(tmp_path)).replace(str(tmp_path), "FOLDER")
    golden.check(Path(__file__).with_name("outcomes.txt"), text)
