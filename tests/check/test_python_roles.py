"""What a Python object is, told from the source of its module without executing it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Treec, library, treec
from treec.check.python_roles import Role, clear_cache, why_no
from treec.files import modules
from treec.files.own_package import OwnPackage, own_package

__all__ = ["library", "treec"]

OWN = """\
raise SystemExit("executed")
import os
from abc import ABC
from dataclasses import dataclass
from typing import Protocol
from functools import partial
from os import system
from treec import Host, Outcome, Worker
from . import other
from .other import Base, Other as Renamed, made
import depot_x.other as o

class Whole:
    def start(self, order, host): ...
    def cancel(self): ...

class Half:
    def start(self, order, host): ...

class Overwritten(Base):
    def start(self, order, host): ...
    def cancel(self): ...
    start: int = 3

class Derived(Base):
    def cancel(self): ...

class Abstract(ABC): ...

class Unknown(made()):
    pass

class Lent(Worker): ...

class ByAttribute(o.Base):
    cancel = None

class Lender(Protocol, Base):
    def cancel(self): ...

@dataclass(frozen=True)
class Record:
    text: str

class Room:
    def __init__(self, setup): ...
    step = sense = notify = close = print

class Magic:
    def __getattr__(self, name): ...

def factory(): return Whole()
def asks(order): return Whole()
def parse(text, context): return []
def parse_more(text, context, *more, also=None): return []
def one(text): return []
def three(text, context, third): return []
async def later(text, context): return []
@partial(print)
def decorated(): ...
alias = Whole
text = "text"
made_here = partial(Whole)
short = lambda text, context: []
"""

OTHER = """\
from py_trees.behaviour import Behaviour
import py_trees

class Base:
    def start(self, order, host): ...

class Other:
    pass

class Node(Behaviour):
    pass

class Node3(Node):
    update = 3

class Node4(Node3):
    def update(self): ...

class Node2(py_trees.composites.Sequence):
    pass

def made(): ...
"""


@pytest.fixture
def own(tmp_path: Path) -> OwnPackage:
    folder = tmp_path / "depot_x"
    folder.mkdir()
    (folder / "__init__.py").write_text("", "utf-8")
    (folder / "own.py").write_text(OWN, "utf-8")
    (folder / "other.py").write_text(OTHER, "utf-8")
    modules.clear_cache()
    clear_cache()
    found, _ = own_package(tmp_path, "depot_x")
    assert found is not None
    return found


WORKERS = {
    "own:Whole": None,
    "own:alias": None,
    "own:Derived": None,
    "own:Unknown": None,
    "own:Lent": None,
    "own:Magic": None,
    "own:factory": None,
    "own:made_here": None,
    "own:decorated": None,
    "own:made": None,
    "own:ByAttribute": "its 'cancel' is no method",
    "own:Overwritten": "its 'start' is no method",
    "own:Half": "it has no method 'cancel'",
    "own:Abstract": "it has no method 'start' and no method 'cancel'",
    "own:Renamed": "it has no method 'start' and no method 'cancel'",
    "own:Record": "it has no method 'start' and no method 'cancel'",
    "own:Lender": "it is a protocol: derive a class from it",
    "own:asks": "it is a function that needs arguments",
    "own:later": "it is a coroutine",
    "own:os": "it is a module",
    "own:other": "it is a module",
    "own:o": "it is a module",
    "own:text": "it is a plain value",
    "own:system": "it is of Python's standard library",
}


@pytest.mark.parametrize("name", WORKERS)
def test_workers_are_classes_with_start_and_cancel(own: OwnPackage, name: str) -> None:
    module, _, attribute = name.partition(":")
    assert why_no("worker", f"depot_x.{module}", attribute, own) == WORKERS[name]


@pytest.mark.parametrize(
    ("role", "name", "why"),
    [
        ("parser", "own:parse", None),
        ("parser", "own:parse_more", None),
        ("parser", "own:short", None),
        ("parser", "own:decorated", None),
        ("parser", "own:one", "it is a function of other arguments"),
        ("parser", "own:three", "it is a function of other arguments"),
        ("parser", "own:later", "it is a coroutine"),
        ("parser", "own:Whole", "it is a class"),
        ("sensor", "own:one", None),
        ("sensor", "own:text", "it is a plain value"),
        ("node", "other:Node", None),
        ("node", "other:Node2", None),
        ("node", "other:Node3", "its 'update' is no method"),
        ("node", "other:Node4", None),
        ("node", "own:Unknown", None),
        ("node", "own:Whole", "it is a class that has nothing of py_trees"),
        ("node", "own:text", "it is a plain value"),
        ("environment", "own:Room", None),
        ("environment", "own:one", None),
        ("environment", "own:factory", "it is a function of other arguments"),
        ("environment", "own:three", "it is a function of other arguments"),
        ("environment", "own:text", "it is a plain value"),
    ],
)
def test_other_roles(own: OwnPackage, role: Role, name: str, why: str | None) -> None:
    module, _, attribute = name.partition(":")
    assert why_no(role, f"depot_x.{module}", attribute, own) == why


@pytest.mark.parametrize("name", ["os:system", "builtins:exit", "this:s", "math:pi", "ast:parse"])
@pytest.mark.parametrize("role", ["worker", "parser", "sensor", "node", "environment"])
def test_the_standard_library_has_none(role: Role, name: str) -> None:
    module, _, attribute = name.partition(":")
    before = set(sys.modules)
    assert why_no(role, module, attribute, None) == "it is of Python's standard library"
    assert set(sys.modules) == before


@pytest.mark.parametrize("name", ["Worker", "Outcome", "NodeSpec"])
def test_what_treec_exports_is_none(name: str) -> None:
    assert why_no("worker", "treec", name, None) is not None
    assert modules.find_missing("treec", name, None) is None
    assert modules.find_missing("treec", f"{name}s", None) is not None


def test_compiled_modules_are_named(own: OwnPackage) -> None:
    why = why_no("worker", "numpy.random.mtrand", "seed", own)
    assert why is not None
    assert why.startswith("it is of a compiled module")


def test_the_check_names_them_at_their_place(treec: Treec, library: Path) -> None:
    skill = library / "skills/scan/scan.skill.yaml"
    text = skill.read_text("utf-8")
    skill.write_text(text.replace("treec.envs.symbolic:Effects", "os:system"), "utf-8")
    reading = library / "prompts/operator_talk.reading.yaml"
    reading.write_text(reading.read_text("utf-8") + "parser: subprocess:run\n", "utf-8")
    with open(library / "treec.toml", "a", encoding="utf-8") as settings:
        settings.write('[environments]\nhall = "os:system"\n')
    tree = library / "trees/charge_when_low.tree.yaml"
    tree.write_text(tree.read_text("utf-8").replace("hysteresis:", "os:system:"), "utf-8")
    result = treec("check", "-L", library)
    assert result.status == 1
    for told in (
        "scan.skill.yaml:10:18: error TC211: 'os:system' is not a worker: it is of Python's",
        "error TC211: 'subprocess:run' is not a parser: it is of Python's standard library",
        "error TC301: the node 'os:system': it is not a node: it is of Python's standard library",
        "error TC217: 'os:system' makes no environment: it is of Python's standard library",
        "help: a worker is a class with the methods start(order, host) and cancel()",
    ):
        assert told in result.out
