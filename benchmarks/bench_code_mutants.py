"""Mutants of the Python code: of single slips in it, how many the fast tests notice.

Seeded and drawn by room and kind, each is made in a copy of what the checkout tracks. Only tests
that run the mutated line are run, those of the room first, the fastest first, until one fails.
What `benchmarks.line_tests` records of the tests (a quarter of an hour of CPU time) is kept in the
folder that ``LINE_TESTS`` names, else in one of the temporary directory.
"""

from __future__ import annotations

import ast
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks import line_tests
from benchmarks.code_mutations import Code, Rooms, draw
from benchmarks.line_tests import FOLDER, LineTests
from benchmarks.mutations import Mutation
from benchmarks.process import ROOT
from benchmarks.table import Table
from docs.make_house import FOLDERS

SEED = 17
COUNT = 150
LEAST = 2
"""Mutants of each room, at least."""
FEWEST_LINES = 60
"""A room with fewer is left out."""
CPU_SECONDS = 8.0
"""Tests of a mutant are chosen until they take that long together, as recorded."""
SECONDS = 60.0
"""Of CPU time, after which a run that has not ended is counted as noticed."""
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
_NICE = ("nice", "-n", "10")
ASIDE = re.compile(r"/templates/|/weights/|(^|/)setup\.py$|/tests/")


@dataclass(frozen=True)
class Fate:
    """What became of a mutant."""

    mutation: Mutation
    status: str
    """'killed', 'timed out', 'survived', or 'unreached': no fast test runs the line."""
    by: str = ""
    """The test that failed."""
    tests: int = 0
    """Tests that were run, or could have been until one failed."""
    of: int = 0
    """Tests that run the line."""


def run(small: bool, seed: int = SEED, count: int = COUNT) -> list[Table]:
    """The mutants of each room and of each kind, and what became of them."""
    folder = Path(os.environ.get(FOLDER, Path(tempfile.gettempdir()) / "treec-line-tests"))
    with copy_of(ROOT) as root:
        record(root, folder)
        rooms = read_rooms(root)
        drawn = draw(rooms, 5 if small else count, 0 if small else LEAST, seed)
        fates = judge(root, folder, rooms, drawn)
    return tables(fates, seed)


@contextmanager
def copy_of(checkout: Path) -> Iterator[Path]:
    """A work tree of its own, with what the checkout tracks as it is now."""

    def git(*arguments: str) -> str:
        return subprocess.check_output(["git", *arguments], cwd=checkout, text=True).strip()

    with tempfile.TemporaryDirectory(prefix="treec-mutants-") as scratch:
        root = Path(scratch) / "treec"
        git("worktree", "add", "--quiet", "--detach", str(root), git("stash", "create") or "HEAD")
        try:
            yield root
        finally:
            git("worktree", "remove", "--force", str(root))


def environment(root: Path) -> dict[str, str]:
    """The environment of processes that import the copy, and not the checkout."""
    places = [str(root / name) for name in FOLDERS]
    before = [part for part in [os.environ.get("PYTHONPATH")] if part]
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*places, str(root), *before])}


