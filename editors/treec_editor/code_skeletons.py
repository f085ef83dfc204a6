"""Skeletons of Python that treec calls: a module of the library's own package, and its test.

Each passes all trials of :mod:`treec_testing` as it is; its test makes them if that is installed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from treec.files.modules import package_folder
from treec.files.settings import SETTINGS
from treec.files.skeletons import NoSkeleton
from treec.files.view import View
from treec_editor.skeleton import Skeleton

_WORKER = '''\
"""Say in one sentence what is done."""

from __future__ import annotations

from collections.abc import Callable

from treec import Host, Outcome, Reported, WorkOrder


class {name}:
    """Carries out one order; treec makes a new instance for each."""

    def __init__(self) -> None:
        self._outcome: Outcome | None = None
        self._cancel_timer: Callable[[], None] | None = None

    def start(self, order: WorkOrder, host: Host) -> None:
        """Begin, and return at once; `order.fault` is a failure that a scenario plans."""
        fault = order.fault
        outcome = Outcome(True, effects=order.after)
        if fault is not None:
            outcome = Outcome(False, Reported(fault.reason), __name__)
        due = host.clock.now() + order.takes * (fault.at if fault is not None else 1.0)

        def end() -> None:
            if self._outcome is None:
                self._outcome = outcome
                host.finish(order.id, outcome)

        self._cancel_timer = host.clock.call_at(due, end).cancel

    def cancel(self) -> Outcome:
        """Stop, at any time, also twice; the outcome is the one that counts."""
        if self._cancel_timer is not None:
            self._cancel_timer()
        if self._outcome is None:
            self._outcome = Outcome(False, Reported("cancelled"), __name__)
        return self._outcome
'''

_NODE = '''\
"""Say in one sentence what the node does."""

from __future__ import annotations

import math
from typing import ClassVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec import NodePorts


class {name}(Behaviour):
    """RUNNING for some seconds, then SUCCESS; FAILURE without a number of seconds."""

    ports: ClassVar[dict[str, str]] = {{"seconds": "in number"}}

    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name)
        self._ports = ports

    def initialise(self) -> None:
        """Begin anew: with the first tick, and with the first after an end or a halt."""
        self._seconds = self._ports.get("seconds")
        self._began = self._ports.clock.now()

    def update(self) -> Status:
        """One tick: return at once."""
        if not isinstance(self._seconds, int | float) or not math.isfinite(self._seconds):
            self.feedback_message = f"'seconds' must be a number, not {{self._seconds!r}}"
            return Status.FAILURE
        is_over = self._ports.clock.now() >= self._began + self._seconds
        return Status.SUCCESS if is_over else Status.RUNNING
'''

_ENVIRONMENT = '''\
"""Say in one sentence which simulator or robot this is."""

from __future__ import annotations

from treec import Effect, EnvironmentSetup


class {name}:
    """What skills act on. All calls come on the loop's thread; times are seconds of the run."""

    def __init__(self, setup: EnvironmentSetup) -> None:
        self._setup = setup
        self._time = setup.time
        self._facts = {{(fact.fact, fact.args): fact.value for fact in setup.facts}}
        self._orders: set[str] = set()  # the agents that workers here have orders for

    @property
    def busy(self) -> bool:
        """Whether an order is in progress."""
        return bool(self._orders)

    def step(self, until: float) -> float:
        """Advance to `until`; return the time reached."""
        self._time = max(self._time, until)
        return self._time

    def sense(self) -> tuple[Effect, ...]:
        """Every fact that has a sensor, as it is now."""
        return tuple(
            Effect(sensor.fact, args, self._facts.get((sensor.fact, args)), "sensed")
            for sensor in self._setup.sensors
            for args in sensor.args
        )

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """Apply what has happened elsewhere."""
        self._facts.update({{(fact.fact, fact.args): fact.value for fact in effects}})

    def is_at_rest(self, agent: str) -> bool:
        """Whether an agent does not move."""
        return agent not in self._orders

    def close(self) -> None:
        """Release everything; nothing happens the second time."""
        self._orders.clear()
'''

_PARSER = '''\
"""Say in one sentence what is heard."""

from __future__ import annotations

import re

from treec import TalkContext


def {name}(text: str, context: TalkContext) -> list[dict[str, object]]:
    """Return the acts in what a person said; each quotes the words that it rests on."""
    acts: list[dict[str, object]] = []
    for match in re.finditer(r"\\bstop\\b", text[:2000], re.IGNORECASE):
        if "stop" in context.acts:
            acts.append({{"kind": "stop", "quote": match[0], "agent": None}})
    return acts
