"""Labelled phrases: what people said, in which moment, and which acts are right.

A phrase has an `id`, a `context` (the name of a moment), a `text`, and `acts`; `or` lists whole
other readings that are right, too. In a reading `optional: true` marks an act that may be missing,
and `may` holds arguments or subtasks that may be there as well. The moments stand in files
`*.moments.yaml` beside or above the phrases, or with the key `phrases` in the same file.
Files `*.frames.yaml` hold sentences in which an order is meant, or is not, for training.
docs/hearing.md has an example; `experiments/corpora` has many, as `*.jsonl.xz` in place of
`*.yaml`: a round of phrases or a set of moments a file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import BaseModel, Field, ValidationError

from experiments import corpora
from treec.files.fields import Model
from treec.team.language import shipped_language, talk_agent
from treec.team.talk import (
    TalkContext,
    TalkObject,
    TalkProposal,
    TalkSubtask,
    TalkTask,
)

FIELDS: Mapping[str, tuple[str, ...]] = {
    "accept": ("proposals",),
    "decline": ("proposals",),
    "request": ("agent", "task", "args", "first"),
    "done": ("subtasks",),
    "stop": ("agent",),
    "resume": ("agent",),
    "choose": ("recipe",),
    "ask": (),
    "drop": ("subtasks",),
    "remark": (),
}
"""Kind → the fields that are compared."""
LISTS = ("accept", "decline", "done", "drop")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Act = tuple[object, ...]
"""One act with one object: ("accept", "p1"), ("stop", None), ("request", agent, task, arguments as
sorted pairs, first), ("ask",). What is neither is a remark: no act."""
Meaning = frozenset[Act]


class _Task(Model):
    says: list[str]
    args: Mapping[str, str] = {}


class _Object(Model):
    types: list[str]
    also: tuple[str, ...] = ()


class _Agent(Model):
    also: tuple[str, ...] = ()
    person: bool = False


class _Moment(Model):
    about: str = ""
    proposals: Mapping[str, tuple[str, str]] = {}
    """Id → agent and subtask."""
    subtasks: Mapping[str, Annotated[list[str], Field(min_length=1, max_length=2)]] = {}
    """Id → status, and the agent who has it."""
    recipes: tuple[str, ...] = ()
    recipe: str = ""
    offered: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    acts: tuple[str, ...] = tuple(FIELDS)


class _Moments(Model):
    """The names of a domain and its moments, in a file of their own or with their phrases."""

    user: str
    agents: dict[str, _Agent]
    tasks: dict[str, _Task]
    objects: dict[str, _Object]
    words: dict[str, str]
    """The words of each subtask."""
    contexts: dict[str, _Moment]
    recipes: tuple[str, ...] = ()
    elsewhere: Any = None
    open_rounds: tuple[str | int, ...] = ()
    phrases: Any = None

    @cached_property
    def talk_tasks(self) -> tuple[TalkTask, ...]:
        """Made once for all moments, as in a run."""
        return tuple(TalkTask(name, tuple(it.says), it.args) for name, it in self.tasks.items())

    @cached_property
    def talk_objects(self) -> tuple[TalkObject, ...]:
        """The same for things."""
        every = self.objects.items()
        return tuple(TalkObject(name, tuple(it.also), tuple(it.types)) for name, it in every)


class _Item(BaseModel):
    """A phrase as it stands in a file; other keys, such as who said it, are for people."""

    id: str
    context: str
    text: str = Field(min_length=1)
    acts: list[dict[str, Any]] = Field(min_length=1)
    other: list[list[dict[str, Any]]] = Field([], alias="or")


class _Frames(Model):
    unmeant: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()


class PhraseError(ValueError):
    """Something in the files is not well-formed; the message names the file and the phrase."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """What somebody said in a moment, and every meaning that is right, the plainest first."""

    id: str
    theme: str
    round: str
    text: str
    moment: TalkContext
    readings: tuple[Meaning, ...]
    held_back: bool
    """Whether nobody who makes an ear may look at it."""


@dataclass(frozen=True, slots=True)
class Frames:
    """Sentences around an order, for training: in `unmeant` it is not meant, in `meant` it is.

    {order} is a task with its things, {doing} the same with the verb's form in -ing, {thing} a
    thing, {robot} an agent who is no person.
    """

    unmeant: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.unmeant and self.meant)


def load_frames(path: Path) -> Frames:
    """The frames of all files `*.frames.yaml` in a folder; a file has none. Raises PhraseError."""
    found = Frames()
    for file in _find(path, ".frames") if path.is_dir() else ():
        given = _valid(_Frames, _read(file), str(file))
        for key, frames in (("unmeant", given.unmeant), ("meant", given.meant)):
            for number, frame in enumerate(frames, 1):
                try:
                    frame.format(order="", doing="", thing="", robot="")
                except (KeyError, ValueError, IndexError) as error:
                    slots = "{order}, {doing}, {thing}, {robot}"
                    message = f"{file}: {key}, sentence {number}: {error}: the slots are {slots}"
                    raise PhraseError(message) from error
        found = Frames((*found.unmeant, *given.unmeant), (*found.meant, *given.meant))
    return found


def load_phrases(path: Path) -> list[Phrase]:
    """The phrases of a file or folder. Raises PhraseError with all that is amiss, or OSError."""
    files = _find(path) if path.is_dir() else [path]
    beside = _find(path, ".moments", deep=False) if path.is_dir() else []
    above = [it for up in [*path.resolve().parents][:2] for it in _find(up, ".moments", deep=False)]
    shared = _Contexts()
    for file in (*beside, *sorted(above)):
        shared.add(file, _read(file))
    phrases: list[Phrase] = []
    amiss: list[str] = []
    for file in files:
        if {"moments", "frames"} & {*file.name.split(".")[1:-1]}:
            continue
        items, contexts = _read(file), shared
        if isinstance(items, Mapping):
            contexts = _Contexts()
            items = contexts.add(file, items).phrases
        if not isinstance(items, list):
            amiss.append(f"{file}: a list of phrases is expected")
            continue
        for number, item in enumerate(items, 1):
            name = item.get("id", number) if isinstance(item, Mapping) else number
            try:
                phrases.append(_phrase(file, item, contexts))
            except PhraseError as error:
                amiss.append(f"{file}: phrase {name}: {error}")
    if amiss:
        raise PhraseError("\n".join(amiss))
    return phrases


_FilePartT = TypeVar("_FilePartT", bound=BaseModel)


def _valid(model: type[_FilePartT], data: object, where: str) -> _FilePartT:
    """Data as a model. Raises PhraseError with the first thing that is wrong, and where."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        missing = first["type"] in ("missing", "too_short", "string_too_short")
        missing = missing or first["input"] is None
        message = f"'{place}' is missing" if missing else f"{place}: {first['msg']}".lstrip(": ")
        raise PhraseError(f"{where}: {message}" if where else message) from error


