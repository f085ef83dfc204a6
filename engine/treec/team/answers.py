"""What is said to questions about the work and the place of it, and to a greeting, without a model.

The words of a question say what it asks for (`where`, `who`, `how long`); the state answers it, in
the sentences of :mod:`treec.team.sentences`. A question that the state does not answer has the
answer '', and the system says what it says to words that it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from treec.files.types import Named, options, read_type
from treec.source.filters_lists import list_words
from treec.source.scope import MappingScope
from treec.team.entities import Agent, Subtask, Task
from treec.team.knowledge import ANYTHING
from treec.team.mentions import (
    find_mentioned,
    find_nearest_thing,
    find_tasks,
    find_unknown_agents,
    find_unknown_things,
    find_unnamed_things,
    is_no_name,
    is_plural,
    singulars,
)
from treec.team.sentences import sentence
from treec.team.state import FINISHED
from treec.team.team import Team
from treec.team.understood import name_or_you

MOST = 4
"""Subtasks that one answer lists; of more it says how many."""
_RECENT = 4
"""Utterances before a question in which the work is looked for that it is about."""

_PLEASANTRIES: Mapping[str, str] = {
    "hello": r"(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|morning|evening)"
    r"(?: (?:there|again|everyone|everybody|all|team|robots?|guys))?",
    "very_well": r"(?:and )?how (?:are|do) you(?: (?:doing|feeling|do|all))?(?: today)?",
    "welcome": r"(?:many |okay |ok |great |oh )?(?:thanks|thank you|thx|cheers)"
    r"(?: (?:a lot|so much|very much|again|everyone|all|guys|both|anyway|for .+))?|well done"
    r"|you(?: are|'re) (?:so |very |all |the |both )*"
    r"(?:great|best|awesome|wonderful|kind|good|amazing)"
    r"|that(?:'s| is) (?:all|it)(?: for (?:today|now))?|(?:great|nice|good) (?:job|work)",
    "all_right": r"no (?:thanks|thank you)|never ?mind|forget it|nothing(?: then)?"
    r"|cancel (?:it|that|everything|all)|(?:i|we) (?:do not|don't) want to \w+(?: any ?more| now)?",
    "goodbye": r"(?:ok |okay )?(?:bye|good ?bye|bye bye|good night|see you)"
    r"(?: (?:later|soon|tomorrow|everyone|everybody|all|robots?|guys))?",
}
"""Sentence → the clauses to which it is said."""
_CLAUSE = re.compile(r"\s*[.,;!?]+\s*")

_WHERE = re.compile(
    r"\bwho(?:'s| has| holds| is holding)(?: got)?\b(?! \w+ing)|\bwhere\b(?:'s| is| are| was| were"
    r"| do (?:you|we|i)(?: keep| find)?)*(.*)"
)
_HAPPENED = re.compile(
    r"\bhappen(?:s|ed)?\b|\bwrong\b|\bproblems?\b|\bfail(?:s|ed|ures?)?\b|\btrouble\b"
)
_TIME = re.compile(r"\bhow (?:long|soon)\b|\bhow much (?:longer|time)\b|\bwhen\b")
_WHY = re.compile(r"\bwhy\b|\bwhat for\b|\bhow come\b")
_WHO = re.compile(
    r"\bwho\b|\bwho's\b|\bwhose\b|\bwhich (?:robot|of you|one of you)\b|\bany(?:one|body)\b"
)
_CAN = re.compile(r"\bcan(?:'t|not)?\b|\bable to\b|\bcould\b|\bknows? how\b")
_THERE = re.compile(
    r"(?:\b(?:is|are) there\b|\bhow (?:many|much)\b"
    r"|\bdo (?:we|you|i) (?:still )?have\b|\bhave (?:we|you|i) (?:still )?got\b)"
    r"(?: any| some| an?| the)?\b(.*)"
)
_WHAT = re.compile(r"\b(?:what|what's|which|how many)\b")
_DOING = re.compile(r"\b(?:doing|up to|busy|working|at it)\b")
_SELF = re.compile(
    r"\bwho are you\b|\bwhat are you\b(?! \w+ing)|\byour name\b|\bhelp\b|\bwhat do you do\b"
)
_FAR = re.compile(
    r"\bhow (?:far|is it|are (?:we|things)|goes|much)\b|\bhow's it\b|\bremain"
    r"|\b(?:status|left|progress|done|finished|ready|complete|next|now|still|to do|going on|miss)\b"
)
_ME = re.compile(
    r"\b(?:am|shall|should|can|could|must|may) i\b|\bdo i (?:do|have to|need to)\b|\bmy\b"
)
_STEPS = re.compile(r"\b(?:steps?|tasks?|jobs?|subtasks?)\b")
_HERE = re.compile(r"\b(?:here|there|at|in|on|back|over)\b")
_IT = re.compile(r"\b(?:it|that|this|them)\b")
_POLITE = re.compile(
    r"^(?:(?:can|could|would|will) you )?(?:please )?(?:tell|show|explain to) (?:me|us) "
)
_YOU = re.compile(r"\byou\b(?! have\b)")
_QUESTION = re.compile(
    r"\?\s*$|^(?:(?:and|so|but|then|well|hey|okay|ok|please|tell me|show me|do you know) )*"
    r"(?:what|where|who|whose|when|why|how|which|is|are|was|were|am|do|does|did|has|have|can|could"
    r"|will|would|should|shall|may|status|help|anything|anyone|anybody)(?:'?s|'re|'m)?\b"
)
_DOER = re.compile(r"\b([A-Z]\w+) (?:will|shall|should|can|could|must|has to|needs to)\b")
_NOBODY = frozenset(
    re.findall(
        r"\w+",
        "i you he she it we they who what which that this there nobody everybody everyone "
        "somebody someone anybody anyone both one robots all",
    )
)
_ANSWER = re.compile(r"(?:yes|yeah|yep|no|nope|ok|okay|sure)(?: please| thanks| thank you)?[.!]*")
_REPORT = re.compile(
    r"(?:(?:all|okay|ok|so|well|now|i am|i'm|it is|it's|that is|that's|we are|we're)[ ,]+)*"
    r"(?:done|finished|ready|completed?)(?: (?:now|here|already|with (?:it|that|this)))?[.!]*"
)
"""A report that names no work."""
_END = re.compile(
    r"\s*\b(?:please|now|then|left|here|there|again|today|exactly|we|you|i|do|does|have|got|is|are|need|in"
    r" stock|anywhere|at all)\s*$"
)


def answer(team: Team, words: str) -> str:
    """What is said to words that ask or greet; '' where the state has no answer."""
    said, rest = _pleasantries(team, " ".join(words.replace("’", "'").split()))
    found = StateQuestion(team, rest).answer() if _QUESTION.search(rest.lower()) else ""
    return " ".join((*said, found)) if found or not rest else ""


def not_understood(team: Team, words: str) -> str:
    """What is said to words that led to nothing: what of them is not known, or an answer."""
    knowledge = team.knowledge
    if unknown := find_unknown_things(knowledge, words):
        return " ".join(_no_thing(team, thing) for thing in unknown)
    if _REPORT.fullmatch(words.strip().lower()):
        return _say(team, "which_done")
    if names := _doers(team, words):
        return " ".join(_say(team, "no_agent", name=name) for name in names)
    if unnamed := find_unnamed_things(knowledge, words):
        return _say(team, "which", thing=unnamed[0], many=is_plural(unnamed[0]))
    if found := answer(team, words):
        return found
    is_answer = _ANSWER.fullmatch(words.strip().lower()) and not team.now.open
    return _say(team, "nothing_asked" if is_answer else "not_understood")


def _doers(team: Team, words: str) -> list[str]:
    """Names that nobody has, of whom words say that they do something: ``Tom will sweep``."""
    named = [name for name in _DOER.findall(words) if name.lower() not in _NOBODY]
    named += [n for n in find_unknown_agents(team.knowledge, words) if re.search(r"\d", n)]
    return [n for n in dict.fromkeys(named) if find_unknown_agents(team.knowledge, f"{n}, go")]


def _pleasantries(team: Team, text: str) -> tuple[list[str], str]:
    """The replies to a text's first clauses that only greet or thank, and the rest of it."""
    said: dict[str, None] = {}
    names = "|".join(re.escape(name.lower()) for name in team.knowledge.agents)
    while text:
        parted = _CLAUSE.search(text)
        clause = text[: parted.start()] if parted else text
        plain = re.sub(rf"(?:^|\s+)(?:{names})$", "", clause.strip().lower())
        kind = next((k for k, p in _PLEASANTRIES.items() if re.fullmatch(p, plain)), None)
        if (kind is None and plain) or (kind == "all_right" and team.work):
            break
        if kind is not None:
            said[_say(team, kind)] = None
        text = text[parted.end() :] if parted else ""
    return list(said), text