def record(root: Path, folder: Path) -> None:
    """Record the tests that are new or have changed."""
    if modules := line_tests.stale(folder, root):
        print(f"recording {len(modules)} modules of tests", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", "pytest", "-p", "benchmarks.line_tests", *modules]
        subprocess.run(
            [*_NICE, *command],
            cwd=root,
            env={**environment(root), FOLDER: str(folder)},
            stdout=sys.stderr,
            check=False,  # tests that fail are left out
        )
        if still := line_tests.stale(folder, root):
            print(f"not recorded: {', '.join(still)}", file=sys.stderr)


def read_rooms(root: Path) -> dict[str, dict[str, str]]:
    """The modules of each room: of a folder of the core, or of a package beside it."""
    listed = subprocess.check_output(["git", "ls-files", *FOLDERS], cwd=root, text=True)
    rooms: dict[str, dict[str, str]] = {}
    for path in listed.splitlines():
        if path.endswith(".py") and not ASIDE.search(path):
            folder, package, *rest = path.split("/")
            room = "/".join([folder, package, *rest[: folder == "engine" and len(rest) > 1]])
            rooms.setdefault(room, {})[path] = (root / path).read_text("utf-8")
    return {
        room: modules
        for room, modules in rooms.items()
        if sum(text.count("\n") for text in modules.values()) >= FEWEST_LINES
    }


def judge(root: Path, folder: Path, rooms: Rooms, drawn: Sequence[Mutation]) -> list[Fate]:
    """Make the mutations one at a time, and run the tests that may notice."""
    texts = {path: text for modules in rooms.values() for path, text in modules.items()}
    places = [places_of(mutation, texts) for mutation in drawn]
    needed = {path for place in places for path in place}
    recorded = line_tests.read(folder, {path: texts[path] for path in needed})
    fates = []
    with Runner(root) as runner:
        for number, (mutation, place) in enumerate(zip(drawn, places, strict=True), start=1):
            reaching = {test for path in place for test in recorded.of(path, place[path])}
            tests = in_order(mutation.path, reaching, recorded)
            fate = runner.fate(mutation, tests, len(reaching))
            fates.append(fate)
            print(f"{number}/{len(drawn)} {describe(fate, texts)}", file=sys.stderr, flush=True)
    return fates


def places_of(mutation: Mutation, texts: Mapping[str, str]) -> dict[str, set[int]]:
    """The lines that are run where a mutation matters: path → lines.

    In a function these are its own, or else those where its statement begins; of a default, the
    function's body; of a constant or a field, all lines of functions that name it.
    """
    code = Code(texts[mutation.path])
    own = set(range(mutation.line, code.line(mutation.end) + 1))
    inner: ast.stmt | None = None
    function: ast.FunctionDef | ast.AsyncFunctionDef | None = None
    for node in ast.walk(code.tree):
        if isinstance(node, ast.stmt) and node is not code.tree:
            start, end = code.span(node)
            if start <= mutation.start <= end:
                inner = node
                if isinstance(node, _FUNCTION):
                    function = node
    if function is not None:
        body = code.span(function.body[0])[0]
        if mutation.start < body:
            own = _lines(function.body)
        elif inner is not None:
            own.add(inner.lineno)
        return {mutation.path: own}
    names = {n.id for n in ast.walk(inner or code.tree) if isinstance(n, ast.Name)} & {
        n.id
        for n in ast.walk(inner or code.tree)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return _named(names, texts) or {mutation.path: function_lines(code)}


def _named(names: set[str], texts: Mapping[str, str]) -> dict[str, set[int]]:
    if not names:
        return {}
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    found: dict[str, set[int]] = {}
    for path, text in texts.items():
        if pattern.search(text):
            inside = function_lines(Code(text))
            lines = enumerate(text.splitlines(), start=1)
            if matching := {n for n, line in lines if n in inside and pattern.search(line)}:
                found[path] = matching
    return found


def function_lines(code: Code) -> set[int]:
    """All lines of bodies of functions."""
    functions = [
        n for n in ast.walk(code.tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return set().union(*(_lines(function.body) for function in functions))


def _lines(body: Sequence[ast.stmt]) -> set[int]:
    return {line for s in body for line in range(s.lineno, (s.end_lineno or s.lineno) + 1)}


def in_order(path: str, tests: set[str], recorded: LineTests) -> list[str]:
    """The tests of the module's room first, the fastest first, as many as there is time for."""
    parts = {part.removeprefix("treec_") for part in path.split("/")[1:-1]} - {"treec"}

    def place(test: str) -> tuple[bool, float, str]:
        folders = test.partition("::")[0].split("/")[1:-1]
        return not parts.intersection(folders), recorded.seconds[test], test

    chosen: list[str] = []
    left = CPU_SECONDS
    for test in sorted(tests, key=place):
        left -= recorded.seconds[test]
        if left < 0 and chosen:
            break
        chosen.append(test)
    return chosen


class Runner:
    """Runs tests on mutants in a copy."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._trusted: dict[str, bool] = {}
        """Tests that failed, and whether they pass without a mutation."""
        self._changes = 0

    def __enter__(self) -> Runner:
        program = [sys.executable, "-P", str(Path(__file__).with_name("mutant_runner.py"))]
        self._process = subprocess.Popen(
            [*_NICE, *program, str(self._root.parent)],
            cwd=self._root,
            env=environment(self._root),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def fate(self, mutation: Mutation, tests: list[str], of: int) -> Fate:
        """Run tests on a mutant, without those that fail on what is correct."""
        tests = [test for test in tests if self._trusted.get(test, True)]
        if not tests:
            return Fate(mutation, "unreached")
        with self._mutated(mutation):
            status, failed = self._run(tests)
        if status == 0:
            return Fate(mutation, "survived", "", len(tests), of)
        if status is None:
            return Fate(mutation, "timed out", "", len(tests), of)
        if failed and not self._passes(failed):
            return self.fate(mutation, tests, of)
        if not failed and self._run(tests[:1])[0] != 0:
            return self.fate(mutation, tests[1:], of)
        return Fate(mutation, "killed", failed or "import or collection", len(tests), of)

    def _passes(self, test: str) -> bool:
        if test not in self._trusted:
            self._trusted[test] = self._run([test])[0] == 0
        return self._trusted[test]

    @contextmanager
    def _mutated(self, mutation: Mutation) -> Iterator[None]:
        """Change a file. Bytecode is looked up by the time of change, in whole seconds."""
        file = self._root / mutation.path
        text, changed = file.read_text("utf-8"), file.stat().st_mtime
        self._changes += 1
        file.write_text(mutation.apply(text), "utf-8")
        os.utime(file, (changed + self._changes, changed + self._changes))
        try:
            yield
        finally:
            file.write_text(text, "utf-8")
            os.utime(file, (changed, changed))

    def _run(self, tests: Sequence[str]) -> tuple[int | None, str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"tests": list(tests), "seconds": SECONDS}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return answer["status"], answer["test"]


def describe(fate: Fate, texts: Mapping[str, str]) -> str:
    """A line for a mutant that was noticed; for others the change, too."""
    mutation = fate.mutation
    line = f"{fate.status}: {mutation.kind} ({mutation.path}:{mutation.line}) {fate.by}".strip()
    if fate.by or fate.status == "timed out":
        return line
    before = texts[mutation.path]
    changes = difflib.unified_diff(
        before.splitlines(), mutation.apply(before).splitlines(), lineterm="", n=2
    )
    return "\n".join([f"{line} ({fate.tests} tests of {fate.of})", *list(changes)[3:]])


STATUSES = ("killed", "timed out", "survived", "unreached")


def tables(fates: Sequence[Fate], seed: int) -> list[Table]:
    """A table by room and one by kind; below them the mutants that were not noticed."""
    noticed = sum(_is_noticed(fate) for fate in fates)
    missed = [
        f"{fate.mutation.kind} ({fate.mutation.path}:{fate.mutation.line})"
        for fate in fates
        if not _is_noticed(fate)
    ]
    notes = (f"{noticed} of {len(fates)} noticed ({noticed / len(fates):.0%}), seed {seed}.",)
    if missed:
        notes += (f"Not noticed, or equivalent: {'; '.join(missed)}.",)
    return [
        _table("Mutants of the code, by room", "room", fates, room_of),
        _table("Mutants of the code, by kind", "kind", fates, lambda f: f.mutation.kind, notes),
    ]


def room_of(fate: Fate) -> str:
    """The room of a mutant's module."""
    folder, package, *rest = fate.mutation.path.split("/")
    return rest[0] if folder == "engine" and len(rest) > 1 else package


def _is_noticed(fate: Fate) -> bool:
    return fate.status in ("killed", "timed out")


def _table(
    title: str,
    column: str,
    fates: Sequence[Fate],
    group: Callable[[Fate], str],
    notes: tuple[str, ...] = (),
) -> Table:
    groups: dict[str, list[str]] = {}
    for fate in fates:
        groups.setdefault(group(fate), []).append(fate.status)
    rows = [
        (name, len(statuses), *(statuses.count(status) for status in STATUSES))
        for name, statuses in sorted(groups.items())
    ]
    return Table(title, (column, "drawn", *STATUSES), rows, notes)
