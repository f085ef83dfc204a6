"""What is said to questions about the work and the place of it, and to a greeting, without a model.

The words of a question say what it asks for (`where`, `who`, `how long`); the state answers it, in
the sentences of :mod:`treec.team.sentences`. A question that the state does not answer has the
answer '', and the system says what it says to words that it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from treec.files.hearing import QuestionWords
from treec.files.types import Named, options, read_type
from treec.source.filters_lists import list_words
from treec.source.scope import MappingScope
from treec.source.template import TextTemplate
from treec.team.entities import Agent, Subtask, Task
from treec.team.knowledge import ANYTHING
from treec.team.language import language_of
from treec.team.sentences import sentence
from treec.team.state import FINISHED
from treec.team.team import Team
from treec_asking.understood import name_or_you
from treec_hearing.described import things_described
from treec_hearing.question_words import QuestionLanguage, is_plural, singulars
from treec_hearing.spoken_names import (
    find_mentioned,
    find_nearest_thing,
    find_tasks,
    find_unknown_agents,
    find_unknown_things,
    find_unnamed_things,
    is_no_name,
)

MOST = 4
"""Subtasks that one answer lists; of more it says how many."""
_RECENT = 4
"""Utterances before a question in which the work is looked for that it is about."""

_CLAUSE = re.compile(r"\s*[.,;!?]+\s*")


def answer(team: Team, words: str) -> str:
    """What is said to words that ask or greet; '' where the state has no answer."""
    if QuestionLanguage(team.knowledge.view).is_all("again", words):
        return _said_last(team)
    said, rest = _pleasantries(team, " ".join(words.replace("’", "'").split()))
    language = QuestionLanguage(team.knowledge.view)
    plain = re.sub(rf"^(?:{_names(team)})\s*,\s*", "", rest.lower())
    asks = plain.endswith("?") or language.words("question").match(plain)
    strangers = _strangers(team, _numbered(team, rest)) if asks else ""
    found = strangers or (StateQuestion(team, rest).answer() if asks else "")
    return " ".join((*said, found)) if found or not rest else ""


def prohibitions(team: Team, words: str) -> list[str]:
    """What words say that must never happen, unless it is work that there is, or was proposed."""
    found = QuestionLanguage(team.knowledge.view).prohibitions(words)
    if found and StateQuestion(team, words).named_work():
        return []
    return [clause for clause in found if not _names_proposal(team, clause)]


def _names_proposal(team: Team, clause: str) -> bool:
    """Whether a clause names who or what was proposed, or says "it": "don't let R2 do that"."""
    rest = clause.partition(" ")[2]
    tasks = {task.name for task in find_tasks(team.knowledge, clause)}
    names = find_mentioned(team.knowledge, rest)
    says_it = not set(language_of(team.knowledge.view).pronouns).isdisjoint(rest.lower().split())
    return any(says_it or p.subtask.task in tasks or p.agent.name in names for p in team.now.open)


def not_understood(team: Team, words: str) -> str:
    """What is said to words that led to nothing: what of them is not known, or an answer.

    '' where nothing was said.
    """
    if not words.strip():
        return ""
    knowledge, language = team.knowledge, QuestionLanguage(team.knowledge.view)
    if unknown := find_unknown_things(knowledge, words):
        return " ".join(_no_thing(team, thing) for thing in unknown)
    if language.is_all("report", words) and not words.rstrip().endswith("?"):
        return _say(team, "which_done")
    if strangers := _strangers(team, find_unknown_agents(knowledge, words)):
        return strangers
    if unnamed := find_unnamed_things(knowledge, words):
        return _say(team, "which", thing=unnamed[0], many=is_plural(knowledge.view, unnamed[0]))
    if found := answer(team, words):
        return found
    is_answer = language.is_all("answer", words) and not team.now.open
    return _say(team, "nothing_asked" if is_answer else "not_understood")


def _names(team: Team) -> str:
    """A pattern of the names of agents, in lower case."""
    return "|".join(re.escape(name.lower()) for name in team.knowledge.agents)


def _strangers(team: Team, names: Iterable[str]) -> str:
    return " ".join(_say(team, "no_agent", name=name) for name in names)


def _numbered(team: Team, words: str) -> list[str]:
    """Names such as robots have ("R3") that nobody has."""
    return [n for n in find_unknown_agents(team.knowledge, words) if re.search(r"\d", n)]


def _pleasantries(team: Team, text: str) -> tuple[list[str], str]:
    """The replies to a text's first clauses that only greet or thank, and the rest of it."""
    said: dict[str, None] = {}
    language = QuestionLanguage(team.knowledge.view)
    names = _names(team)
    while text:
        parted = _CLAUSE.search(text)
        clause = text[: parted.start()] if parted else text
        plain = re.sub(rf"(?:^|\s+)(?:{names})$", "", clause.strip().lower())
        kind = language.pleasantry(plain)
        if (kind is None and plain) or (kind == "all_right" and team.work):
            break
        if kind is not None:
            said[_say(team, kind)] = None
        text = text[parted.end() :] if parted else ""
    return list(said), text