def _find(folder: Path, part: str = "", deep: bool = True) -> list[Path]:
    """The files of a folder whose names end in ``part`` and an ending of phrases."""
    glob = folder.rglob if deep else folder.glob
    return sorted(it for ending in (".yaml", corpora.ENDING) for it in glob(f"*{part}{ending}"))


def _read(path: Path) -> Any:
    try:
        if path.name.endswith(corpora.ENDING):
            lines = corpora.read(path)
            return lines if path.name.count(".") == corpora.ENDING.count(".") else lines[0]
        return yaml.load(path.read_text("utf-8"), LOADER)
    except (yaml.YAMLError, UnicodeDecodeError, corpora.CorpusError) as error:
        raise PhraseError(f"{path}: {error}") from error


class _Contexts:
    """The moments by their names, made when a phrase needs them."""

    def __init__(self) -> None:
        self.open_rounds: set[str] = set()
        self._of: dict[str, tuple[Path, _Moments]] = {}
        self._made: dict[str, TalkContext] = {}

    def add(self, file: Path, data: object) -> _Moments:
        """The moments of a file. Raises PhraseError."""
        given = _valid(_Moments, data, str(file))
        self._of |= dict.fromkeys(given.contexts, (file, given))
        self.open_rounds |= {str(one) for one in given.open_rounds}
        return given

    def moment(self, name: str) -> TalkContext:
        """Raises PhraseError."""
        _must(name in self._of, f"no moment '{name}'")
        if name not in self._made:
            file, given = self._of[name]
            try:
                self._made[name] = _moment(given, given.contexts[name])
            except PhraseError as error:
                raise PhraseError(f"the moment '{name}' of {file}: {error}") from error
        return self._made[name]


