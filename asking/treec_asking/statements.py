"""What models say: statements as data, checked against the state and said in treec's words.

A model's own words are never said, whatever they are. It gives statements instead: of a kind (the
registry's `statements`), of whom and what. One that holds is said by the template of its kind; one
that does not is dropped where the answer does something else, and refuses an answer that says
something only. Names in it are those of the team, the library and the scene; ``words`` are the
person's own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from treec.extensions import ExtensionError, StatementKind, registry
from treec.files.types import Names
from treec.foreign import is_foreign
from treec.frozen import frozen
from treec.source.diagnostics import unknown
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.registry import guarded
from treec.source.scope import MappingScope
from treec.team.entities import Agent, Subtask
from treec.team.sentences import FIELDS, LONGEST, LONGEST_QUOTE, MOST, misfit, sentence
from treec.team.state import FINISHED
from treec.team.team import Team
from treec.world.events import EventRefused
from treec_asking.new_subtasks import find_subtask

if TYPE_CHECKING:
    from treec.team.actions import ActionCall

RECENT = 6
"""Utterances back to which ``words`` may be somebody's."""
MOST_NAMES = 60
"""Names in one enum of the schema."""

SAY = "say"
NOTHING = "no_op"


@frozen(slots=False)
class Statement:
    """A claim with its names resolved."""

    kind: str
    agent: Agent | None = None
    subtask: Subtask | None = None
    after: Subtask | None = None
    number: int | None = None
    name: str | None = None
    names: tuple[str, ...] = ()
    thing: str | None = None
    fact: str | None = None
    value: object = None
    words: str | None = None

    def __str__(self) -> str:
        given = (getattr(self, name) for name in FIELDS)
        shown = (", ".join(v) if isinstance(v, tuple) else str(v) for v in given if v)
        return f"{self.kind}({', '.join(shown)})"


class NotSo(EventRefused):
    """A statement that does not hold."""


class OnlyWords(EventRefused):
    """An answer that would say something only, and in which nothing can be said."""

    once = True
    """The model is asked again for the first of them only."""


@frozen(slots=False)
class Outlook:
    """The state in which statements are checked, with what the same answer does."""

    team: Team
    assigned: tuple[tuple[str, Subtask], ...] = ()
    marked: frozenset[str] = frozenset()
    off: frozenset[str] = frozenset()
    released: frozenset[str] = frozenset()
    proposed: frozenset[tuple[str, str]] = frozenset()
    chosen: str | None = None

    @cached_property
    def given(self) -> frozenset[str]:
        """The ids of the subtasks that the answer gives to somebody."""
        return frozenset(subtask.id for _, subtask in self.assigned)

    @property
    def changes(self) -> bool:
        """Whether the answer changes who does what, or what is done."""
        return bool(self.assigned or self.marked or self.off or self.released or self.chosen)

    @property
    def work(self) -> tuple[Subtask, ...]:
        """The subtasks of now."""
        return self.team.work

    def status(self, subtask: Subtask) -> str:
        """The subtask's status after the answer."""
        if subtask.id in self.marked:
            return "done"
        if subtask.id in self.off:
            return "dropped"
        if subtask.id in self.given:
            return "queued"
        return "waiting" if subtask.id in self.released else subtask.status

    def has(self, agent: Agent, subtask: Subtask) -> bool:
        """Whether an agent has an unfinished subtask after the answer."""
        holder = self.holder(subtask)
        return (
            holder is not None
            and holder.name == agent.name
            and self.status(subtask) not in FINISHED
        )

    def holder(self, subtask: Subtask) -> Agent | None:
        """Who has the subtask after the answer."""
        new = [name for name, given in self.assigned if given.id == subtask.id]
        held = None if subtask.id in self.released else subtask.agent
        return self.team.agent(new[-1] if new else held)

    def newly(self, agent: Agent) -> list[Subtask]:
        """What the answer gives to an agent."""
        return [subtask for name, subtask in self.assigned if name == agent.name]

    def before(self, subtask: Subtask) -> list[Subtask]:
        """What comes before a subtask, directly or not."""
        known = self.team.now.subtasks
        found: dict[str, Subtask] = {}
        open_ = [subtask]
        while open_:
            last = open_.pop()
            for id in (*last.after, *last.after_any):
                if id in known and id not in found:
                    found[id] = known[id]
                    open_.append(known[id])
        return [subtask for subtask in self.team.subtasks if subtask.id in found]

    def count(self, *statuses: str) -> int:
        """How many subtasks of the work have one of these statuses."""
        return sum(1 for subtask in self.work if self.status(subtask) in statuses)

    @property
    def total(self) -> int:
        """How many subtasks there are, without dropped ones."""
        return len(self.work) - self.count("dropped")

    @property
    def recipe(self) -> str | None:
        """The recipe that is chosen, or that the answer chooses."""
        state = self.team.world.state
        name = self.chosen or state.get("recipe_name") or state.get("recipe")
        return None if name is None else str(name)


