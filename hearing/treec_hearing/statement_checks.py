"""Whether statements hold, a function for each kind that every domain has.

Each is called as its kind is. It is given the statement and the state after the answer; it returns
whether the statement is so, or what else its words need, by name. What has nothing to tell is not
so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from treec.files.types import Named, parse_type
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.objects import name_of
from treec.source.scope import MappingScope
from treec.source.template import TextTemplate
from treec.team.entities import Agent, Subtask
from treec.team.names import WorldScope
from treec.team.state import FINISHED
from treec_asking.understood import name_or_you
from treec_hearing.answers import StateQuestion
from treec_hearing.spoken_names import find_recipes

if TYPE_CHECKING:
    from treec_asking.statements import Outlook, Statement

Found = bool | Mapping[str, object]

MOST_LISTED = 10
"""Items of a list that are said; the rest is "…"."""
WORK_ACTS = frozenset({"accept", "request", "done", "drop", "release", "stop", "resume"})
"""Kinds of acts that small talk is no answer to."""


def listed(items: Iterable[object], join: str = ", ") -> str:
    """Items as text; of long lists the first."""
    texts = list(dict.fromkeys(map(str, items)))
    return join.join(texts[:MOST_LISTED]) + (" …" if len(texts) > MOST_LISTED else "")


def _words(subtasks: Iterable[Subtask]) -> str:
    return listed(subtask.words for subtask in subtasks)


def _subtask(claim: Statement) -> Subtask:
    assert claim.subtask is not None
    return claim.subtask


def _agent(claim: Statement) -> Agent:
    assert claim.agent is not None
    return claim.agent


# One subtask


def done(claim: Statement, outlook: Outlook) -> Found:
    by = claim.agent is None or _subtask(claim).agent == claim.agent.name
    return by and outlook.status(_subtask(claim)) == "done"


def doing(claim: Statement, outlook: Outlook) -> Found:
    agent, subtask = _agent(claim), _subtask(claim)
    if agent.current is None or agent.status == "Interrupted":
        return False
    return agent.current.id == subtask.id and outlook.status(subtask) not in FINISHED


def will(claim: Statement, outlook: Outlook) -> Found:
    return outlook.has(_agent(claim), _subtask(claim))


def left(claim: Statement, outlook: Outlook) -> Found:
    own = claim.agent is None or outlook.has(claim.agent, _subtask(claim))
    return own and outlook.status(_subtask(claim)) not in FINISHED


def after(claim: Statement, outlook: Outlook) -> Found:
    return claim.after in outlook.before(_subtask(claim))


def ready(claim: Statement, outlook: Outlook) -> Found:
    return _subtask(claim).ready and _subtask(claim).id not in outlook.given


def nobody_at(claim: Statement, outlook: Outlook) -> Found:
    current = [a.current.id for a in outlook.team.agents if a.current is not None]
    subtask = _subtask(claim)
    return subtask.id not in current and outlook.status(subtask) not in FINISHED


def failed(claim: Statement, outlook: Outlook) -> Found:
    return outlook.status(_subtask(claim)) == "failed"


def dropped(claim: Statement, outlook: Outlook) -> Found:
    return outlook.status(_subtask(claim)) == "dropped"


def proposed(claim: Statement, outlook: Outlook) -> Found:
    pair = (_agent(claim).name, _subtask(claim).id)
    asked = {(p.agent.name, p.subtask.id) for p in outlook.team.now.open}
    return pair in asked or pair in outlook.proposed


def waits_for(claim: Statement, outlook: Outlook) -> Found:
    waits = [s for s in outlook.before(_subtask(claim)) if outlook.status(s) not in FINISHED]
    return bool(waits) and {"before": _words(waits)}


def why_not(claim: Statement, outlook: Outlook) -> Found:
    subtask = _subtask(claim)
    state, holder = outlook.status(subtask), outlook.holder(subtask)
    if state in (*FINISHED, "running"):
        return False
    waits = [s for s in outlook.before(subtask) if outlook.status(s) not in FINISHED]
    stopped = holder is not None and holder.status == "Interrupted"
    if holder is not None and not waits and not stopped:
        return False
    found = {"before": _words(waits), "able": _able(subtask, outlook), "failed": state == "failed"}
    return {**found, "stopped": holder if stopped else None}


def can(claim: Statement, outlook: Outlook) -> Found:
    return outlook.team.knowledge.able(_agent(claim).name, _subtask(claim).task)


def cannot(claim: Statement, outlook: Outlook) -> Found:
    return not can(claim, outlook)


def who_can(claim: Statement, outlook: Outlook) -> Found:
    able = _able(_subtask(claim), outlook)
    return {"able": able[:1].upper() + able[1:]}


def _able(subtask: Subtask, outlook: Outlook) -> str:
    knowledge = outlook.team.knowledge
    able = [a for a in outlook.team.agents if knowledge.able(a.name, subtask.task)]
    return listed(map(name_or_you, able), " or ")


# How it is now, in the words of answers


def _now(outlook: Outlook, tell: Callable[[StateQuestion], str]) -> Found:
    """What the rules would answer; nothing where the same answer changes the work."""
    items = "" if outlook.changes else tell(StateQuestion(outlook.team, ""))
    return bool(items) and {"items": items.removesuffix(".")}


def status(claim: Statement, outlook: Outlook) -> Found:
    return _now(outlook, lambda now: now.statuses([_subtask(claim)]))


def work_with(claim: Statement, outlook: Outlook) -> Found:
    own = [s for s in outlook.work if str(claim.thing) in map(str, s.args.values())]
    return _now(outlook, lambda now: now.statuses(own))


def queue(claim: Statement, outlook: Outlook) -> Found:
    return _now(outlook, lambda now: now.state_of(_agent(claim)))


def everybody(claim: Statement, outlook: Outlook) -> Found:
    return _now(outlook, lambda now: " ".join(map(now.state_of, outlook.team.agents)))


def abilities(claim: Statement, outlook: Outlook) -> Found:
    return _now(outlook, lambda now: now.abilities_of(_agent(claim)))


def progress(claim: Statement, outlook: Outlook) -> Found:
    return bool(outlook.work) and _now(outlook, lambda now: now.progress())


def where(claim: Statement, outlook: Outlook) -> Found:
    agent = outlook.team.agent(claim.thing)
    if agent is not None:
        return _now(outlook, lambda now: now.place_of_agent(agent))
    return _now(outlook, lambda now: now.place_of(str(claim.thing)))


# One agent


def idle(claim: Statement, outlook: Outlook) -> Found:
    agent = _agent(claim)
    return agent.current is None and not agent.queue and not outlook.newly(agent)


def stopped(claim: Statement, outlook: Outlook) -> Found:
    return _agent(claim).status == "Interrupted"


def not_stopped(claim: Statement, outlook: Outlook) -> Found:
    return _agent(claim).status != "Interrupted"


def did(claim: Statement, outlook: Outlook) -> Found:
    agent = _agent(claim)
    own = [s for s in outlook.work if outlook.status(s) == "done" and s.agent == agent.name]
    return bool(own) and {"items": _words(own)}


# All the work


def could_begin(claim: Statement, outlook: Outlook) -> Found:
    open_ = [s for s in outlook.work if s.ready and s.id not in outlook.given]
    open_ = [s for s in open_ if outlook.status(s) not in FINISHED]
    return bool(open_) and {"items": _words(open_)}


def waiting_for_yes(claim: Statement, outlook: Outlook) -> Found:
    asked = [
        f"should {name_or_you(p.agent)} {p.subtask.words}"
        for p in outlook.team.now.open
        if not p.drop
    ]
    return bool(asked) and {"items": listed(asked)}


def all_done(claim: Statement, outlook: Outlook) -> Found:
    return outlook.total > 0 and outlook.count("done") == outlook.total


def number_done(claim: Statement, outlook: Outlook) -> Found:
    return claim.number == outlook.count("done")


def number_left(claim: Statement, outlook: Outlook) -> Found:
    return claim.number == outlook.total - outlook.count("done")


def nothing_chosen(claim: Statement, outlook: Outlook) -> Found:
    return not outlook.work and outlook.chosen is None


# Recipes


def recipe(claim: Statement, outlook: Outlook) -> Found:
    return claim.name == outlook.recipe


def has_recipe(claim: Statement, outlook: Outlook) -> Found:
    return claim.name in outlook.team.knowledge.recipes


def no_recipe(claim: Statement, outlook: Outlook) -> Found:
    return not find_recipes(outlook.team.knowledge.recipes, str(claim.words))


def recipes(claim: Statement, outlook: Outlook) -> Found:
    known = outlook.team.knowledge.recipes
    return bool(known) and {"count": len(known), "items": listed(known)}


def steps(claim: Statement, outlook: Outlook) -> Found:
    found = outlook.team.knowledge.recipe_file(str(claim.name))
    return found is not None and {"items": listed(s.do or id for id, s in found.subtasks.items())}


def how_about(claim: Statement, outlook: Outlook) -> Found:
    known = {name.lower() for name in outlook.team.knowledge.recipes}
    return bool(claim.names) and {n.lower() for n in claim.names} <= known and _choices(claim)


# Facts


def fact(claim: Statement, outlook: Outlook) -> Found:
    team, name = outlook.team, str(claim.fact)
    spec = team.knowledge.view.facts.get(name)
    scope = WorldScope(team)
    try:
        if spec is None:
            value = scope.lookup(name)
            if not _is_named(value, outlook):
                return False
        elif not _fit(claim.names, spec.args, outlook):
            return False
        else:
            value = team.fact(name, claim.names)
    except (EvaluationProblem, LocatedError):
        return False
    if claim.value is not None and _said(value).lower() != _said(claim.value).lower():
        return False
    of, plain = listed(claim.names), name.replace("_", " ")
    words = ": ".join(filter(None, (of, plain, _said(value))))
    thing = claim.names[0] if claim.names else None
    if spec is None or not spec.says or (value is None and spec.value == "number"):
        return {"told": "", "fact_words": words}
    values = MappingScope({"thing": thing, "names": claim.names, "value": value}, parent=scope)
    told = TextTemplate.parse(spec.says).render(values).strip().removesuffix(".")
    return {"told": told, "fact_words": words}


def _fit(names: Sequence[str], kinds: Sequence[str], outlook: Outlook) -> bool:
    """Whether things are of the types of a fact's arguments."""
    view = outlook.team.knowledge.view
    own = [view.thing_type(name) for name in names]
    return len(own) == len(kinds) and all(
        thing is not None and view.types.fits(Named(thing), parse_type(kind))
        for thing, kind in zip(own, kinds, strict=True)
    )


