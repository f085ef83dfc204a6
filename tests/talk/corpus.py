"""The corpus of kitchen talk: what people say, in which moment, and which acts are right.

`load` reads rounds/N/*.yaml, a file for each theme; `moment` makes what a parser is told. The
conventions of the readings stand at the top of contexts.yaml. Nothing here knows a parser.

Every round was written by people of its own who had no sight of a parser. Of a round one half is
seen and one held back, by the hash of the text, but for the rounds in `OPEN`, which were written
for the making of the parser and are seen whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any, Literal

import yaml

from treec.team.talk import (
    TalkAgent,
    TalkContext,
    TalkObject,
    TalkProposal,
    TalkSubtask,
    TalkTask,
)

HERE = Path(__file__).parent
OPEN = frozenset({2, 5, 6, 8, 9, 11, 12, 13, 15})
"""Rounds without a held-back half."""
KITCHENS = ("contexts.yaml", "shipped.yaml")
"""The kitchen of the first rounds, and the one that treec ships, from round 10 on."""
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FIELDS: Mapping[str, tuple[str, ...]] = {
    "accept": ("proposals",),
    "decline": ("proposals",),
    "request": ("agent", "task", "args", "first"),
    "done": ("subtasks",),
    "stop": ("agent",),
    "resume": ("agent",),
    "choose": ("recipe",),
    "ask": ("about",),
    "drop": ("subtasks",),
    "remark": (),
}
"""Kind → its fields. `drop` is a kind that a reading may lack."""
KINDS = tuple(FIELDS)
STATUSES = ("waiting", "ready", "queued", "running", "interrupted", "done", "dropped", "failed")


class CorpusError(ValueError):
    """Something in the corpus is not well-formed; the message names the phrase."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act. `fields` has all fields of its kind; nobody, and no recipe, is None."""

    kind: str
    fields: Mapping[str, Any] = field(default_factory=dict)


Reading = tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """What somebody says, and every reading that is right: the plainest one is the first."""

    id: str
    theme: str
    context: str
    person: str
    text: str
    readings: tuple[Reading, ...]
    round: int = 1

    @property
    def half(self) -> Literal["seen", "held_back"]:
        """By the last hexadecimal digit of the text's SHA-256: even is seen, odd held back."""
        if self.round in OPEN:
            return "seen"
        last = hashlib.sha256(self.text.encode("utf-8")).hexdigest()[-1]
        return "held_back" if int(last, 16) % 2 else "seen"


def split(phrases: Iterable[Phrase]) -> dict[str, tuple[Phrase, ...]]:
    """The phrases by half: what a parser may be made with, and what only measures it."""
    halves: dict[str, list[Phrase]] = {"seen": [], "held_back": []}
    for phrase in phrases:
        halves[phrase.half].append(phrase)
    return {half: tuple(found) for half, found in halves.items()}


@cache
def kitchens() -> tuple[Mapping[str, Any], ...]:
    """The kitchens as they stand in their files; no moment is in two of them."""
    return tuple(_read(HERE / name) for name in KITCHENS)


def moments() -> tuple[str, ...]:
    """The names of all moments, kitchen by kitchen."""
    return tuple(name for kitchen in kitchens() for name in kitchen["contexts"])


def _kitchen(context: str) -> Mapping[str, Any]:
    return next(kitchen for kitchen in kitchens() if context in kitchen["contexts"])


@cache
def moment(name: str, acts: tuple[str, ...] = KINDS) -> TalkContext:
    """What a parser is told in this context; `acts` are the kinds that the reading has."""
    all_of = _kitchen(name)
    here = all_of["contexts"][name]
    words = all_of["words"]
    return TalkContext(
        agents=tuple(
            TalkAgent(
                agent,
                tuple(it.get("also", ())),
                it.get("person", False),
                agent in here.get("stopped", ()),
            )
            for agent, it in all_of["agents"].items()
        ),
        user=all_of["user"],
        proposals=tuple(
            TalkProposal(id, agent, subtask, words[subtask])
            for id, (agent, subtask) in here.get("proposals", {}).items()
        ),
        subtasks=tuple(
            TalkSubtask(id, words[id], *it) for id, it in here.get("subtasks", {}).items()
        ),
        recipes=tuple(here["recipes"]),
        recipe_name=here.get("recipe", ""),
        tasks=tuple(
            TalkTask(task, tuple(it["says"]), it["args"]) for task, it in all_of["tasks"].items()
        ),
        objects=tuple(
            TalkObject(thing, tuple(it.get("also", ())), tuple(it["types"]))
            for thing, it in all_of["objects"].items()
        ),
        acts=acts,
        offered=tuple(here.get("offered", ())),
    )


def load(folder: Path = HERE / "rounds") -> tuple[Phrase, ...]:
    """All phrases, file by file by name; raises CorpusError with all that is amiss."""
    return _load(folder)