def _said_last(team: Team) -> str:
    """What was said last to people, for whoever has not heard it."""
    people, said = team.knowledge.people, []
    for line in team.now.talk.backwards():
        if line.who not in people:
            said.append(line.text)
        elif said:
            break
    return " ".join(reversed(said)) or _say(team, "nothing_said")


def _say(team: Team, key: str, /, **values: object) -> str:
    text = sentence(team.knowledge.view, key)
    said = "" if text is None else text.render(MappingScope(values)).strip()
    return said[:1].upper() + said[1:]


def _no_thing(team: Team, thing: str) -> str:
    near = things_described(team.knowledge, thing)
    if near:  # several, else it had been understood
        the = QuestionLanguage(team.knowledge.view).the
        return _say(team, "which_of", thing=thing, things=list_words(map(the, near), "or", MOST))
    nearest = find_nearest_thing(team.knowledge, thing)
    return _say(
        team,
        "no_thing",
        thing=thing,
        many=is_plural(team.knowledge.view, thing),
        near=QuestionLanguage(team.knowledge.view).the(nearest) if nearest else "",
    )


class StateQuestion:
    """A question, with what it names."""

    def __init__(self, team: Team, text: str) -> None:
        self.team, self.language = team, QuestionLanguage(team.knowledge.view)
        self.said = text
        polite = self.language.words("polite").match(text.lower())
        self.text = text.lower()[polite.end() if polite else 0 :].strip()
        names = find_mentioned(team.knowledge, text)
        self.agents = [agent for agent in team.agents if agent.name in names]
        self.things = [name for name in names if name in team.knowledge.view.objects]
        self.robots = [agent for agent in team.agents if not agent.person]
        if not self.agents and self.says("speaker"):
            self.agents = [agent for agent in team.agents if agent.person][:1]

    def answer(self) -> str:
        """The first answer of a kind of question that the words fit."""
        kinds: tuple[tuple[QuestionWords, Callable[[], str]], ...] = (
            ("self", self._introduction),
            ("where", self._where),
            ("happened", self._failures),
            ("time", lambda: self.say("no_time")),
            ("why", self._why),
            ("can", self._abilities),
            ("who", self._who),
        )
        for asked, kind in kinds:
            if self.says(asked) and (found := kind()):
                return found
        return self._facts() or self._what_is_there() or self._work()

    def says(self, name: QuestionWords) -> re.Match[str] | None:
        """Where the words say something of a sort."""
        return self.language.words(name).search(self.text)

    def say(self, key: str, /, **values: object) -> str:
        """One of the system's sentences."""
        return _say(self.team, key, **values)

    # Places

    def _where(self) -> str:
        if self.things or self.agents:
            things = [*map(self.place_of, self.things[:MOST])]
            return " ".join(filter(None, (*things, *map(self.place_of_agent, self.agents))))
        if self.says("hearer") and not self.says("named_before"):
            return " ".join(map(self.place_of_agent, self.robots))
        asked = self.says("where")
        return self._unknown(asked["thing"] or "" if asked else "")

    def _unknown(self, phrase: str) -> str:
        """That there is no such thing, if the words can be the name of one."""
        phrase = self.language.without_end(phrase)
        if found := re.search(re.escape(phrase), self.said, re.IGNORECASE):
            phrase = found[0]  # as it was written
        return "" if is_no_name(self.team.knowledge, phrase) else _no_thing(self.team, phrase)

    def place_of(self, thing: str) -> str:
        """Where a thing is, or who has it."""
        at = self.team.fact("at", (thing,)) if "at" in self.team.knowledge.view.facts else None
        values = {
            "thing": self.language.the(thing),
            "many": is_plural(self.team.knowledge.view, thing),
        }
        if isinstance(at, Agent):
            return self.say("thing_held", **values, agent=at)
        return self.say("thing_at", **values, place=self.language.the(str(at)) if at else "")

    def place_of_agent(self, agent: Agent) -> str:
        """Where an agent is, by the fact of its own whose value is a place."""
        view = self.team.knowledge.view
        for name, fact in view.facts.items():
            if len(fact.args) == 1 and fact.value and view.types.is_a(agent.type, fact.args[0]):
                value = self.team.fact(name, (agent.name,))
                if isinstance(value, str) and self._is_place(value):
                    return self.say("agent_at", agent=agent, place=self.language.the(value))
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
        view, asked = self.team.knowledge.view, self.says("there")
        places = [name for name in self.things if self._is_place(name)]
        if places and (asked or (self.says("what") and not self.says("compares"))):
            return " ".join(self._things_at(place) for place in places)
        if asked is None or self.says("steps"):
            return ""
        if self.things:
            there = [self.place_of(thing) for thing in self.things[:MOST]]
            return " ".join(there) if asked["count"] else self.say("yes", answer=" ".join(there))
        words = set(re.findall(r"\w+", asked["thing"]))
        typed = {name: spec.type for name, spec in view.objects.items()}
        typed |= {name: spec.is_ for name, spec in view.agents.items()}
        for kind in view.types.parents:
            if any(kind.lower() in singulars(view, word) for word in words):
                known = [name for name, own in typed.items() if view.types.is_a(own, kind)]
                if known:
                    return self.say(
                        "things", number=len(known), names=list_words(known, most=MOST * 2)
                    )
        return self._unknown(asked["thing"])

    def _things_at(self, place: str) -> str:
        there = [
            name
            for name in self.team.knowledge.view.objects
            if not self._is_place(name) and self.team.fact("at", (name,)) == place
        ]
        return self.say(
            "things_at",
            place=self.language.the(place),
            names=list_words(map(self.language.the, there), most=MOST * 2),
        )

    def _facts(self) -> str:
        """The facts that the words name, of what they name."""
        view, found = self.team.knowledge.view, []
        for name, fact in view.facts.items():
            if not re.search(rf"\b{re.escape(name.replace('_', ' '))}\b", self.text):
                continue
            if self.language.words("here").fullmatch(name):
                continue  # "is it at the door": see _is_there
            for one in (*(agent.name for agent in self.agents), *self.things):
                kind = view.thing_type(one)
                if len(fact.args) == 1 and kind and view.types.is_a(kind, fact.args[0]):
                    value = self.team.fact(name, (one,))
                    if isinstance(value, bool):
                        found.append(self.say("so" if value else "not_so"))
                    elif fact.says and value is not None:
                        says = TextTemplate.parse(fact.says).render(
                            MappingScope({"thing": one, "names": (one,), "value": value})
                        )
                        found.append(f"{says.strip().removesuffix('.')}.")
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
        if not tasks and self.agents and not self.says("named_before"):
            return " ".join(self._all_abilities())
        names = [task.name for task in tasks]
        if not names and (self.agents or self.says("who")):
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
        endings = "|".join(self.language.file.endings)
        verbs = re.sub(rf"\b(\w{{3,}}?)(?:{endings})\b", r"\1", self.text)
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
        if works := self.named_work():
            return self.statuses([one for one in works if one.agent] or works)
        if not self.agents and self._tasks() and not self.says("doing"):
            return self._abilities()
        if self.agents and not self.says("doing"):
            return " ".join(agent.about or self.state_of(agent) for agent in self.agents)
        if not self.agents and (self.things or self.says("named_before") or self.says("compares")):
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

    def named_work(self) -> list[Subtask]:
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
        named = {subtask.id for subtask in self.named_work()}
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
            asked = [p.subtask for p in self.team.now.open if p.agent.name == agent.name]
            if agent.current is None or agent.status == "Interrupted":
                can = [self.say("claim_can", agent=agent, subtask=one) for one in asked]
                found += can or [self.state_of(agent)]
                continue
            id = agent.current.id
            after = [s.words for s in self.team.work if id in (*s.after, *s.after_any)]
            found.append(
                self.say("because", subtask=agent.current, after=list_words(after), agent=agent)
            )
        return " ".join(found)

    def _work(self) -> str:
        """Who is at what, and how far things are."""
        if self.says("doing") and not self.agents and self.says("hearer"):
            return " ".join(map(self.state_of, self.robots))
        if self.agents and not self.things:
            return " ".join(map(self.state_of, self.agents))
        if self.things and self.says("here") and (there := self._is_there()):
            return there
        if works := self.named_work():
            return self.statuses(works)
        return self.progress() if self.says("far") else ""

    def _is_there(self) -> str:
        """Where things are, and whether that is at the place that is named.

        '' of a question that names no place, where work with the things is more to the point.
        """
        places = [name for name in self.things if self._is_place(name)]
        things = [name for name in self.things if name not in places][:MOST]
        found = " ".join(map(self.place_of, things))
        if len(places) != 1 or not things or not self.language.words("whether").match(self.text):
            return "" if self.named_work() else found
        there = all(str(self.team.fact("at", (name,))) == places[0] for name in things)
        return self.say("yes" if there else "no", answer=found)

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
