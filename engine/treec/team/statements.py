"""What a message claims of the work, as data: checked against the state, said in plain words.

A claim names the words of the message that it stands for (``says``), what it claims (``is``), and
of whom and what. A claim that does not hold refuses the answer, with the reason. One that holds is
said in treec's own words in the place of the sentence that it stands for, so no wording of a model
can say more than its claims.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from treec.source.diagnostics import unknown
from treec.source.scope import MappingScope
from treec.team.entities import Agent, Subtask
from treec.team.sentences import sentence
from treec.team.state import FINISHED
from treec.team.team import Team
from treec.world.events import EventRefused

if TYPE_CHECKING:
    from treec.team.actions import ActionCall

LONGEST = 2_000
"""Characters of a message in which sentences are looked for."""

_Entity = TypeVar("_Entity")
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")


@dataclass(frozen=True)
class Statement:
    """A claim with its names resolved."""

    kind: str
    says: str
    agent: Agent | None = None
    subtask: Subtask | None = None
    after: Subtask | None = None
    number: int | None = None
    name: str | None = None


@dataclass(frozen=True)
class Outlook:
    """The state in which claims are checked, with what the same answer does."""

    team: Team
    assigned: frozenset[tuple[str, str]] = frozenset()
    done: frozenset[str] = frozenset()
    dropped: frozenset[str] = frozenset()
    released: frozenset[str] = frozenset()
    proposed: frozenset[tuple[str, str]] = frozenset()
    chosen: str | None = None

    def status(self, subtask: Subtask) -> str:
        """The subtask's status after the answer."""
        if subtask.id in self.done:
            return "done"
        return "dropped" if subtask.id in self.dropped else subtask.status

    def count(self, *statuses: str) -> int:
        """How many subtasks of the work have one of these statuses."""
        return sum(1 for subtask in self.team.work if self.status(subtask) in statuses)

    @property
    def total(self) -> int:
        """How many subtasks there are, without dropped ones."""
        return len(self.team.work) - self.count("dropped")

    @property
    def recipe(self) -> str | None:
        """The recipe that is chosen, or that the answer chooses."""
        state = self.team.world.state
        name = self.chosen or state.get("recipe_name") or state.get("recipe")
        return None if name is None else str(name)


Check = Callable[[Statement, Outlook], bool]


@dataclass(frozen=True)
class StatementKind:
    """A kind of claim: the fields that it needs and may have, and whether it holds."""

    needs: tuple[str, ...]
    holds: Check
    may: tuple[str, ...] = ()


def _has(agent: Agent, subtask: Subtask, outlook: Outlook) -> bool:
    open_ = outlook.status(subtask) not in FINISHED and subtask.id not in outlook.released
    return (subtask.agent == agent.name and open_) or (agent.name, subtask.id) in outlook.assigned


def _is_at(claim: Statement, outlook: Outlook) -> bool:
    agent, subtask = claim.agent, claim.subtask
    if agent is None or subtask is None or agent.current is None or agent.status == "Interrupted":
        return False
    return agent.current.id == subtask.id and outlook.status(subtask) not in FINISHED


def _is_done(claim: Statement, outlook: Outlook) -> bool:
    assert claim.subtask is not None
    by = claim.agent is None or claim.subtask.agent == claim.agent.name
    return by and outlook.status(claim.subtask) == "done"


def _is_left(claim: Statement, outlook: Outlook) -> bool:
    assert claim.subtask is not None
    own = claim.agent is None or _has(claim.agent, claim.subtask, outlook)
    return own and outlook.status(claim.subtask) not in FINISHED


def _is_after(claim: Statement, outlook: Outlook) -> bool:
    """Whether one subtask comes before the other, directly or not."""
    assert claim.subtask is not None
    assert claim.after is not None
    work = {subtask.id: subtask for subtask in outlook.team.work}
    seen: set[str] = set()
    open_ = [claim.subtask.id]
    while open_:
        found = work.get(open_.pop())
        for id in (*found.after, *found.after_any) if found else ():
            if id not in seen:
                seen.add(id)
                open_.append(id)
    return claim.after.id in seen


def _nobody_is_at(claim: Statement, outlook: Outlook) -> bool:
    assert claim.subtask is not None
    agents = outlook.team.agents
    is_at = any(a.current is not None and a.current.id == claim.subtask.id for a in agents)
    return not is_at and outlook.status(claim.subtask) not in FINISHED


def _is_idle(claim: Statement, outlook: Outlook) -> bool:
    agent = claim.agent
    assert agent is not None
    given = any(name == agent.name for name, _ in outlook.assigned)
    return agent.current is None and not agent.queue and not given


def _is_stopped(claim: Statement, outlook: Outlook) -> bool:
    assert claim.agent is not None
    return claim.agent.status == "Interrupted"


def _can(claim: Statement, outlook: Outlook) -> bool:
    assert claim.agent is not None
    assert claim.subtask is not None
    return outlook.team.knowledge.able(claim.agent.name, claim.subtask.task)