def _phrase(file: Path, data: object, contexts: _Contexts) -> Phrase:
    if not isinstance(data, Mapping):
        raise PhraseError("a mapping with id, context, text and acts is expected")
    item = _valid(_Item, data, "")
    moment = contexts.moment(item.context)
    readings: list[Meaning] = []
    for acts in (item.acts, *item.other):
        for reading in _readings(acts, moment):
            if reading not in readings:
                readings.append(reading)
    theme, round = data.get("theme", file.stem), file.absolute().parent.name
    if file.name.endswith(corpora.ENDING):
        round = file.name.removesuffix(corpora.ENDING)
    odd = int(hashlib.sha256(item.text.encode()).hexdigest()[-1], 16) % 2
    held_back = bool(odd) and round.isdigit() and round not in contexts.open_rounds
    return Phrase(item.id, theme, round, item.text, moment, tuple(readings), held_back)


def _moment(world: _Moments, here: _Moment) -> TalkContext:
    for id in (*here.subtasks, *(subtask for _, subtask in here.proposals.values())):
        _must(id in world.words, f"no words for the subtask '{id}'")
    for agent in (*here.stopped, *(agent for agent, _ in here.proposals.values())):
        _must(agent in world.agents, f"no agent '{agent}'")
    return TalkContext(
        agents=tuple(
            talk_agent(
                shipped_language(), name, it.also, person=it.person, stopped=name in here.stopped
            )
            for name, it in world.agents.items()
        ),
        user=world.user,
        proposals=tuple(
            TalkProposal(id, agent, subtask, world.words[subtask])
            for id, (agent, subtask) in here.proposals.items()
        ),
        subtasks=tuple(
            TalkSubtask(id, world.words[id], it[0], it[1] if it[1:] else None)
            for id, it in here.subtasks.items()
        ),
        recipes=tuple(here.recipes),
        recipe_name=here.recipe,
        tasks=world.talk_tasks,
        objects=world.talk_objects,
        acts=tuple(here.acts),
        offered=tuple(here.offered),
    )


def _readings(acts: Sequence[Mapping[str, Any]], moment: TalkContext) -> Iterator[Meaning]:
    """With every choice made that `optional` and `may` leave open."""
    choices: list[list[Meaning]] = []
    for given in acts:
        try:
            forms = [meaning([form]) for form in _forms(given, moment)]
        except (AttributeError, KeyError, TypeError) as error:
            raise PhraseError(f"the act {dict(given)} has not the shape of one") from error
        choices.append([frozenset(), *forms] if given.get("optional") else forms)
    for choice in product(*choices):
        yield frozenset[Act]().union(*choice)


def _forms(given: Mapping[str, Any], moment: TalkContext) -> Iterator[dict[str, Any]]:
    """The act with all that it may have, then with ever less of it."""
    kind = str(given.get("kind"))
    _must(kind in moment.acts, f"no kind '{kind}' in this moment")
    may = given.get("may", ())
    form = {"first": False, **given} if kind == "request" else dict(given)
    for name in FIELDS.get(kind, ()):
        _must(name in form, f"'{name}' of {kind} is missing")
    agents = {agent.name for agent in moment.agents} | {None, "none"}
    _must(form.get("agent") in agents, f"no agent '{form.get('agent')}' in this moment")
    if kind == "request":
        tasks = {task.name for task in moment.tasks}
        _must(form["task"] in tasks, f"no task '{form['task']}' in this moment")
    known = {
        "proposals": {p.id for p in moment.proposals},
        "subtasks": {s.id for s in moment.subtasks},
    }
    for name, ids in known.items():
        for one in form.get(name, ()):
            _must(one in ids, f"no {name[:-1]} '{one}' in this moment")
    for number in range(len(may), -1, -1):
        for chosen in combinations(may, number):
            if kind == "request":
                yield {**form, "args": {**form["args"], **{key: may[key] for key in chosen}}}
            else:
                yield {**form, "subtasks": [*form["subtasks"], *chosen]} if may else form


def meaning(acts: Sequence[Mapping[str, Any]]) -> Meaning:
    """Acts as they are compared: one with several objects is several, and remarks are nothing.

    Not compared are quotes, what a question is about, and kinds that `FIELDS` does not have.
    """
    found: set[Act] = set()
    for act in acts:
        kind = act["kind"]
        if kind in LISTS:
            found |= {(kind, one) for one in act[FIELDS[kind][0]]}
        elif kind == "request":
            args = tuple(sorted(act["args"].items()))
            agent = None if act["agent"] == "none" else act["agent"]
            found.add((kind, agent, act["task"], args, bool(act.get("first", False))))
        elif kind in FIELDS and kind != "remark":
            values = [act.get(name) for name in FIELDS[kind]]
            found.add((kind, *(None if value == "none" else value for value in values)))
    return frozenset(found)


def _must(holds: bool, otherwise: str) -> None:
    if not holds:
        raise PhraseError(otherwise)