@cache
def _load(folder: Path) -> tuple[Phrase, ...]:
    phrases: list[Phrase] = []
    amiss: list[str] = []
    ids: set[str] = set()
    texts: set[str] = set()
    for path in sorted(folder.glob("*/*.yaml")):
        for item in _read(path):
            where = f"{path.parent.name}/{path.name}: {item.get('id', item)}"
            try:
                phrase = _phrase(path, item)
            except CorpusError as error:
                amiss.append(f"{where}: {error}")
                continue
            if phrase.id in ids:
                amiss.append(f"{where}: the id is there twice")
            if phrase.text.casefold() in texts:
                amiss.append(f"{where}: the text is there twice")
            ids.add(phrase.id)
            texts.add(phrase.text.casefold())
            phrases.append(phrase)
    if amiss:
        raise CorpusError("\n".join(amiss))
    return tuple(phrases)


def _read(path: Path) -> Any:
    return yaml.load(path.read_text("utf-8"), LOADER)


def _phrase(path: Path, item: Mapping[str, Any]) -> Phrase:
    needs = {"id", "context", "person", "text", "acts"}
    _must(needs <= set(item) <= needs | {"or"}, f"its keys are {sorted(item)}")
    for key in sorted(needs - {"acts"}):
        _must(isinstance(item[key], str) and bool(item[key].strip()), f"{key} must be text")
    _must(item["context"] in moments(), f"no context '{item['context']}'")
    context = moment(item["context"])
    readings: list[Reading] = []
    for acts in (item["acts"], *item.get("or", ())):
        _must(bool(acts), "a reading has no acts")
        for reading in _readings(acts, context):
            if reading and reading not in readings:
                readings.append(reading)
    return Phrase(
        item["id"],
        path.stem,
        item["context"],
        item["person"],
        item["text"],
        tuple(readings),
        int(path.parent.name),
    )


def _readings(acts: Sequence[Mapping[str, Any]], context: TalkContext) -> Iterator[Reading]:
    """With every choice made that `optional` and `may` leave open."""
    choices: list[list[Reading]] = []
    for given in acts:
        rest = {key: value for key, value in given.items() if key != "optional"}
        forms: list[Reading] = [(act,) for act in _forms(rest, context)]
        choices.append([(), *forms] if given.get("optional") else forms)
    for choice in product(*choices):
        yield tuple(chain.from_iterable(choice))


def _forms(given: Mapping[str, Any], context: TalkContext) -> Iterator[Act]:
    """The act with all that it may have, then with ever less of it."""
    kind = str(given.get("kind"))
    _must(kind in FIELDS, f"no kind '{kind}'")
    given = {"first": False, **given} if kind == "request" else given
    may = given.get("may", ())
    _must(not may or kind in ("request", "drop"), f"{kind} takes no 'may'")
    fields = {key: value for key, value in given.items() if key not in ("kind", "may")}
    _must(set(fields) == set(FIELDS[kind]), f"the fields of {kind} are {list(FIELDS[kind])}")
    for number in range(len(may), -1, -1):
        for chosen in combinations(may, number):
            form = dict(fields)
            if kind == "request":
                form["args"] = {**fields["args"], **{key: may[key] for key in chosen}}
            elif kind == "drop":
                form["subtasks"] = [*fields["subtasks"], *chosen]
            yield _checked(kind, form, context)


def _checked(kind: str, fields: dict[str, Any], context: TalkContext) -> Act:
    """The act, if its fields fit the context; lists become tuples and `none` None."""
    for key in ("agent", "recipe"):
        if fields.get(key) == "none":
            fields[key] = None
    if "agent" in fields:
        _one_of("agent", fields["agent"], [None, *(agent.name for agent in context.agents)])
    if "recipe" in fields:
        _one_of("recipe", fields["recipe"], [None, *context.recipes])
    if "proposals" in fields:
        fields["proposals"] = _several("proposal", fields, [p.id for p in context.proposals])
    if "subtasks" in fields:
        left = [subtask.id for subtask in context.subtasks if subtask.status != "done"]
        fields["subtasks"] = _several("subtask", fields, left)
    if "about" in fields:
        _must(isinstance(fields["about"], str), "about must be text")
    if kind == "request":
        _must(isinstance(fields["first"], bool), "first must be true or false")
        _one_of("task", fields["task"], [task.name for task in context.tasks])
        _arguments(fields, context)
    return Act(kind, fields)


def _several(what: str, fields: Mapping[str, Any], known: Sequence[str]) -> tuple[str, ...]:
    names = tuple(fields[f"{what}s"])
    _must(bool(names) and len(set(names)) == len(names), f"{what}s must be named, each once")
    for name in names:
        _one_of(what, name, known)
    return names


def _arguments(fields: Mapping[str, Any], context: TalkContext) -> None:
    (task,) = (task for task in context.tasks if task.name == fields["task"])
    things = {thing.name: thing.types for thing in context.objects}
    for name, value in fields["args"].items():
        _one_of(f"argument of {task.name}", name, list(task.args))
        if not any(value in kitchen["elsewhere"] for kitchen in kitchens()):
            _one_of("thing", value, list(things))
            _must(task.args[name] in things[value], f"{value} is no {task.args[name]}")


def _one_of(what: str, name: object, known: Sequence[object]) -> None:
    _must(name in known, f"no {what} '{name}' there; there are {list(known)}")


def _must(holds: bool, otherwise: str) -> None:
    if not holds:
        raise CorpusError(otherwise)