def _is_proposed(claim: Statement, outlook: Outlook) -> bool:
    assert claim.agent is not None
    assert claim.subtask is not None
    pair = (claim.agent.name, claim.subtask.id)
    open_ = {(p.agent.name, p.subtask.id) for p in outlook.team.now.open}
    return pair in open_ or pair in outlook.proposed


def _will(claim: Statement, outlook: Outlook) -> bool:
    assert claim.agent is not None
    assert claim.subtask is not None
    return _has(claim.agent, claim.subtask, outlook)


def _has_status(status: str) -> Check:
    return lambda claim, outlook: (
        claim.subtask is not None and outlook.status(claim.subtask) == status
    )


_BOTH = ("agent", "subtask")
KINDS: Mapping[str, StatementKind] = {
    "done": StatementKind(("subtask",), _is_done, ("agent",)),
    "doing": StatementKind(_BOTH, _is_at),
    "will": StatementKind(_BOTH, _will),
    "left": StatementKind(("subtask",), _is_left, ("agent",)),
    "after": StatementKind(("subtask", "after"), _is_after),
    "ready": StatementKind(
        ("subtask",), lambda claim, _: claim.subtask is not None and claim.subtask.ready
    ),
    "nobody_at": StatementKind(("subtask",), _nobody_is_at),
    "failed": StatementKind(("subtask",), _has_status("failed")),
    "dropped": StatementKind(("subtask",), _has_status("dropped")),
    "idle": StatementKind(("agent",), _is_idle),
    "stopped": StatementKind(("agent",), _is_stopped),
    "not_stopped": StatementKind(("agent",), lambda claim, o: not _is_stopped(claim, o)),
    "can": StatementKind(_BOTH, _can),
    "cannot": StatementKind(_BOTH, lambda claim, outlook: not _can(claim, outlook)),
    "abilities": StatementKind(("agent",), lambda _, __: True),
    "proposed": StatementKind(_BOTH, _is_proposed),
    "all_done": StatementKind(
        (), lambda _, outlook: outlook.total > 0 and outlook.count("done") == outlook.total
    ),
    "number_done": StatementKind(
        ("number",), lambda claim, outlook: claim.number == outlook.count("done")
    ),
    "number_left": StatementKind(
        ("number",),
        lambda claim, outlook: claim.number == outlook.total - outlook.count("done"),
    ),
    "recipe": StatementKind(("name",), lambda claim, outlook: claim.name == outlook.recipe),
    "has_recipe": StatementKind(
        ("name",), lambda claim, outlook: claim.name in outlook.team.knowledge.recipes
    ),
    "nothing_chosen": StatementKind((), lambda _, outlook: not outlook.team.work),
}
"""What can be claimed."""

_FIELDS = ("agent", "subtask", "after", "number", "name")


def statement_schema(team: Team) -> dict[str, object]:
    """The JSON Schema of a claim, with the names that there are now."""
    text: dict[str, object] = {"type": "string"}
    work = [subtask.id for subtask in team.work]
    subtask = {"type": "string", "enum": work} if work else text
    agents = [agent.name for agent in team.agents]
    return {
        "type": "object",
        "properties": {
            "says": text,
            "is": {"type": "string", "enum": list(KINDS)},
            "agent": {"type": "string", "enum": agents} if agents else text,
            "subtask": subtask,
            "after": subtask,
            "number": {"type": "integer"},
            "name": text,
        },
        "required": ["says", "is"],
        "additionalProperties": False,
    }


def read_statements(team: Team, message: str, claims: object) -> Iterator[Statement]:
    """The claims that a message comes with. Raises EventRefused for one that cannot be read."""
    for given in claims if isinstance(claims, list | tuple) else ():
        if not isinstance(given, Mapping):
            raise EventRefused(f"a claim has 'says' and 'is', not {given!r}")
        yield _read(team, message, given)


def _read(team: Team, message: str, given: Mapping[str, object]) -> Statement:
    says, kind = str(given.get("says") or ""), str(given.get("is"))
    about = f"the claim '{says}'"
    if kind not in KINDS:
        raise EventRefused(f"{about}: {unknown('kind of claim', kind, KINDS)}")
    if not any(True for _ in _sentences_with(message, says)):
        raise EventRefused(f"{about} stands for no sentence of the message")
    needs, may = KINDS[kind].needs, (*KINDS[kind].needs, *KINDS[kind].may)
    fields = {name: given[name] for name in _FIELDS if given.get(name) is not None}
    for name in needs:
        if name not in fields:
            raise EventRefused(f"{about}: '{kind}' needs '{name}'")
    for name in fields:
        if name not in may:
            raise EventRefused(f"{about}: unknown field '{name}' of '{kind}'")
    agents = {agent.name: agent for agent in team.agents}
    work = {subtask.id: subtask for subtask in team.work}
    return Statement(
        kind,
        says,
        _named(agents, fields, "agent", about),
        _named(work, fields, "subtask", about),
        _named(work, fields, "after", about),
        number if isinstance(number := fields.get("number"), int) else None,
        str(fields["name"]) if "name" in fields else None,
    )


