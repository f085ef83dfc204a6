"""Check a model's free sentences: what they say of the work must be so, in words that are known.

A sentence that touches the work (it names an agent, a thing, a recipe, a task's verb, or how far
things are) is refused unless every word of it is known and what it says is so. So a lie in words
that nobody thought of is refused for its words, and a true sentence has to be put plainly. Small
talk and questions that touch nothing pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from treec.source.errors import EvaluationProblem
from treec.team.entities import Agent, Subtask
from treec.team.knowledge import Knowledge
from treec.team.mentions import find_mentioned, find_recipes
from treec.team.state import FINISHED
from treec.team.team import Team
from treec_mosaic.backed_claims import Promise

LONGEST = 2_000


def _split(words: str) -> dict[str, None]:
    """Words in order, each once."""
    return dict.fromkeys(words.split())


_IRREGULAR: Mapping[str, list[str]] = {
    "get": ["got", "gotten"],
    "bring": ["brought"],
    "put": [],
    "cut": [],
}
_NUMBERS = tuple(_split("zero one two three four five six seven eight nine ten eleven twelve"))
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]?")
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_PART = re.compile(r"\s*(?:,|:|–|—|\bbut\b|\bso\b)\s*")
_CONDITION = re.compile(
    r"^(?:and |then )?(?:if|once|when|whenever|as soon as|after|before|until|unless)\b"
)
_SEQUEL = re.compile(
    r"(?:then )?(?:(?:it|they|the \w+) go(?:es)?\b|(?:we|i) can (?:begin|start|go on)$)"
)
_TO_USER = re.compile(
    r"^(?:please )?(?:(?:tell me|let me know|say so)(?: (?:when|if|what|who|which)\b.*)?"
    r"|say (?:yes or no|stop|again|so)\b.*|take your time(?: with (?:the )?\w+)?"
    r"|name (?:a|the) (?:dish|recipe)\b.*)$"
)
_IGNORANCE = re.compile(r"^i (?:do not|don't|did not|didn't|cannot|can't) (?:\w+ )?"
                        r"(?:know|see|answer|tell|understand|get|hear|catch)\b")  # fmt: skip
_SPEECH = re.compile(r"^i(?: will|'ll| am going to) (?:ask|tell|wait|listen|say|let you know)\b")
_TASTE = re.compile(
    r"\b(?:i|we) (?:really |also )?(?:like|love|prefer)\b|\bgo(?:es)? (?:very |so )?well with\b"
)
_QUESTION = re.compile(
    r"^(?:and |or |but |so |then |sorry )?(?:shall|should|would|could|can|may|will|do|does|did|is"
    r"|are|which|what|who|whom|whose|how|where|why|when|want|anything else)\b"
)
_HIDDEN = re.compile(r"\b(?:that|now that|since|because|after|as)\s+(.+)")
_WARNING = re.compile(r"it is (?:still )?(?:very )?(?:hot|cold|sharp)$")
_NO_DISH = re.compile(
    r"^(?:there is no recipe for (?:an? |the )?(.+)"
    r"|there is no (.+?) (?:among|on|in) (?:our|the|my) (?:recipes|list|menu))$"
)
_PRONOUN = re.compile(
    r"\b(?:it|they|that|this|these|those|i)(?:'s|'re|'ve| is| are| was| were| has| have| had| got"
    r"| did| do)\s+(?:been |now |all |just |already )*(\w+)"
)

_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|be|got|'s|'re)\s+(?:\w+\s+)?(\w+(?:ed|en))\b")
_FEELING = frozenset(
    _split("pleased worried excited confused tired interested allowed surprised delighted bored")
)
_FINE = frozenset(
    _split(
        """
    a an the good great nice fine lovely okay ok pity shame delicious right wrong true
    fun funny kind sweet interesting sad easy understood welcome not sorry glad happy
    here afraid
    """
    )
)
_WORK = frozenset(
    _split(
        """
    everything all anything nothing both rest work job jobs step steps task tasks dish
    meal dinner lunch food eat serve served recipe halfway through almost nearly
    progress left list robot robots mission kitchen cooking stirring mixing table
    busy idle doing working nobody everybody everyone begin begins began begun beginning
    start starts started starting finish finishes finishing continue continues
    """
    )
)
_DONE = frozenset(
    _split("done finished ready complete completed over here there already fetched got")
)
_DONE_PLACES = {"here", "there", "already"}
_FINISHED = _DONE - _DONE_PLACES - {"over"}
_OPEN_SET = frozenset(_split("accomplished sorted set wrapped handled settled enjoy"))
_STOPPED = frozenset(_split("stopped halted interrupted paused"))
_FUNCTION = frozenset(
    _split(
        """
    a an the of to with in into on at for from by and or then now right also too very
    just it its them they he she his her their your you i we our us me my is are was be
    been being am 's 're 've has have had do does did will shall 'll going about can
    could able only still yet not never no nothing none left remains remain remaining
    one ones thing things everything all both back comes come coming soon next first
    afterwards later last finally end busy idle free part anything yours step steps
    recipe recipes waiting wait answer proposed asked that this there here robot robots
    needs need making make cooking cook have any time already away moment main up out
    over of work more before again what nobody everybody everyone doing way
    """
    )
)


@dataclass
class ClaimClause:
    """A clause with what it mentions."""

    text: str
    words: list[str]
    agents: list[Agent]
    things: set[str]
    recipes: tuple[str, ...]
    tasks: set[str]
    known: set[str] = field(default_factory=set)

    def has(self, *words: str) -> bool:
        """Whether one of the words is in it."""
        return any(word in self.words for word in words)

    @property
    def negative(self) -> bool:
        """Whether it denies something."""
        negations = ("not", "never", "no", "nothing", "none", "cannot", "nobody")
        return self.has(*negations) or any(word.endswith("n't") for word in self.words)


def find_unbacked_sentences(team: Team, message: str, promise: Promise) -> list[str]:
    """The parts of a message that are not so, or not in words that can be checked."""
    found = []
    checker = _Checker(team, promise)
    for match in _SENTENCE.finditer(message[:LONGEST]):
        sentence = match.group().strip()
        found += [part for part in _parts(sentence, checker) if not checker.allows(part)]
    return found


def _parts(sentence: str, checker: _Checker) -> Iterator[str]:
    """The statements in a sentence; a list of names stays with what is said of it."""
    text = " ".join(sentence.strip(" .!;\n\"'").lower().split()).replace("’", "'")
    question = text.endswith("?")
    text = re.sub(r"^(?:all right|alright)\b,?", "", text.strip(" ?"))
    parts: list[str] = []
    for part in _PART.split(text):
        if parts and part and checker.is_list(part):
            parts[-1] += f", {part}"
        elif part:
            parts.append(part)
    if question:
        parts = list(_without_questions(parts))
    conditional = False
    for part in parts:
        if _CONDITION.match(part):
            conditional = True
        elif not (conditional and _SEQUEL.match(part)):
            yield part


def _without_questions(parts: Sequence[str]) -> Iterator[str]:
    """The statements in a question: what stands before it, and in a clause with "that"."""
    asking = False
    for part in parts:
        asking = bool(_QUESTION.match(part)) or (asking and bool(re.match(r"(?:or|and)\b", part)))
        hidden = _HIDDEN.search(part) if asking else None
        if not asking:
            yield part
        elif hidden and not _QUESTION.match(hidden[1]):
            yield hidden[1]


class _Checker:
    """Checks clauses in the world as it is, with what the same answer does."""

    def __init__(self, team: Team, promise: Promise) -> None:
        self.team = team
        self.promise = promise
        self.verbs = _verb_forms(team.knowledge)
        self.work = list(team.work)
        self.names = {w for name in self._all_names() for w in _WORD.findall(name.lower())}
        self.last_tasks: set[str] = set()

    def _all_names(self) -> Iterator[str]:
        view = self.team.knowledge.view
        yield from view.objects
        yield from (word for spec in view.objects.values() for word in spec.also)
        yield from self.team.knowledge.agents
        yield from (s.words for s in self.work)

    def is_list(self, part: str) -> bool:
        """Whether a part is only names and verbs, the rest of a list."""
        words = _WORD.findall(part)
        joins = {"and", "or", "the", "a", "an", "too", "over", "away", "for", "example"}
        names = self.names | self.verbs.keys() | joins
        recipes = find_recipes(self.team.knowledge.recipes, part)
        names |= {w for name in recipes for w in _WORD.findall(name.lower())}
        return bool(words) and all(word in names for word in words)

    def allows(self, text: str) -> bool:
        """Whether a statement touches nothing of the work, or is so."""
        clause = self._clause(text)
        if _TO_USER.match(text) or _IGNORANCE.match(text) or _SPEECH.match(text):
            return True
        no_dish = _NO_DISH.match(text)
        if no_dish:
            dish = (no_dish[1] or no_dish[2]).lower()
            return not any(dish == name.lower() for name in self.team.knowledge.recipes)
        if not self._touches(clause):
            return True
        if re.match(r"(?:enjoy|bon appetit)\b", text) or _WARNING.match(text):
            return self._all_done()
        if _TASTE.search(text) and not clause.agents and not clause.tasks:
            return True
        if clause.recipes and self.is_list(text):
            return True  # only names of dishes
        agents = {agent.name for agent in clause.agents}
        if len(agents) == 1 and re.match(r"\w+ is an? ", text):
            about = set(_WORD.findall(clause.agents[0].about.lower())) | _FUNCTION
            return all(w in about or w == clause.agents[0].name.lower() for w in clause.words)
        if any(self._is_unknown(word, clause) for word in clause.words):
            return False
        return self._is_so(clause)

    def _all_done(self) -> bool:
        return all(s.status in FINISHED for s in self.work)

    def _clause(self, text: str) -> ClaimClause:
        words = _WORD.findall(text)
        agents = self.team.now.agents
        mentioned = find_mentioned(self.team.knowledge, text)
        found = [agents[name] for name in mentioned if name in agents]
        if not found and {"you", "your", "you're", "yours"} & set(words):
            found = [a for a in agents.values() if a.person][:1]
        recipes = find_recipes(self.team.knowledge.recipes, text)
        of_recipes = {w for name in recipes for w in _WORD.findall(name.lower())}
        things = {name for name in mentioned if name not in agents}
        partly = {
            str(t)
            for s in self.work
            for t in s.args.values()
            if set(_WORD.findall(str(t).lower())) & (set(words) - of_recipes)
        }
        things = {t for t in things if not set(_WORD.findall(t.lower())) <= of_recipes} | partly
        tasks = {task for word in words for task in self.verbs.get(word, ())}
        if "away" in words or "over" in words:
            both = {t for t in tasks if t.endswith((" away", " over"))}
            tasks = {t for t in tasks if t in both or not any(w in words for w in ("put",))} | both
        return ClaimClause(text, words, found, things, recipes, tasks, of_recipes)

    def _touches(self, clause: ClaimClause) -> bool:
        names = {agent.name.lower() for agent in clause.agents}
        named = bool(names & set(clause.words))
        told = {word for word in clause.words if word in _DONE | _OPEN_SET | _STOPPED | _WORK}
        if clause.has("thing", "things") and any(
            word in _NUMBERS or word.isdigit() for word in clause.words
        ):
            told.add("things")
        pronoun = _PRONOUN.search(clause.text)
        passive = _PASSIVE.search(clause.text)
        return bool(
            named
            or (passive and passive[1] not in _FEELING)
            or clause.things
            or clause.recipes
            or clause.tasks
            or told - {"here", "there", "already", "set"}
            or (pronoun and pronoun[1] not in _FINE)
        )

    def _is_unknown(self, word: str, clause: ClaimClause) -> bool:
        base = re.sub(r"'(?:s|re|ve|ll)$", "", word)
        return not (
            base in _FUNCTION
            or base in _DONE
            or base in _STOPPED
            or base in self.names
            or base in clause.known
            or base in self.verbs
            or base in _NUMBERS
            or base.isdigit()
            or word.endswith("n't")
            or base == "cannot"
        )

    # What a clause says

    def _is_so(self, c: ClaimClause) -> bool:
        text, tasks = c.text, c.tasks
        if c.has("can", "could", "cannot", "can't", "able") or (
            c.has("things", "them") and tasks and not c.has("is", "are", "has", "have", "will")
        ):
            return self._can(c)
        state = self.team.world.state
        if re.search(r"\bwe(?: are|'re) (?:making|cooking)\b", text):
            return c.recipes == (str(state.get("recipe_name") or state["recipe"]),)
        if c.recipes and c.has("needs", "need"):
            return self._needs(c)
        if c.recipes and c.has("have") and not c.agents and not c.things:
            return True
        if c.has("proposed", "asked", "answer"):
            return self._proposed(c)
        nobody = c.has("nobody", "everybody", "everyone")
        if nobody and (c.has("busy") or re.search(r"\b(?:doing anything|working)\b", text)):
            is_busy = [not _is_idle(agent) for agent in self.team.agents]
            return not any(is_busy) if c.has("nobody") else all(is_busy)
        if c.has("idle", "free") or re.search(r"\bnothing (?:more |else )?to do\b", text):
            idle = c.agents or self._robots(c)
            return bool(idle) and not c.has("not") and all(map(_is_idle, idle))
        if c.has(*_STOPPED):
            return bool(c.agents) and not c.negative and not c.has(*_FINISHED) and all(
                a.status == "Interrupted" or a.name in self.promise.stopped for a in c.agents
            )  # fmt: skip
        if re.search(r"\bon (?:its|his|her|their|the) way\b", text):
            current = [a.current for a in c.agents]
            return bool(c.things) and any(current) and all(s and self._fits(s, c) for s in current)
        if c.has("being"):
            at = [a.current for a in self.team.agents if a.current and a.status != "Interrupted"]
            return not c.negative and any(self._fits(s, c) for s in at)
        if re.match(r"(?:that|this|it) was the last (?:step|thing)", text):
            return self._all_done()
        number = self._count(c)
        if number is not None:
            return number
        if c.has("will", "shall", "soon", "next", "afterwards") or "going to" in text:
            return self._will(c)
        todo = c.has("still", "left", "remains", "remain", "remaining") or "has to be" in text
        if todo or c.has("end", "last", "finally", "later"):
            return self._todo(c)
        if c.has("part", "yours") and c.agents:
            return any(s.agent == c.agents[0].name for s in self._about(c, unfinished=True))
        if c.negative:
            of_things = bool(c.things) and not c.agents  # not "R2 has nothing on its plate"
            return (bool(tasks) or of_things) and self._not_done(c)
        verbs = [word for word in c.words if word in self.verbs]
        does = any(verb.endswith("s") for verb in verbs) and not c.has("has", "have", *_DONE)
        if c.agents and (does or c.has("busy") or any(verb.endswith("ing") for verb in verbs)):
            current = [a.current for a in c.agents]
            return all(s is not None and self._fits(s, c) for s in current)
        return self._done(c)

    def _can(self, c: ClaimClause) -> bool:
        if c.recipes and not c.tasks:
            return c.has("have", "make", "cook") and not c.negative
        tasks = c.tasks or self.last_tasks
        self.last_tasks = tasks
        able = self.team.knowledge.able
        if not tasks or c.has("robots", "robot"):
            robots = [a.name for a in self.team.agents if not a.person]
            found = [any(able(r, t) for r in robots) for t in tasks]
            return bool(tasks) and (not any(found) if c.negative else all(found))
        if not c.agents:
            return False
        expected = not c.negative
        so = all(any(able(a.name, t) for t in group) == expected
                 for a in c.agents for group in self._groups(c, tasks))  # fmt: skip
        if c.has("only"):
            others = [a.name for a in self.team.agents if a not in c.agents]
            so = so and not any(able(o, t) for o in others for t in tasks)
        return so

    def _groups(self, c: ClaimClause, tasks: set[str]) -> list[set[str]]:
        """The tasks that each verb may stand for."""
        groups = [self.verbs[w] & tasks for w in c.words if w in self.verbs]
        return [group for group in groups if group] or [tasks]

    def _needs(self, c: ClaimClause) -> bool:
        recipe = self.team.knowledge.recipe_file(c.recipes[0])
        words = " ".join(spec.do or id for id, spec in recipe.subtasks.items()) if recipe else ""
        return not c.negative and all(thing in words for thing in c.things)

    def _proposed(self, c: ClaimClause) -> bool:
        return not c.negative and any(
            (not c.things or c.things & set(map(str, p.subtask.args.values())))
            and (not c.agents or p.agent in c.agents or c.agents[0].person)
            and (not c.tasks or p.subtask.task in c.tasks)
            for p in self.team.now.open
        )

    def _count(self, c: ClaimClause) -> bool | None:
        """Whether numbers in the clause are right; None if it has none."""
        numbers = [_NUMBERS.index(w) if w in _NUMBERS else int(w) for w in c.words
                   if w in _NUMBERS or (w.isdigit() and len(w) < 4)]  # fmt: skip
        work = [s for s in self.work if s.status != "dropped"]
        done = sum(1 for s in work if s.status == "done")
        if not numbers or c.things or c.tasks or c.agents:
            return None if not numbers else False
        if len(numbers) == 2 and c.has("of"):
            wanted = [len(work) - done if c.has("left", "still") else done, len(work)]
            return numbers == wanted
        if c.has("still", "left"):
            return numbers == [len(work) - done]
        if c.has("steps") and c.has("recipe"):
            return numbers == [len(work)]
        return c.has("done", "finished") and numbers == [done]

    def _will(self, c: ClaimClause) -> bool:
        if not c.agents or c.negative or not (c.tasks or c.things):
            return False
        assigned = {key for name, key in self.promise.assigned if name == c.agents[0].name}
        for agent in c.agents:
            own = [s for s in self.work if s.agent == agent.name and s.status not in FINISHED]
            own += [s for s in self.work if _key(s) in assigned]
            if not any(self._fits(s, c) for s in own) and not self._fits_promise(c, assigned):
                return False
        return True

    def _fits_promise(self, c: ClaimClause, keys: set[str]) -> bool:
        return any(
            any(key.startswith(f"{task} ") for task in c.tasks) and all(t in key for t in c.things)
            for key in keys
        )

    def _todo(self, c: ClaimClause) -> bool:
        open_ = [s for s in self.work if s.status not in FINISHED]
        about = self._about(c, unfinished=True)
        if c.agents and not all(s.agent in {a.name for a in c.agents} for s in about):
            return False
        if not (c.tasks or c.things):
            return c.negative and not open_ and c.has("left", "nothing")
        if c.negative:
            return not about
        return bool(about) and (not c.has("only") or len(about) == len(open_))

    def _not_done(self, c: ClaimClause) -> bool:
        done = [s for s in self.work if s.status == "done" and self._fits(s, c)]
        names = {a.name for a in c.agents}
        return not [s for s in done if not names or s.agent in names]

    def _done(self, c: ClaimClause) -> bool:
        if c.has("everything", "all") or c.recipes:
            told = c.has(*(_DONE - _DONE_PLACES))
            return told and not c.agents and self._all_done()
        aided = c.has("has", "have", "been", "is", "are")
        is_done = c.has(*_DONE) or bool(c.tasks and (aided or c.has(*_past_forms(self.verbs))))
        if not is_done:
            return self._is_at(c)
        done = [
            s
            for s in self.work
            if (s.status == "done" or s.id in self.promise.done)
            and (not c.agents or s.agent in {a.name for a in c.agents})
        ]
        if c.has("and") and len(c.things) > 1 and not c.has("into", "in", "on", "onto", "to"):
            alone = [replace(c, things={thing}) for thing in c.things]
        else:
            alone = [c]
        return bool(c.tasks or c.things) and all(
            any(self._fits(s, one) for s in done) for one in alone
        )

    def _robots(self, c: ClaimClause) -> list[Agent]:
        """The robots, if a clause speaks of them all."""
        robots = [agent for agent in self.team.agents if not agent.person]
        return robots if c.has("robots") and not c.has("one", "some", "other") else []

    def _is_at(self, c: ClaimClause) -> bool:
        """Whether a thing is where the clause says."""
        places = [t for t in c.things if re.search(rf"\b(?:in|on|at) the {re.escape(t)}\b", c.text)]
        things = c.things - set(places)
        if len(places) != 1 or len(things) != 1 or c.agents or c.tasks:
            return False
        try:
            return str(self.team.fact("at", (next(iter(things)),))) == places[0]
        except (EvaluationProblem, KeyError):
            return False

    def _about(self, c: ClaimClause, unfinished: bool = False) -> list[Subtask]:
        found = [s for s in self.work if self._fits(s, c)]
        return [s for s in found if s.status not in FINISHED] if unfinished else found

    def _fits(self, subtask: Subtask, c: ClaimClause) -> bool:
        """Whether a subtask is of a task and about all things that the clause names."""
        if c.tasks and subtask.task not in c.tasks:
            return False
        return bool(c.tasks or c.things) and c.things <= set(map(str, subtask.args.values()))


def _is_idle(agent: Agent) -> bool:
    return agent.status == "Idle" and agent.current is None and not agent.queue


def _key(subtask: Subtask) -> str:
    return f"{subtask.task} {sorted((k, str(v)) for k, v in subtask.args.items())}"


def _past_forms(verbs: Iterable[str]) -> set[str]:
    irregular = {past for pasts in _IRREGULAR.values() for past in pasts}
    return {verb for verb in verbs if verb.endswith("ed") or verb in irregular}


@lru_cache(maxsize=4)
def _verb_forms(knowledge: Knowledge) -> dict[str, set[str]]:
    """The forms of the tasks' verbs, and the tasks that they may stand for."""
    found: dict[str, set[str]] = {}
    for name, task in knowledge.tasks.items():
        for says in (name, *task.says):
            verb = says.split()[0].lower()
            if verb.startswith("<"):
                continue
            for form in _forms(verb):
                found.setdefault(form, set()).add(name)
    return found


def _forms(verb: str) -> Sequence[str]:
    stem = verb.removesuffix("e")
    forms = [verb, f"{verb}s", f"{verb}es", f"{stem}ing", f"{verb}{verb[-1]}ing"]
    if verb.endswith("y"):
        forms += [f"{verb[:-1]}ies", f"{verb[:-1]}ied"]
    return forms + _IRREGULAR.get(verb, [f"{stem}ed", f"{verb}{verb[-1]}ed"])
