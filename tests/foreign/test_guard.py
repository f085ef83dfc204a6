"""The guard around foreign code: whatever leaves it is one ForeignError, but the user's Ctrl-C."""

from __future__ import annotations

import ast
import io
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext, redirect_stdout
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from docs.make_house import FOLDERS, ROOT
from tests.support.foreign import NoException, Unreadable, recurse
from treec import foreign
from treec.foreign import (
    MOST,
    MOST_PRINTED,
    MOST_TEXT,
    BadReport,
    ForeignError,
    cut,
    guard,
    import_foreign,
    kind_of,
    listed,
    module_inside,
    own_output,
    plain_copy,
    show,
    text_of,
)

HERE = r"tests/foreign/test_guard\.py:\d+"


def own_ctrl_c() -> None:
    raise KeyboardInterrupt


def exits(code: object) -> Callable[[], object]:
    return lambda: sys.exit(code)  # type: ignore[arg-type]


def raises(error: BaseException) -> Callable[[], object]:
    def call() -> None:
        raise error

    return call


def exhausted() -> None:
    raise MemoryError


RAISES: dict[str, tuple[Callable[[], object], str]] = {
    "an Exception": (raises(ValueError("no")), rf"ValueError: no \({HERE}\)"),
    "exit()": (exits(None), rf"SystemExit: it called exit\(\) \({HERE}\)"),
    "exit(0)": (exits(0), rf"SystemExit: it called exit\(0\) \({HERE}\)"),
    "exit('words')": (exits("words"), rf"SystemExit: it called exit\('words'\) \({HERE}\)"),
    "KeyboardInterrupt": (own_ctrl_c, rf"KeyboardInterrupt \({HERE}\)"),
    "GeneratorExit": (raises(GeneratorExit()), rf"GeneratorExit \({HERE}\)"),
    "StopIteration": (raises(StopIteration(1)), rf"StopIteration: 1 \({HERE}\)"),
    "a BaseException of its own": (raises(NoException("x")), rf"NoException: x \({HERE}\)"),
    "what has no message": (
        raises(Unreadable()),
        rf"Unreadable: its message cannot be read \({HERE}\)",
    ),
    "a group": (
        raises(BaseExceptionGroup("two", [SystemExit(1)])),
        rf"BaseExceptionGroup: two \(1 sub-exception\) \({HERE}\)",
    ),
    "recursion": (recurse, "RecursionError: maximum recursion depth exceeded"),
    "no memory": (exhausted, rf"MemoryError \({HERE}\)"),
}


@pytest.mark.parametrize("what", RAISES)
def test_what_leaves_it_is_named_with_its_line(what: str) -> None:
    call, says = RAISES[what]
    with pytest.raises(ForeignError, match=says), guard(__name__):
        call()


def test_what_the_guard_has_said_is_not_said_again() -> None:
    with pytest.raises(BadReport, match=r"^no status$"), guard("depot.a"), guard("depot.b"):
        raise BadReport("no status")


def test_what_may_pass_does() -> None:
    with pytest.raises(LookupError), guard("depot", LookupError):
        raise KeyError("x")


# Ctrl-C


def press_ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def turn_into_exit() -> None:
    try:
        press_ctrl_c()
    except KeyboardInterrupt:
        sys.exit(130)


def raise_again() -> None:
    try:
        press_ctrl_c()
    except KeyboardInterrupt:
        raise


@pytest.mark.parametrize("code", [press_ctrl_c, turn_into_exit, raise_again])
def test_the_users_ctrl_c_passes(code: Callable[[], None]) -> None:
    with pytest.raises(KeyboardInterrupt), guard("depot"):
        code()