def statement_kinds(team: Team, only: Collection[str] | None = None) -> dict[str, StatementKind]:
    """The kinds of statements that can be made of a team's library; ``only`` of these."""
    view = team.knowledge.view
    without = set() if view.facts else {"fact"}
    without |= set() if team.knowledge.recipes else {"name", "how_about", "no_recipe"}
    return {
        name: kind
        for name, kind in registry().statements.items()
        if not without & {name, *kind.needs} and (not kind.of or view.types.has(kind.of))
        if only is None or name in only
    }


def explain_statements(team: Team, only: Collection[str] | None = None) -> str:
    """The kinds of statements, for prompts and refusals."""
    kinds = statement_kinds(team, only).values()
    told = "; ".join(f"{k.signature}{f': {k.about}' if k.about else ''}" for k in kinds)
    return (
        "`say` takes claims, a list of {is: KIND, FIELD: …}: they are checked and said in fixed "
        f"words, and no other words are said. Kinds: {told}."
    )


def statement_schema(
    team: Team, names: Names, only: Collection[str] | None = None
) -> dict[str, object]:
    """The JSON Schema of the claims of a message, with the names that the model is shown."""
    view, kinds = team.knowledge.view, statement_kinds(team, only)
    subtasks = names.all_names("Subtask") or ()
    known: Mapping[str, Iterable[str]] = {
        "agent": names.all_names("Agent") or (),
        "subtask": subtasks,
        "after": subtasks,
        "name": names.all_names("Recipe") or (),
        "thing": (),
        "fact": (*view.facts, *view.state, *view.derived),
    }
    properties: dict[str, object] = {"is": {"type": "string", "enum": list(kinds)}}
    properties |= {name: _enum(names) for name, names in known.items()}
    properties |= {
        "number": {"type": "integer"},
        "names": {"type": "array", "items": _enum(()), "maxItems": MOST},
        "value": {"type": ["string", "number", "boolean"], "maxLength": LONGEST_QUOTE},
        "words": {"type": "string", "maxLength": LONGEST_QUOTE},
    }
    fields = {"is", *(name for kind in kinds.values() for name in (*kind.needs, *kind.may))}
    item = {
        "type": "object",
        "properties": {name: one for name, one in properties.items() if name in fields},
        "required": ["is"],
        "additionalProperties": False,
    }
    return {"type": "array", "items": item, "minItems": 1, "maxItems": MOST}


def _enum(names: Iterable[str]) -> dict[str, object]:
    listed = list(dict.fromkeys(names))
    if 0 < len(listed) <= MOST_NAMES:
        return {"type": "string", "enum": listed}
    return {"type": "string", "maxLength": 2 * LONGEST_QUOTE}