def _named(
    known: Mapping[str, _Entity], fields: Mapping[str, object], name: str, about: str
) -> _Entity | None:
    if name not in fields:
        return None
    wanted = str(fields[name])
    if wanted not in known:
        raise EventRefused(f"{about}: {unknown(name, wanted, known)}")
    return known[wanted]


def check_statements(team: Team, calls: Sequence[ActionCall]) -> list[str]:
    """Why claims of an answer's messages do not hold; empty if all do. Raises EventRefused."""
    outlook = _outlook(team, calls)
    return [
        f"'{claim.says}' is not so: {_describe(claim)} does not hold{_truth(claim, outlook)}."
        for call in calls
        if call.args.get("claims")
        for claim in read_statements(team, str(call.args.get("message")), call.args["claims"])
        if not KINDS[claim.kind].holds(claim, outlook)
    ]


def _outlook(team: Team, calls: Sequence[ActionCall]) -> Outlook:
    def pairs(action: str) -> frozenset[tuple[str, str]]:
        found = ((call.args.get("agent"), subtask) for call, subtask in _given(calls, action))
        return frozenset((str(agent), subtask.id) for agent, subtask in found)

    def ids(action: str) -> frozenset[str]:
        return frozenset(subtask.id for _, subtask in _given(calls, action))

    chosen = [str(call.args["name"]) for call in calls if call.action.name == "set_recipe"]
    return Outlook(
        team,
        pairs("assign"),
        ids("mark_complete"),
        ids("drop"),
        ids("take_back"),
        pairs("propose"),
        chosen[-1] if chosen else None,
    )


def _given(calls: Sequence[ActionCall], action: str) -> Iterator[tuple[ActionCall, Subtask]]:
    for call in calls:
        if call.action.name == action:
            found = call.args.get("subtasks") or (call.args.get("subtask"),)
            for subtask in found if isinstance(found, list | tuple) else ():
                if isinstance(subtask, Subtask):
                    yield call, subtask


def _describe(claim: Statement) -> str:
    values = ((name, getattr(claim, name)) for name in _FIELDS)
    return f"{claim.kind}({', '.join(str(value) for _, value in values if value is not None)})"


def _truth(claim: Statement, outlook: Outlook) -> str:
    """How it is instead, as far as a status says it."""
    found = []
    if claim.subtask is not None:
        by = f" ({claim.subtask.agent})" if claim.subtask.agent else ""
        found.append(f"'{claim.subtask}' is {outlook.status(claim.subtask)}{by}")
    if claim.agent is not None:
        at = claim.agent.current
        busy = f", at '{at}'" if at is not None else ""
        found.append(f"{claim.agent} is {claim.agent.status}{busy}")
    if claim.number is not None:
        found.append(f"{outlook.count('done')} of {outlook.total} are done")
    return f": {', '.join(found)}" if found else ""


def free_text(message: str, claims: object) -> str:
    """A message without the sentences that claims stand for."""
    kept = [text for text, own in _with_claims(message, claims) if not own]
    return " ".join(kept)


def render_message(team: Team, message: str, claims: object) -> str:
    """A message, each sentence that claims stand for said in treec's words."""
    statements = list(read_statements(team, message, claims))
    said: dict[str, None] = {}
    for text, own in _with_claims(message, claims):
        rendered = [_render(team, statements[number]) for number in own]
        said.update(dict.fromkeys(rendered or [text]))
    return " ".join(said)


def _render(team: Team, claim: Statement) -> str:
    text = sentence(team.knowledge.view, f"claim_{claim.kind}")
    assert text is not None
    outlook = Outlook(team)
    values = {name: getattr(claim, name) for name in _FIELDS}
    return text.render(MappingScope({**values, "total": outlook.total})).strip()


def _with_claims(message: str, claims: object) -> Iterator[tuple[str, list[int]]]:
    """The sentences of a message, with the positions of the claims that stand for them."""
    given = claims if isinstance(claims, list | tuple) else ()
    own: dict[int, list[int]] = {}
    for number, claim in enumerate(given):
        says = str(claim.get("says") or "") if isinstance(claim, Mapping) else ""
        for index in _sentences_with(message, says):
            own.setdefault(index, []).append(number)
    for index, text in enumerate(_sentences(message)):
        yield text, own.get(index, [])


def _sentences(message: str) -> list[str]:
    found = (match.group().strip() for match in _SENTENCE.finditer(message[:LONGEST]))
    return [text for text in found if text]


def _sentences_with(message: str, says: str) -> Iterator[int]:
    """The positions of the sentences that quoted words are in or overlap; questions stay."""
    quoted = [_plain(text) for text in _sentences(says)]
    for index, text in enumerate(_sentences(message)):
        plain = _plain(text)
        if not text.endswith("?") and any(quote and quote in plain for quote in quoted):
            yield index


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+(?:'\w+)?", text.replace("’", "'").lower()))