def test_the_users_ctrl_c_passes_by_whatever_handler_of_the_program() -> None:
    def handler(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(KeyboardInterrupt), guard("depot"):
            press_ctrl_c()
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_fails_while_a_ctrl_c_is_handled_is_not_one() -> None:
    try:
        press_ctrl_c()
    except KeyboardInterrupt:
        with pytest.raises(ForeignError, match="RuntimeError"), guard("depot"):
            raise RuntimeError("cannot be halted")  # noqa: B904 (as `terminate` of a node does)


def test_an_interrupt_in_another_thread_is_its_own() -> None:
    caught: list[BaseException] = []

    def run() -> None:
        try:
            with guard("depot"):
                raise KeyboardInterrupt
        except ForeignError as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert len(caught) == 1


# What it prints


@pytest.mark.parametrize("is_redirected", [False, True])
def test_a_standard_output_that_it_replaces_is_put_back(
    capsys: pytest.CaptureFixture[str], is_redirected: bool
) -> None:
    """Also while a run is displayed, whose standard output is standard error."""
    with own_output():
        with redirect_stdout(sys.stderr) if is_redirected else nullcontext():
            with guard("stranger"):
                sys.stdout = io.StringIO()
            print("one")
        print("two")
    out, err = capsys.readouterr()
    assert (out, err) == (("two\n", "one\n") if is_redirected else ("one\ntwo\n", ""))


def test_a_call_that_returns_late_takes_no_output_away(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with own_output():
        with ExitStack() as late, redirect_stdout(sys.stderr):
            late.enter_context(guard("stranger"))
        print("out")
    assert capsys.readouterr().out == "out\n"


def test_what_it_prints_is_no_output_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    with own_output():
        with guard("depot"):
            print("from depot")
        print("the output")
    with guard("depot"):
        print("a program of somebody's own")
    out, err = capsys.readouterr()
    assert out == "the output\na program of somebody's own\n"
    assert err == "from depot\n"


NOISY = """\
import atexit, os, subprocess, sys, threading
print("one")
sys.__stdout__.write("two\\n")
sys.__stdout__.flush()
os.write(1, b"three\\n")
subprocess.run([sys.executable, "-S", "-c", "print('four')"])
imported = threading.Event()

def later():
    imported.wait(60)
    print("five")
    os.write(1, b"six\\n")

thread = threading.Thread(target=later)
thread.start()
sys.stdout.close()
sys.stdout.buffer.write(b"of bytes\\n")
sys.stdout = None
os.chdir("/")
sys.path.clear()
sys.setrecursionlimit(100)
atexit.register(print, "at exit")
atexit.register(sys.__stdout__.close)
"""


def test_nothing_of_an_import_reaches_the_output(tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(NOISY)
    program = (
        "import os, sys\n"
        "from treec.foreign import import_foreign, own_output\n"
        "with own_output(to_the_end=True):\n"
        "    noisy = import_foreign('noisy')\n"
        "    print('{}')\n"
        "    noisy.imported.set()\n"
        "    noisy.thread.join()\n"
        "    print(os.getcwd(), len(sys.path) > 1, sys.getrecursionlimit())\n"
    )
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": paths},
        check=True,
    )
    # `treec.cli.main` takes care of the last one
    assert done.stdout == f"{{}}\n{tmp_path} True 1000\nat exit\n"
    lines = ["one", "two", "three", "four", "of bytes", "five", "six"]
    assert sorted(done.stderr.splitlines()) == sorted(lines)


def test_what_one_call_prints_is_bounded(capsys: pytest.CaptureFixture[str]) -> None:
    with own_output():
        with guard("depot"):
            print("x" * (MOST_PRINTED - 1), "yz")
            print("more")
        print("the output")
    out, err = capsys.readouterr()
    assert out == "the output\n"
    assert err == "x" * (MOST_PRINTED - 1) + " … (depot prints more, which is left out)\n"


def test_whose_code_a_thread_runs() -> None:
    thread = threading.get_ident()
    assert module_inside(thread) is None
    with guard("depot.arm"), guard("treec.envs.symbolic"):
        assert module_inside(thread) == "treec.envs.symbolic"
    assert module_inside(thread) is None


def test_an_object_is_imported_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "leaving.py").write_text("import sys\n\ndef __getattr__(name): sys.exit()\n")
    assert import_foreign("math:pi") > 3  # type: ignore[operator]
    with pytest.raises(ForeignError, match=r"it called exit\(\) \(leaving.py:3\)"):
        import_foreign("leaving:WORKER")


# What it delivers


class Evil(str):
    """A text that raises when it is compared, and has no `repr`."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("compared")

    __hash__ = str.__hash__

    def __repr__(self) -> str:
        raise SystemExit(3)

    def __str__(self) -> str:
        raise SystemExit(4)


class Leaves(dict[str, Any]):
    """A mapping that ends the process when it is asked for something."""

    def get(self, *args: object) -> Any:
        sys.exit(3)


class Number(int):
    """A number that is more than one."""

    def __index__(self) -> int:
        raise RuntimeError("no index")


def test_a_copy_is_plain() -> None:
    copy: Any = plain_copy(Leaves(a=[Evil("b"), (Number(3), 1.5, None, True)], c={}), "it")
    assert copy == {"a": ["b", [3, 1.5, None, True]], "c": {}}
    assert (type(copy), type(copy["a"][0]), type(copy["a"][1][0])) == (dict, str, int)


def endless() -> Iterator[int]:
    while True:
        yield 1


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (object(), "it has an object, which is not plain data"),
        ({1: 2}, "it has the key 1: keys are text"),
        ([0] * (MOST + 1), "it has more than 10,000 values"),
        ([[0] * 200] * 200, "it has more than 10,000 values"),
        ([10**5000], "it has a whole number of more than 1,024 bits"),
        (nested(70), "it is nested deeper than 64 levels"),
    ],
)
def test_what_is_not_plain_or_too_much_is_told(value: object, says: str) -> None:
    with pytest.raises(BadReport) as caught:
        plain_copy(value, "it")
    assert str(caught.value) == says


def test_a_list_has_bounds() -> None:
    assert listed((1, 2), "it gave") == [1, 2]
    with pytest.raises(BadReport, match=r"^it gave more than 10,000 at once$"):
        listed(endless(), "it gave")
    with pytest.raises(BadReport, match=r"^it gave: a dict is not a list$"):
        listed({}, "it gave")


def test_a_long_text_is_kept_by_its_fingerprint() -> None:
    text = "x" * 50_000_000
    short, fingerprint = cut(text), sha256(text.encode()).hexdigest()
    assert len(short) < MOST_TEXT + 60
    assert short.endswith(f"x… (50,000,000 characters, sha256 {fingerprint[:16]})")
    assert cut(text + "y") != short
    assert cut("x" * MOST_TEXT) == "x" * MOST_TEXT
    assert len(text_of(ValueError(text))) < MOST_TEXT + 60


def test_what_cannot_be_shown_is_named_by_its_class() -> None:
    assert show(Evil("x")) == "<Evil>"
    assert kind_of(Evil("x")) == "an Evil"
    assert [kind_of(v) for v in (None, 7, {}, int, sys)] == [
        "None",
        "7",
        "a dict",
        "the type int",
        "the module sys",
    ]


# One guard for all

CAUGHT_HERE = {"engine/treec/foreign.py", "engine/treec/world/bounded.py"}
"""The guard, and the call in a thread of its own that hands on what was raised there."""

PRODUCT = (*FOLDERS, "benchmarks")


def catches_all(handler: ast.ExceptHandler) -> bool:
    named = ast.walk(handler.type) if handler.type is not None else ()
    names = {node.id for node in named if isinstance(node, ast.Name)}
    return handler.type is None or "BaseException" in names


def test_code_of_treecs_own_that_foreign_code_calls_prints_to_the_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with foreign.own_output(), foreign.guard("theirs"):
        print("theirs")
        with foreign.outside():
            print("ours")
        print("theirs again")
    assert capsys.readouterr() == ("ours\n", "theirs\ntheirs again\n")


@pytest.mark.thorough
def test_nobody_else_catches_what_is_no_exception() -> None:
    """A new door for foreign code goes through the guard; a clean-up goes into an ExitStack."""
    found = {
        f"{path}:{node.lineno}"
        for room in PRODUCT
        for file in (ROOT / room).rglob("*.py")
        if (path := file.relative_to(ROOT).as_posix()) not in CAUGHT_HERE
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ExceptHandler) and catches_all(node)
    }
    assert found == set(), "use treec.foreign.guard, or contextlib.ExitStack to clean up"


def test_the_guard_leaves_nothing_behind() -> None:
    assert foreign._inside.get(threading.get_ident()) is None