class ClaimReader:
    """Resolves the names in claims. Raises EventRefused for one that cannot be read."""

    def __init__(self, team: Team) -> None:
        self.team = team

    def read(self, given: object) -> Statement:
        """A claim with its names resolved."""
        if isinstance(given, Mapping):  # what no claim has is dropped, as all free words are
            given = {name: given[name] for name in ("is", *FIELDS) if name in given}
        problem = misfit(given)
        if problem is not None:
            raise EventRefused(problem)
        assert isinstance(given, Mapping)
        kind = registry().statements[str(given["is"])]
        fields = {name: given[name] for name in FIELDS if given.get(name) is not None}
        found = {name: getattr(self, f"_{name}")(value) for name, value in fields.items()}
        for name in ("subtask", "after"):
            subtask = found.get(name)
            if subtask and not kind.possible and subtask.id not in self.team.now.subtasks:
                work = [s.id for s in self.team.work]
                raise EventRefused(unknown("subtask", subtask.id, work))
        return Statement(kind.name, **cast("Any", found))

    def _agent(self, value: object) -> Agent:
        found = self.team.agent(str(value))
        if found is None:
            raise EventRefused(unknown("agent", _short(value), self.team.now.agents))
        return found

    def _subtask(self, value: object) -> Subtask:
        text = str(value)
        same = (s for s in self.team.work if text.lower() in (s.id.lower(), s.words.lower()))
        found = self.team.now.subtasks.get(text) or next(same, None)
        found = found or find_subtask(self.team, text)
        if found is None:
            raise EventRefused(unknown("subtask", _short(text), [s.id for s in self.team.work]))
        return found

    _after = _subtask

    def _number(self, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise EventRefused(f"'number' is a whole number, not '{_short(value)}'")
        return value

    def _name(self, value: object) -> str:
        return self._one_of("recipe", value, self.team.knowledge.recipes)

    def _thing(self, value: object) -> str:
        knowledge = self.team.knowledge
        found = knowledge.words.thing(str(value))
        return found or self._one_of("thing", value, (*knowledge.view.objects, *knowledge.agents))

    def _fact(self, value: object) -> str:
        view = self.team.knowledge.view
        return self._one_of("fact", value, (*view.facts, *view.state, *view.derived))

    def _names(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or len(value) > MOST:
            raise EventRefused(f"'names' is a list of at most {MOST} names")
        knowledge = self.team.knowledge
        known = (*knowledge.view.objects, *knowledge.agents, *knowledge.recipes)
        work = [name for subtask in self.team.work for name in (subtask.id, subtask.words)]
        return tuple(self._one_of("name", item, (*known, *work)) for item in value)

    def _value(self, value: object) -> object:
        if not isinstance(value, str | int | float):
            raise EventRefused("'value' is a text, a number, true or false")
        return value

    def _words(self, value: object) -> str:
        text = " ".join(str(value).split())
        people = self.team.knowledge.people
        said = [u.text for u in self.team.chat[-RECENT:] if u.who in people]
        said.append(self.team.user_input)
        plain = text.lower()
        if not plain or len(text) > LONGEST_QUOTE or not any(plain in s.lower() for s in said):
            raise EventRefused("'words' are a few of the person's own, as they said them")
        return text

    @staticmethod
    def _one_of(what: str, value: object, known: Iterable[str]) -> str:
        text, names = str(value).strip(), list(known)
        for name in (*(n for n in names if n == text), *names):
            if name.lower() == text.lower():
                return name
        raise EventRefused(unknown(what, _short(value), names))


def _short(value: object) -> str:
    return textwrap.shorten(str(value), LONGEST_QUOTE, placeholder=" …")


def speak(
    team: Team, calls: Sequence[ActionCall], only: Collection[str] | None = None
) -> tuple[list[ActionCall], list[str]]:
    """A model's actions with what it says in treec's words, and why the rest is not said.

    ``only``: the kinds of claims that may be made. Raises OnlyWords where nothing is left, or
    something is not so and nothing else is done.
    """
    outlook = _outlook(team, calls)
    kept: list[ActionCall] = []
    free: list[str] = []
    untrue: list[str] = []
    for call in calls:
        if call.action.name != SAY:
            kept.append(call)
            continue
        texts: list[str] = []
        good: list[object] = []
        for claim in cast("Sequence[object]", call.args.get("claims") or ())[:MOST]:
            try:
                read = ClaimReader(team).read(claim)
                if only is not None and read.kind not in only:
                    raise EventRefused(unknown("kind of claim", read.kind, only))
                texts.append(render(read, outlook))
                good.append(claim)
            except NotSo as error:
                untrue.append(f"{error}.")
            except EventRefused as error:
                free.append(f"{str(error).rstrip('.')}.")
        if call.args.get("message") or not call.args.get("claims"):
            free.append("Words of your own are not said.")
        text = _fit(dict.fromkeys(texts))
        if text:
            kept.append(replace_args(call, message=text, claims=tuple(good)))
    why = list(dict.fromkeys((*untrue, *free)))
    does_more = any(call.action.name not in (SAY, NOTHING) for call in kept)
    if not does_more and (untrue or (free and not any(c.action.name == SAY for c in kept))):
        how = explain_statements(team, only) if free else "Say only what is so."
        raise OnlyWords(" ".join((*why, how)))
    return kept, why


def replace_args(call: ActionCall, **args: object) -> ActionCall:
    """The same call with other arguments."""
    return replace(call, args={**call.args, **args})


def _fit(texts: Iterable[str]) -> str:
    """As many of the texts as may be said at once."""
    said = ""
    for text in texts:
        if said and len(said) + 1 + len(text) > LONGEST:
            break
        said = f"{said} {text}".strip()
    return textwrap.shorten(said, LONGEST, placeholder=" …")


def render(claim: Statement, outlook: Outlook) -> str:
    """A statement in treec's words. Raises NotSo if it does not hold."""
    kind = registry().statements[claim.kind]
    try:
        found = _function(kind)(claim, outlook)
    except (ExtensionError, EvaluationProblem, LocatedError) as error:
        raise NotSo(str(error)) from error
    if not found:
        raise NotSo(f"{claim} is not so{_truth(claim, outlook)}")
    more = found if isinstance(found, Mapping) else {}
    values = {name: getattr(claim, name) for name in FIELDS}
    scope = MappingScope({**values, "total": outlook.total, **more})
    template = sentence(outlook.team.knowledge.view, f"claim_{kind.name}")
    assert template is not None
    text = " ".join(template.render(scope).split())
    return (text[:1].upper() + text[1:]).replace("….", "…")


def _function(kind: StatementKind) -> Callable[[Statement, Outlook], object]:
    function = cast("Callable[[Statement, Outlook], object]", registry().load(kind.holds))
    return guarded(kind.holds, function) if is_foreign(kind.holds) else function


def _truth(claim: Statement, outlook: Outlook) -> str:
    """How it is instead, as far as a status says it."""
    found = []
    if claim.subtask is not None:
        holder = outlook.holder(claim.subtask)
        by = f" ({holder})" if holder is not None else ""
        found.append(f"'{claim.subtask}' is {outlook.status(claim.subtask)}{by}")
    if claim.agent is not None:
        at = claim.agent.current
        busy = f", at '{at}'" if at is not None else ""
        found.append(f"{claim.agent} is {claim.agent.status}{busy}")
    if claim.number is not None:
        found.append(f"{outlook.count('done')} of {outlook.total} are done")
    return f": {', '.join(found)}" if found else ""


def _outlook(team: Team, calls: Sequence[ActionCall]) -> Outlook:
    def given(*actions: str) -> Iterator[tuple[str, Subtask]]:
        for call in calls:
            if call.action.name in actions:
                found = call.args.get("subtasks") or (call.args.get("subtask"),)
                agent = call.args.get("agent") or call.args.get("to")
                for subtask in found if isinstance(found, list | tuple) else ():
                    if isinstance(subtask, Subtask):
                        yield str(agent), subtask

    def ids(action: str) -> frozenset[str]:
        return frozenset(subtask.id for _, subtask in given(action))

    chosen = [str(call.args["name"]) for call in calls if call.action.name == "set_recipe"]
    moved = [(agent, s) for agent, s in given("assign", "take_back") if agent != "None"]
    return Outlook(
        team,
        tuple(moved),
        ids("mark_complete"),
        ids("drop"),
        ids("take_back"),
        frozenset((agent, subtask.id) for agent, subtask in given("propose")),
        chosen[-1] if chosen else None,
    )