def _say(team: Team, key: str, /, **values: object) -> str:
    text = sentence(team.knowledge.view, key)
    said = "" if text is None else text.render(MappingScope(values)).strip()
    return said[:1].upper() + said[1:]


def _no_thing(team: Team, thing: str) -> str:
    near = find_nearest_thing(team.knowledge, thing)
    return _say(
        team, "no_thing", thing=thing, many=is_plural(thing), near=_the(near) if near else ""
    )


def _the(name: str) -> str:
    """A thing's name in a sentence: a numbered one is a name of its own."""
    return name if re.search(r"\d", name) or name[:1].isupper() else f"the {name}"


class StateQuestion:
    """A question, with what it names."""

    def __init__(self, team: Team, text: str) -> None:
        self.team, self.text = team, _POLITE.sub("", text.lower())
        names = find_mentioned(team.knowledge, text)
        self.agents = [agent for agent in team.agents if agent.name in names]
        self.things = [name for name in names if name in team.knowledge.view.objects]
        self.robots = [agent for agent in team.agents if not agent.person]
        if not self.agents and _ME.search(self.text):
            self.agents = [agent for agent in team.agents if agent.person][:1]

    def answer(self) -> str:
        """The first answer of a kind of question that the words fit."""
        kinds: tuple[tuple[re.Pattern[str], Callable[[], str]], ...] = (
            (_SELF, self._introduction),
            (_WHERE, self._where),
            (_HAPPENED, self._failures),
            (_TIME, lambda: self.say("no_time")),
            (_WHY, self._why),
            (_CAN, self._abilities),
            (_WHO, self._who),
        )
        for pattern, kind in kinds:
            if pattern.search(self.text) and (found := kind()):
                return found
        return self._facts() or self._what_is_there() or self._work()

    def say(self, key: str, /, **values: object) -> str:
        """One of the system's sentences."""
        return _say(self.team, key, **values)

    # Places

    def _where(self) -> str:
        if self.things or self.agents:
            things = [*map(self.place_of, self.things[:MOST])]
            return " ".join(filter(None, (*things, *map(self.place_of_agent, self.agents))))
        if _YOU.search(self.text) and not _IT.search(self.text):
            return " ".join(map(self.place_of_agent, self.robots))
        asked = _WHERE.search(self.text)
        return self._unknown(asked[1] if asked else "")

    def _unknown(self, phrase: str) -> str:
        """That there is no such thing, if the words can be the name of one."""
        before = None
        phrase = phrase.strip(" ?!.")
        while phrase != before:
            before, phrase = phrase, _END.sub("", phrase)
        phrase = re.sub(r"^(?:the|an?|my|our|your|any|some)\s+", "", phrase)
        return "" if is_no_name(self.team.knowledge, phrase) else _no_thing(self.team, phrase)

    def place_of(self, thing: str) -> str:
        """Where a thing is, or who has it."""
        at = self.team.fact("at", (thing,)) if "at" in self.team.knowledge.view.facts else None
        values = {"thing": _the(thing), "many": is_plural(thing)}
        if isinstance(at, Agent):
            return self.say("thing_held", **values, agent=at)
        return self.say("thing_at", **values, place=_the(str(at)) if at else "")

    def place_of_agent(self, agent: Agent) -> str:
        """Where an agent is, by the fact of its own whose value is a place."""
        view = self.team.knowledge.view
        for name, fact in view.facts.items():
            if len(fact.args) == 1 and fact.value and view.types.is_a(agent.type, fact.args[0]):
                value = self.team.fact(name, (agent.name,))
                if isinstance(value, str) and self._is_place(value):
                    return self.say("agent_at", agent=agent, place=_the(value))
        return self.state_of(agent)

    def _is_place(self, name: str) -> bool:
        """Whether things can be there: it is of a type that the fact `at` has as a value."""
        view = self.team.knowledge.view
        kinds = options(read_type(view.facts["at"].value or "none")) if "at" in view.facts else ()
        own = view.thing_type(name)
        return (
            own is not None
            and name not in view.agents
            and any(isinstance(kind, Named) and view.types.is_a(own, kind.name) for kind in kinds)
        )

    def _what_is_there(self) -> str:
        """What is at a place, where a thing or things of a kind are, or that there are none."""
        view, asked = self.team.knowledge.view, _THERE.search(self.text)
        places = [name for name in self.things if self._is_place(name)]
        if places and (asked or _WHAT.search(self.text)):
            return " ".join(self._things_at(place) for place in places)
        if asked is None or _STEPS.search(self.text):
            return ""
        if self.things:
            yes = asked[0].startswith(("is", "are", "do", "have"))
            there = [self.place_of(thing) for thing in self.things[:MOST]]
            return self.say("yes", answer=" ".join(there)) if yes else " ".join(there)
        words = set(re.findall(r"\w+", asked[1]))
        for kind in view.types.parents:
            if any(kind.lower() in singulars(word) for word in words):
                known = [n for n, spec in view.objects.items() if view.types.is_a(spec.type, kind)]
                if known:
                    return self.say(
                        "things", number=len(known), names=list_words(known, most=MOST * 2)
                    )
        return self._unknown(asked[1])

    def _things_at(self, place: str) -> str:
        there = [
            name
            for name in self.team.knowledge.view.objects
            if not self._is_place(name) and self.team.fact("at", (name,)) == place
        ]
        return self.say(
            "things_at", place=_the(place), names=list_words(map(_the, there), most=MOST * 2)
        )

    def _facts(self) -> str:
        """The facts that the words name, of what they name."""
        view, found = self.team.knowledge.view, []
        for name, fact in view.facts.items():
            if not re.search(rf"\b{re.escape(name.replace('_', ' '))}\b", self.text):
                continue
            for one in (*(agent.name for agent in self.agents), *self.things):
                kind = view.thing_type(one)
                if len(fact.args) == 1 and kind and view.types.is_a(kind, fact.args[0]):
                    value = self.team.fact(name, (one,))
                    if isinstance(value, bool):
                        found.append(self.say("so" if value else "not_so"))
                    else:
                        said = {"thing": one, "fact": name.replace("_", " "), "value": value or ""}
                        found.append(self.say("fact", **said))
        return " ".join(found)

    # Agents

    def _introduction(self) -> str:
        robots = list_words(agent.name for agent in self.robots)
        return " ".join((self.say("introduction", names=robots), *self._all_abilities()))

    def _all_abilities(self) -> list[str]:
        return [self.abilities_of(agent) for agent in self.agents or self.robots]

    def _abilities(self) -> str:
        """Who is able to do what the words speak of, or what those can do whom they name."""
        tasks = self._tasks()
        if not tasks and self.agents and not re.search(r"\b(?:it|that|this|instead)\b", self.text):
            return " ".join(self._all_abilities())
        names = [task.name for task in tasks]
        if not names and (self.agents or _WHO.search(self.text)):
            names = self._recent_tasks()
        if not names:
            return " ".join(self._all_abilities())
        able = [
            a for a in self.team.agents if all(self.team.knowledge.able(a.name, n) for n in names)
        ]
        others = list_words(map(name_or_you, [a for a in able if not a.person] or able))
        if not self.agents:
            return self.say("able", able=others)
        return " ".join(
            self.say("can", agent=agent, is_able=agent in able, able=others)
            for agent in self.agents
        )

    def _tasks(self) -> tuple[Task, ...]:
        """The tasks that the words name: who fetches."""
        verbs = re.sub(r"\b(\w{3,}?)e?s\b", r"\1", self.text)
        found = find_tasks(self.team.knowledge, self.text)
        return found or find_tasks(self.team.knowledge, verbs)

    def _recent_tasks(self) -> list[str]:
        """The tasks that the conversation spoke of last."""
        proposed = [p.subtask.task for p in self.team.now.open[:1] if p.subtask.task]
        if proposed:
            return proposed
        for line in list(self.team.chat)[-_RECENT - 1 : -1][::-1]:
            if found := find_tasks(self.team.knowledge, line.text):
                return [task.name for task in found]
        return []

    def abilities_of(self, agent: Agent) -> str:
        """What an agent can do."""
        can = [] if ANYTHING in agent.can else agent.can
        return self.say("abilities", agent=agent, can=list_words(can))

    def _who(self) -> str:
        if works := self._named_work():
            return self.statuses([one for one in works if one.agent] or works)
        if not self.agents and self._tasks() and not _DOING.search(self.text):
            return self._abilities()
        if self.agents and not _DOING.search(self.text):
            return " ".join(agent.about or self.state_of(agent) for agent in self.agents)
        if not self.agents and _IT.search(self.text):
            return ""
        busy = [agent for agent in self.team.agents if agent.current or not agent.person]
        return " ".join(map(self.state_of, self.agents or busy))

    def state_of(self, agent: Agent) -> str:
        """What an agent is at, and has still to do."""
        rest = [one for one in agent.queue if agent.current is None or one.id != agent.current.id]
        left = list_words((one.words for one in rest), most=MOST)
        if agent.status == "Interrupted":
            return self.say("stopped", agent=agent, left=left)
        if agent.current is not None:
            return self.say("busy", agent=agent, subtask=agent.current, left=left)
        return self.say("waits" if left else "claim_idle", agent=agent, left=left)

    # Work

    def _named_work(self) -> list[Subtask]:
        """The open and done subtasks of now with the things that are named."""
        tasks = {task.name for task in find_tasks(self.team.knowledge, self.text)}
        found = [
            s for s in self.team.work if not {*map(str, s.args.values())}.isdisjoint(self.things)
        ]
        exact = [s for s in found if s.task in tasks]
        return (exact or found)[:MOST]

    def statuses(self, works: Iterable[Subtask]) -> str:
        """How subtasks stand, those that stand alike in one sentence."""
        alike: dict[tuple[str, str | None], list[Subtask]] = {}
        for one in works:
            alike.setdefault((self._stand(one), one.agent), []).append(one)
        found = []
        for (kind, name), own in alike.items():
            agent = self.team.agent(name) if name else None
            words = list_words(one.words for one in own)
            if kind == "proposed":
                agent = next(p.agent for p in self.team.now.open if p.subtask.id == own[0].id)
            if kind == "busy" and agent is not None:
                found.append(self.state_of(agent))
            else:
                found.append(self.say(kind, subtask=replace(own[0], words=words), agent=agent))
        return " ".join(found)

    def _stand(self, subtask: Subtask) -> str:
        """The sentence that says how a subtask stands."""
        if subtask.status in FINISHED or subtask.status == "failed":
            return f"claim_{subtask.status}"
        if subtask.agent is None:
            open_ = {p.subtask.id for p in self.team.now.open if not p.drop}
            return "proposed" if subtask.id in open_ else "claim_nobody_at"
        agent = self.team.agent(subtask.agent)
        stopped = agent is not None and agent.status == "Interrupted"
        current = agent is not None and agent.current is not None and agent.current.id == subtask.id
        return "busy" if current or stopped else "claim_will"

    def _failures(self) -> str:
        named = {subtask.id for subtask in self._named_work()}
        failed = [
            s for s in self.team.work if s.status == "failed" and (not named or s.id in named)
        ]
        if failed:
            return " ".join(self.say("failed", subtask=s, reason=s.told) for s in failed)
        stopped = [self.state_of(agent) for agent in self.robots if agent.status == "Interrupted"]
        return " ".join(stopped) or self.say("nothing_failed")

    def _why(self) -> str:
        """What somebody's work is needed for; why nobody is at it."""
        stopped = [agent for agent in self.robots if agent.status == "Interrupted"]
        agents = self.agents or stopped or [agent for agent in self.robots if agent.current]
        found = []
        for agent in agents:
            if agent.current is None or agent.status == "Interrupted":
                found.append(self.state_of(agent))
                continue
            id = agent.current.id
            after = [s.words for s in self.team.work if id in (*s.after, *s.after_any)]
            found.append(
                self.say("because", subtask=agent.current, after=list_words(after), agent=agent)
            )
        return " ".join(found)

    def _work(self) -> str:
        """Who is at what, and how far things are."""
        if _DOING.search(self.text) and not self.agents and _YOU.search(self.text):
            return " ".join(map(self.state_of, self.robots))
        if self.agents and not self.things:
            return " ".join(map(self.state_of, self.agents))
        if works := self._named_work():
            return self.statuses(works)
        if self.things and _HERE.search(self.text):
            return " ".join(map(self.place_of, self.things[:MOST]))
        return self.progress() if _FAR.search(self.text) else ""

    def progress(self) -> str:
        """Who is at what, how much is done and what is left."""
        work = [subtask for subtask in self.team.work if subtask.status != "dropped"]
        left = [subtask for subtask in work if subtask.status != "done"]
        if not left:
            return self.say("claim_all_done" if work else "nothing_planned")
        busy = [agent for agent in self.team.agents if agent.current is not None]
        asked = {p.subtask.id for p in self.team.now.open}
        at = {agent.current.id for agent in busy if agent.current is not None}
        open_ = [s for s in left if s.id not in at]
        progress = self.say(
            "progress",
            number=len(work) - len(left),
            total=len(work),
            left=list_words((s.words for s in open_ if s.id not in asked), most=MOST),
            asked=list_words((s.words for s in open_ if s.id in asked), most=MOST),
        )
        return " ".join((*map(self.state_of, busy), progress))
