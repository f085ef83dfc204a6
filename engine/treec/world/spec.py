"""What a run is asked to be: one description for whoever starts one, and for its journal.

The command line, the Python API, cases, the page and experiments fill a :class:`RunSpec`. The first
record of the journal has of it what decides how the run goes (`run.begin`); `treec run --resume`
reads it from there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path

from treec.frozen import frozen
from treec.world.events import RunBegin

AUTO = "auto"
"""The embedder that is chosen by what is installed."""


class InvalidSpec(ValueError):
    """Fields that cannot be, or that exclude each other; the message says what would be right."""


@frozen(slots=False)
class ModelOptions:
    """The model and its limits; None leaves the choice to the files.

    ``max_cost`` is in US dollars, ``max_time`` in seconds of waiting for answers in total.
    """

    model: str | None = None
    api_base: str | None = None
    offline: bool = False
    max_cost: float | None = None
    max_tokens: int | None = None
    max_time: float | None = None
    model_settings: Mapping[str, object] = field(default_factory=dict)
    """Keys of `[model]` in `treec.toml`, over those there: timeout, fallback, max_tokens, seed."""

    def __post_init__(self) -> None:
        if self.offline and self.model is not None:
            raise InvalidSpec("'offline' and 'model' exclude each other")


@frozen(slots=False, kw_only=True)
class RunSpec(ModelOptions):
    """What runs, where, with which user, model and faults, and on which clock.

    Raises InvalidSpec for fields that exclude each other. Names are looked up when the run is
    prepared, since only a library knows them.
    """

    system: str = ""
    """The system, `PACK/NAME` for one of a pack. Where no system has that name, a tree."""
    tree: str | None = None
    """The tree to run instead of the system's root, or its file; the run ends with it."""
    ports: Mapping[str, object] = field(default_factory=dict)
    """Values for the ports of ``tree``."""
    scenario: str | None = None
    """The scenario: it provides the user, faults, and what is expected."""
    task: str | None = None
    """What is to be done, where the domain has the state `task` (default: the scenario's)."""
    scene: str | None = None
    """The scene (default: the scenario's, the task's or the system's)."""
    env: str | None = None
    """The environment of all agents, instead of those that the system names."""
    seed: int | None = None
    """The seed of everything random (default: the scenario's, or 0)."""
    jitter: bool = False
    """Whether positions are varied at random within the scene's `jitter:`."""
    see: bool = False
    """Whether the needs of skills are asked of their providers."""
    faults: tuple[str, ...] = ()
    """What goes wrong, besides the scenario's faults: `30s: fail pick(parcel)`."""
    chat: bool = False
    """Whether somebody talks to the run as its user while it goes on."""
    dialogue: tuple[str, ...] = ()
    """What that user says: at first, and at each of their turns."""
    memories: Path | None = None
    """The folder of memories (default: the library's; those of a scenario are not kept)."""
    embedder: str = AUTO
    """What makes the vectors of memories; see `treec_memory.embedders`."""
    film: float | None = None
    """Seconds between two recorded moments for pictures; see `EnvironmentSetup`."""
    fast: bool = False
    """Whether the clock is virtual, so that the run goes as fast as possible."""
    heartbeat: str | None = None
    """A file or socket that tells others that the loop is alive; see `treec.run.heartbeat`."""
    speed: float | None = None
    """Simulated seconds per real second, where the clock is not virtual."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("faults", "dialogue"):
            value = getattr(self, name)
            if isinstance(value, str):
                raise InvalidSpec(f"'{name}' is a list of texts, not one text")
            object.__setattr__(self, name, tuple(value))
        for name in ("scenario", "task"):
            if getattr(self, name) is not None and (self.chat or self.dialogue):
                talk = "dialogue" if self.dialogue else "chat"
                raise InvalidSpec(f"'{talk}' and '{name}' exclude each other: both are the user")
        if self.scenario is not None and self.tree is not None and not self.system:
            raise InvalidSpec("a scenario is one of a system: name that, or leave 'scenario' out")
        if self.task is not None and not self.task.strip():
            raise InvalidSpec("'task' is empty: say what is to be done")
        wrong = next((name for name in self.ports if not name.isidentifier()), None)
        if wrong is not None:
            raise InvalidSpec(f"'{wrong}' is not the name of a port")
        if self.speed is not None and not self.speed > 0:
            raise InvalidSpec(f"'speed' must be greater than 0, not {self.speed:g}")
        if self.film is not None and not self.film >= 0:
            raise InvalidSpec(f"'film' must not be negative, but is {self.film:g}")

    @property
    def is_recorded(self) -> bool:
        """Whether anything is given that the journal of a run has, but for its model."""
        return self.begin() != replace(RunSpec(), model=self.model).begin()

    def resumed(self, begin: RunBegin, meta: Mapping[str, object] | None = None) -> RunSpec:
        """This spec for a run that has begun: all but the model is as its journal says.

        ``meta`` is that of its folder: it has PACK/NAME of a pack's system, and a tree's file.
        """
        spec = replace(self, **{name: getattr(begin, name) for name in RECORDED - {"model"}})
        system, tree = (meta or {}).get("system") or spec.system, spec.tree
        is_alone = tree is not None and system == tree  # it is in no system
        tree = tree and str((meta or {}).get("file") or tree)
        return replace(spec, system="" if is_alone else str(system), tree=tree)

    def begin(self) -> RunBegin:
        """The first record of a run's journal."""
        return RunBegin(**{name: getattr(self, name) for name in RECORDED})


RECORDED = frozenset(one.name for one in dataclasses.fields(RunBegin)) - {"format"}
"""The fields that the journal has."""