'''

_TEST = '''\
"""{code} passes all trials (`treec check --deep {target}`)."""

from pathlib import Path

import pytest


def test_all_trials() -> None:
    trials = pytest.importorskip("treec_testing", reason="pip install 'treec[testing]'")
    trials.check_{kind}("{target}", library=Path(__file__).parents[1])
'''


@dataclass(frozen=True)
class CodeKind:
    """A kind of code: what it is for, its text, and how files come to use it."""

    about: str
    text: str
    use: str
    is_class: bool = True

    def name(self, stem: str) -> str:
        """The name of its class or function in a module."""
        if self.is_class:
            return "".join(part.capitalize() for part in stem.split("_"))
        return f"read_{stem}"


CODE = {
    "worker": CodeKind(
        "A Python class that carries out orders of a skill.",
        _WORKER,
        "a skill names it: runs: {{symbolic: {target}}}",
    ),
    "node": CodeKind(
        "A Python class of nodes, a py_trees behaviour.",
        _NODE,
        "a tree names it: - {stem}: {{seconds: 3}}",
    ),
    "environment": CodeKind(
        "A Python class of environments: a simulator, a robot.",
        _ENVIRONMENT,
        'treec.toml declares it: [environments] {stem} = "{target}"',
    ),
    "parser": CodeKind(
        "A Python function that finds acts in words.",
        _PARSER,
        "a reading names it: parser: {target}",
        is_class=False,
    ),
}
"""The kinds of code that `treec new` writes."""


def code_skeleton(view: View, kind: str, name: str) -> Skeleton:
    """Return a new module with its test; it may need a package, and lines in `treec.toml`.

    Raises NoSkeleton.
    """
    stem = re.sub(r"\W+", "_", name.lower())
    code = CODE[kind]
    library = view.library
    settings = {}
    package = library.settings.library.package
    if package is None:
        package = re.sub(r"\W+", "_", library.root.resolve().name.lower())
        if not package.isidentifier() or package_folder(package) is not None:
            raise NoSkeleton(
                f"the library has no Python package, and '{package}' cannot be its name: "
                f'choose one in {SETTINGS}: [library] package = "NAME"'
            )
        settings["library", "package"] = package
    elif package_folder(package) is not None and not (library.root / package).is_dir():
        raise NoSkeleton(f"the library's package '{package}' lies outside of it: write it there")
    name = code.name(stem)
    target = f"{package}.{stem}:{name}"
    if kind == "node":
        if stem in library.settings.nodes or stem in _node_types():
            raise NoSkeleton(f"node '{stem}' already exists")
        settings["nodes", stem] = target
    elif kind == "environment":
        if stem in library.settings.environments:
            raise NoSkeleton(f"environment '{stem}' already exists")
        settings["environments", stem] = target
    files = dict(_package_files(view, package))
    files[f"tests/test_{stem}.py"] = _TEST.format(kind=kind, target=target, code=name)
    text = (library.root / SETTINGS).read_text("utf-8")
    for (section, key), value in settings.items():
        text = _with_setting(text, section, key, value)
    return Skeleton(
        f"{package}/{stem}.py",
        code.text.format(name=name),
        code.use.format(target=target, stem=stem),
        files,
        text if settings else None,
    )


def _node_types() -> frozenset[str]:
    from treec.extensions import registry

    return frozenset({*registry().nodes, *registry().node_classes})


def _package_files(view: View, package: str) -> Iterator[tuple[str, str]]:
    if not (view.library.root / package).is_dir():
        yield f"{package}/__init__.py", f'"""The Python of {package}."""\n'


def _with_setting(text: str, section: str, key: str, value: str) -> str:
    """The text of a `treec.toml` with one more line in a section. Raises NoSkeleton."""
    line = f'{key} = "{value}"'
    header = re.search(rf"^\[{section}\][ \t]*(?:#.*)?$", text, re.MULTILINE)
    if header is None:
        new = f"{text.rstrip()}\n\n[{section}]\n{line}\n".lstrip()
    else:
        new = f"{text[: header.end()]}\n{line}{text[header.end() :]}"
    try:
        is_right = tomllib.loads(new)[section][key] == value
    except (tomllib.TOMLDecodeError, KeyError):
        is_right = False
    if not is_right:
        raise NoSkeleton(f"{SETTINGS} needs this line in [{section}]: {line}")
    return new
