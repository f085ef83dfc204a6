"""Labelled phrases: what people said, in which moment, and which acts are right.

A phrase has an `id`, a `context` (the name of a moment), a `text`, and `acts`; `or` lists whole
other readings that are right, too. In a reading `optional: true` marks an act that may be missing,
and `may` holds arguments or subtasks that may be there as well. The moments stand in files
`*.moments.yaml` beside or above the phrases, or with the key `phrases` in the same file.
Files `*.frames.yaml` hold sentences in which an order is meant, or is not, for training.
docs/hearing.md has an example; the folder corpora has many.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any

import yaml

from treec.team.talk import (
    TalkAgent,
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
    unmeant: list[str] = []
    meant: list[str] = []
    for file in sorted(path.rglob("*.frames.yaml")) if path.is_dir() else ():
        data = _read(file)
        for key, to in (("unmeant", unmeant), ("meant", meant)):
            for number, frame in enumerate(data.get(key, []) if isinstance(data, dict) else [], 1):
                try:
                    str(frame).format(order="", doing="", thing="", robot="")
                except (KeyError, ValueError, IndexError) as error:
                    slots = "{order}, {doing}, {thing}, {robot}"
                    where = f"{file}: {key}, sentence {number}"
                    raise PhraseError(f"{where}: {error}: the slots are {slots}") from error
                to.append(str(frame))
    return Frames(tuple(unmeant), tuple(meant))


def load_phrases(path: Path) -> list[Phrase]:
    """The phrases of a file or folder. Raises PhraseError with all that is amiss, or OSError."""
    files = sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
    beside = sorted(path.glob("*.moments.yaml")) if path.is_dir() else []
    above = [found for up in [*path.resolve().parents][:2] for found in up.glob("*.moments.yaml")]
    worlds = [_read(found) for found in (*beside, *sorted(above))]
    moments = {name: (world, it) for world in worlds for name, it in world["contexts"].items()}
    open_rounds = {str(one) for world in worlds for one in world.get("open_rounds", ())}
    made: dict[str, TalkContext] = {}
    phrases: list[Phrase] = []
    amiss: list[str] = []
    for file in files:
        if file.name.endswith((".moments.yaml", ".frames.yaml")):
            continue
        data = _read(file)
        own = moments
        if isinstance(data, Mapping):
            own = {name: (data, it) for name, it in data.get("contexts", {}).items()}
            data = data.get("phrases")
        if not isinstance(data, list):
            amiss.append(f"{file}: a list of phrases is expected")
            continue
        for number, item in enumerate(data, 1):
            try:
                phrases.append(_phrase(file, item, own, made, open_rounds))
            except PhraseError as error:
                name = item.get("id", number) if isinstance(item, Mapping) else number
                amiss.append(f"{file}: phrase {name}: {error}")
    if amiss:
        raise PhraseError("\n".join(amiss))
    return phrases


def _read(path: Path) -> Any:
    try:
        return yaml.load(path.read_text("utf-8"), LOADER)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise PhraseError(f"{path}: {error}") from error


def _phrase(
    file: Path,
    item: object,
    moments: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]],
    made: dict[str, TalkContext],
    open_rounds: set[str],
) -> Phrase:
    _must(isinstance(item, Mapping), "a mapping with id, context, text and acts is expected")
    assert isinstance(item, Mapping)
    for key in ("id", "context", "text", "acts"):
        _must(bool(item.get(key)), f"'{key}' is missing")
    _must(item["context"] in moments, f"no moment '{item['context']}'")
    if item["context"] not in made:
        made[item["context"]] = _moment(*moments[item["context"]])
    moment = made[item["context"]]
    readings: list[Meaning] = []
    for acts in (item["acts"], *item.get("or", ())):
        for reading in _readings(acts, moment):
            if reading not in readings:
                readings.append(reading)
    text, round = str(item["text"]), file.absolute().parent.name
    odd = int(hashlib.sha256(text.encode()).hexdigest()[-1], 16) % 2
    held_back = bool(odd) and round.isdigit() and round not in open_rounds
    return Phrase(str(item["id"]), file.stem, round, text, moment, tuple(readings), held_back)


def _moment(world: Mapping[str, Any], here: Mapping[str, Any]) -> TalkContext:
    words = world["words"]
    for part in ("tasks_", "objects_"):  # made once for all moments of a world, as in a run
        if part not in world:
            assert isinstance(world, dict)
            world[part] = _tasks(world) if part == "tasks_" else _objects(world)
    return TalkContext(
        agents=tuple(
            TalkAgent(name, tuple(it.get("also", ())), it.get("person", False), stopped)
            for name, it in world["agents"].items()
            for stopped in [name in here.get("stopped", ())]
        ),
        user=world["user"],
        proposals=tuple(
            TalkProposal(id, agent, subtask, words[subtask])
            for id, (agent, subtask) in here.get("proposals", {}).items()
        ),
        subtasks=tuple(
            TalkSubtask(id, words[id], *it) for id, it in here.get("subtasks", {}).items()
        ),
        recipes=tuple(here.get("recipes", ())),
        recipe_name=here.get("recipe", ""),
        tasks=world["tasks_"],
        objects=world["objects_"],
        acts=tuple(here.get("acts", FIELDS)),
        offered=tuple(here.get("offered", ())),
    )


def _tasks(world: Mapping[str, Any]) -> tuple[TalkTask, ...]:
    every = world["tasks"].items()
    return tuple(TalkTask(name, tuple(it["says"]), it.get("args", {})) for name, it in every)


def _objects(world: Mapping[str, Any]) -> tuple[TalkObject, ...]:
    every = world["objects"].items()
    return tuple(TalkObject(n, tuple(it.get("also", ())), tuple(it["types"])) for n, it in every)


def _readings(acts: Sequence[Mapping[str, Any]], moment: TalkContext) -> Iterator[Meaning]:
    """With every choice made that `optional` and `may` leave open."""
    choices: list[list[Meaning]] = []
    for given in acts:
        forms = [meaning([form]) for form in _forms(given, moment)]
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