def _is_named(value: object, outlook: Outlook) -> bool:
    """Whether a value is a number or a name: a text may be a model's."""
    if isinstance(value, list | tuple):
        return all(_is_named(item, outlook) for item in value)
    knowledge = outlook.team.knowledge
    known = (*knowledge.recipes, *knowledge.agents, *knowledge.view.objects)
    return (
        value is None
        or isinstance(value, bool | int | float)
        or (value in known if isinstance(value, str) else name_of(value) is not None)
    )


def _said(value: object) -> str:
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{round(value, 1):g}"
    if isinstance(value, list | tuple):
        return listed(map(_said, value)) or "none"
    return name_of(value) or str(value)


# Questions and small talk


def which(claim: Statement, outlook: Outlook) -> Found:
    return len(claim.names) > 1 and _choices(claim)


def _choices(claim: Statement) -> Mapping[str, object]:
    return {"choices": listed(claim.names, " or ")}


def who_should(claim: Statement, outlook: Outlook) -> Found:
    return outlook.status(_subtask(claim)) not in FINISHED and not outlook.holder(_subtask(claim))


def go_on(claim: Statement, outlook: Outlook) -> Found:
    return stopped(claim, outlook)


def tell_me(claim: Statement, outlook: Outlook) -> Found:
    holder = outlook.holder(_subtask(claim))
    open_ = outlook.status(_subtask(claim)) not in FINISHED
    return open_ and holder is not None and holder.person


def what_next(claim: Statement, outlook: Outlook) -> Found:
    return True


unclear = unknown = unable = what_next


def hello(claim: Statement, outlook: Outlook) -> Found:
    """Small talk is so where nobody ordered, agreed to or reported anything: it is no answer."""
    return not any(act.kind in WORK_ACTS for act in outlook.team.now.acts)


all_right = glad = pity = thanks = welcome = hello
