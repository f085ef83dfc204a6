"""The behaviour of the node `read`: a reading (see :mod:`treec.nodes.leaves.read`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from py_trees.common import Status

from treec.extensions import registry
from treec.files.entry import Entry
from treec.files.prompts import ReadingFile
from treec.files.types import BOOL, TEXT, ListOf, Misfit, Type, json_schema, misfit, parse_type
from treec.files.view import View
from treec.foreign import BadReport, ForeignError, guard, kind_of, listed, plain_copy
from treec.nodes.asked import OFFLINE
from treec.nodes.events import Overruled
from treec.nodes.observation import observe, plain
from treec.nodes.runtime import NodeError, Runtime, load
from treec.source.scope import MappingScope, Scope
from treec.team.entities import Utterance
from treec.team.events import ActsRead, ActsSettled, Said, number_entries
from treec.team.language import stop_words_of
from treec.team.sentences import sentence
from treec.team.stop_words import STOP, StopWords
from treec.team.talk import TalkAgent, TalkContext
from treec.world.events import Commit, Event
from treec.world.journal import Record
from treec.world.values import freeze, thaw
from treec_asking.answer_names import AnswerNames, schema_of
from treec_asking.answer_schema import schema_errors
from treec_asking.answerers import Answers, Sureness
from treec_asking.asking import AnyExchange, AskingLeaf, RecordedDecision
from treec_asking.marks import find_quote
from treec_asking.prompt import Question, answer_json, messages, object_schema
from treec_hearing.reading import ear_of, hears, judging_ear
from treec_hearing.spoken_names import find_unknown_agents, find_unknown_things
from treec_hearing.taken_back import stops_agents, taken_back
from treec_hearing.talk_context import needs_unknown_thing, talk_context
from treec_hearing.typed_acts import Fields, act_questions, read_acts

if TYPE_CHECKING:
    from treec.team.state import ActState, ProposalState
    from treec_hearing.ear import Ear
    from treec_hearing.licence import Licence
    from treec_hearing.time_order import TimeOrder

REMARK, DECLINE = "remark", "decline"
RECENT = 6
"""Lines of the talk back to which "it" and "both" may refer."""

PARSER = "parser"
"""The author of acts that are committed before the answer."""

Act = dict[str, Any]
Parser = Callable[[str, TalkContext], list[Act]]


def check_acts(value: object) -> list[Act]:
    """A plain copy of what a parser gave. Raises BadReport if it is no list of acts."""
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise BadReport(f"gave {kind_of(value)}, not a list of acts")
    return [_check_act(act) for act in listed(value, "gave")]


def _check_act(act: object) -> Act:
    if not isinstance(act, Mapping):
        raise BadReport(f"gave {kind_of(act)} among its acts, not a mapping")
    return cast(Act, plain_copy(act, "gave an act that"))


class Reading(AskingLeaf[list[Act]]):
    """Turns utterances into acts."""

    KIND = "reading"
    UNORDERED = ("acts",)
    READS = True

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        entry: Entry[ReadingFile],
        args: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        super().__init__(name, runtime, scope, entry, args)
        self._unread: tuple[Utterance, ...] = ()
        self._ahead: list[Act] = []
        self._floor: list[Act] = []
        self._stops: list[Act] = []
        self._unreadable = ""
        self._parser: Parser | None = None

    def work(self) -> Status:
        """Read the unread utterances."""
        if self.exchange is not None and self.outdated(self.exchange):
            self.cancel()
        self._unread = tuple(self.runtime.team.unread)
        if not self._unread:
            return Status.SUCCESS
        if self.exchange is not None:
            return self.look(self.exchange)
        self._stops, self._unreadable = self._find_stops(), ""
        parsed = self._parse_unread()
        self._floor = [*self._stops, *parsed]
        if not self.asks or self._only_stops():
            return self.offline("")
        if self._unreadable:
            self.runtime.record_node_failure(self.path, self._unreadable, __name__)
        certain = self._commit_ahead()  # before asking: these do not wait for the answer
        status = self.ask()
        return Status.SUCCESS if certain else status

    def terminate(self, new_status: Status) -> None:
        """Cancel the request when halted; a SUCCESS before the answer keeps it."""
        if new_status is Status.INVALID:
            self.cancel()

    @property
    def memory(self) -> object:
        """The acts that were committed before an answer came, and what came of a model's."""
        override = self.override.memory or {}
        return {**override, "ahead": list(self._ahead)} if self._ahead else override or None

    def recall(self, memory: object) -> bool:
        """Commit these acts no second time."""
        if isinstance(memory, Mapping):
            self._ahead = [cast(Act, thaw(act)) for act in memory.get("ahead") or ()]
        return super().recall(memory)

    def outdated(self, exchange: AnyExchange) -> bool:
        """Whether other utterances are unread now: all are read together."""
        return [one.id for one in self.runtime.team.unread] != [one.id for one in self._unread]

    # The parser

    def _find_stops(self) -> list[Act]:
        """The acts of utterances that say nothing but stop; no parser is needed for them."""
        found = self._stops_in(self._stop_words.stop_acts, self._unread)
        if self._hears:
            return found
        known = {act["utterance"] for act in found}
        others = [one for one in self._unread if one.id not in known]
        return [*found, *self._stops_in(self._stop_words.cried_stop_acts, others)]

    @property
    def _stop_words(self) -> StopWords:
        return stop_words_of(self.runtime.view)

    def _only_stops(self) -> bool:
        """Whether no model needs to be asked: all that was said is to stop."""
        read = {
            act["utterance"] for act in self._stops_in(self._stop_words.stop_acts, self._unread)
        }
        return self.asks_if_needed and all(one.id in read for one in self._unread)

    def _stops_in(
        self,
        find: Callable[[str, Sequence[TalkAgent]], list[Act]],
        utterances: Sequence[Utterance],
    ) -> list[Act]:
        """The acts that `find` gives for utterances, if the reading has stops of an agent."""
        if set(self.entry.model.acts.get(STOP, ())) != {"agent"}:
            return []
        agents = self._context().agents
        return [
            self.valid_act(act, [utterance])
            for utterance in utterances
            for act in find(utterance.text, agents)
        ]

    def _more_than_stops(self) -> list[Utterance]:
        """The unread utterances that are more than a stop."""
        stops = {act["utterance"] for act in self._stops}
        return [utterance for utterance in self._unread if utterance.id not in stops]

    def _parse_unread(self) -> list[Act]:
        """The parser's acts in the utterances that are more than a stop.

        Where it fails, the word "stop" is a stop; the failure is kept for the log.
        """
        unread = self._more_than_stops()
        if unread and not self._hears:
            self._unreadable = (
                f"{self.entry.name} has neither a parser nor a model that could read the words"
            )
            return []
        found: list[Act] = []
        for utterance in unread:
            try:
                parsed = self._valid_acts(utterance)
                found += parsed
                if not any(act["kind"] == STOP for act in parsed):
                    self._stops += self._stops_in(self._stop_words.cried_stop_acts, [utterance])
            except NodeError as error:
                self._unreadable = str(error)
                self._stops += self._stops_in(self._stop_words.stop_acts_in, [utterance])
        return found

    def _valid_acts(self, utterance: Utterance) -> list[Act]:
        """The parser's acts in an utterance. Raises NodeError."""
        acts = self._parse(utterance.text)
        try:
            found = []
            for number, act in enumerate(acts, 1):
                if number % 500 == 0 and self.runtime.arbiter.holds_all:
                    what = f"all is to stop while {len(acts):,} acts are judged"
                    raise NodeError(f"the parser {self._target}: {what}")
                found.append(self.valid_act(act, [utterance]))
            return found
        except ValueError as error:
            raise NodeError(f"the parser {self._target}: {error}") from error

    @property
    def _hears(self) -> bool:
        """Whether words are understood without a model."""
        return self.entry.model.parser is not None or hears(self.entry)

    @property
    def _target(self) -> str:
        """The parser's name; that of templates is the module that matches them."""
        named = self.entry.model.parser
        return registry().target("answerers", named) if named else "treec_hearing.ear:Ear"

    def _load(self) -> Parser:
        """The parser. Raises NodeError if it cannot be had."""
        target = self._target
        if self._parser is None:
            try:
                with guard(target.partition(":")[0]):  # ears are made of what files say
                    own = self.entry.model.parser is not None
                    made = load(target) if own else ear_of(self.runtime.view, self.entry)
                    self._parser = cast(Parser, made)
            except ForeignError as error:
                raise NodeError(f"the parser {target}: {error}") from error
        return self._parser

    def _parse(self, text: str) -> list[Act]:
        target, parser, context = self._target, self._load(), self._context()
        try:
            with guard(target.partition(":")[0]):
                return check_acts(parser(text, context))
        except BadReport as error:
            raise NodeError(f"the parser {target} {error}") from error
        except ForeignError as error:
            raise NodeError(f"the parser {target} raised {error}") from error

    def _context(self) -> TalkContext:
        return talk_context(self.runtime.team, tuple(self.entry.model.acts))

    def warm(self) -> None:
        """Load the parser and let it read a word, so that the first words do not wait for that."""
        if self._hears:
            with suppress(NodeError):  # reported when words are read
                self._parse("hello")

    def load_ear(self) -> None:
        """The same for treec's own parser alone: a user's may count what it reads."""
        import rapidfuzz.distance  # noqa: F401 (words to stop are compared by it)

        if self.entry.model.parser is None:
            self.warm()

    def _commit_ahead(self) -> bool:
        """Commit the stops; return whether there were new ones."""
        fresh = self._new([act for act in self._vetoed() if act["kind"] == STOP])
        if fresh:
            self._record([], fresh, "parser", {})
            self._ahead.extend(fresh)
        return bool(fresh)

    def _vetoed(self) -> list[Act]:
        """The acts that a model cannot take away: stops, and the parser's of kinds in `veto`."""
        veto = self.entry.model.veto
        return [act for act in self._floor if act in self._stops or act["kind"] in veto]

    def _new(self, acts: list[Act]) -> list[Act]:
        """The acts that were not committed already; quotes are not compared."""
        committed = [_without_quote(act) for act in self._ahead]
        return [act for act in acts if _without_quote(act) not in committed]

    # Asking

    def question(self) -> Question:
        """Ask which acts the unread utterances contain."""
        model = self.entry.model
        observation = observe(model.sees, self.scope)
        kinds = {"kinds": list(model.acts)}
        prompt = messages(self.runtime, self.entry, self.scope, kinds, answer_json)
        names = AnswerNames(self.runtime.team, model, self.scope)
        fields = self._typed_fields() if len(self._unread) == 1 else {}
        typed = act_questions(model.about, fields)
        return Question(prompt, _schema(model, names), observation, typed=typed)

    def _typed_fields(self) -> dict[str, Fields]:
        """The schemas of the fields of each kind of act, with the names that are known."""
        names = AnswerNames(self.runtime.team, self.entry.model, self.scope)
        kinds = self.entry.model.acts.items()
        return {
            kind: {name: _field_schema(type_, names) for name, type_ in fields.items()}
            for kind, fields in kinds
        }

    def read_typed(self, answers: Answers, question: Question) -> tuple[dict[str, Any], Sureness]:
        """The acts whose kinds are likely, with the whole utterance as their quote."""
        words = self._unread[0].text
        acts, sureness = read_acts(answers, question, self._typed_fields(), words)
        return self.normalize({"acts": acts}), sureness

    def rules_pass_on(self) -> str:
        """Whether the parser has found nothing but remarks in an utterance."""
        if self._unreadable:
            return self._unreadable
        heard = {act["utterance"] for act in self._floor if act["kind"] != REMARK}
        lost = [repr(one.text) for one in self._unread if one.id not in heard]
        return f"nothing is heard in {', '.join(lost)}" if lost else ""

    def normalize(self, data: dict[str, Any]) -> dict[str, Any]:
        """Remove null fields whose type has no null."""
        acts = data.get("acts")
        return (
            {**data, "acts": [*map(self._normalize_act, acts)]} if isinstance(acts, list) else data
        )

    def _normalize_act(self, act: object) -> object:
        if not isinstance(act, Mapping):
            return act
        fields = self.entry.model.acts.get(act.get("kind")) or {}
        optional = {n for n, kind in fields.items() if isinstance(kind, str) and _optional(kind)}
        return {n: value for n, value in act.items() if value is not None or n not in optional}

    def rules_answer(self) -> dict[str, Any]:
        """What the parser hears."""
        acts = [_plain_act(act) for act in self._floor]
        return {"acts": [{k: v for k, v in a.items() if k != "utterance"} for a in acts]}

    def parse(self, data: Mapping[str, Any]) -> list[Act]:
        """The acts, with the utterances that they quote. Raises ValueError."""
        acts = [self._in_own_words(self.valid_act(item, self._unread)) for item in data["acts"]]
        unlicensed = self._licence().refusals(acts)
        if reasons := [*self._unheard(acts), *self._unknown_things(acts), *unlicensed]:
            raise ValueError(" ".join(reasons))
        return acts

    def _in_own_words(self, act: Act) -> Act:
        """An act whose texts are the person's: a rule may say them, and a model never speaks.

        A text that was not said is replaced by the quote.
        """
        said = next(u.text for u in self._unread if u.id == act["utterance"])
        fields = self.entry.model.acts[act["kind"]]
        texts = [n for n, kind in fields.items() if n in act and kind == str(TEXT)]
        return {**act, **{n: find_quote(str(act[n]), said) or act["quote"] for n in texts}}

    def _unheard(self, acts: list[Act]) -> Iterator[str]:
        """The utterances in which the parser heard something, and an answer nothing at all."""
        read = {act["utterance"] for act in acts}
        heard = {act["utterance"] for act in self._floor if act["kind"] != REMARK}
        stops = {act["utterance"] for act in self._vetoed()}
        for utterance in self._unread:
            if utterance.id in heard - read - stops:
                known = REMARK in self.entry.model.acts
                least = f", a {REMARK} if it is nothing else" if known else ""
                yield f"There is no act for {utterance.text!r}: it has at least one{least}."

    def _licence(self) -> Licence:
        """What the unread words license, and what the parser heard in them."""
        from treec_hearing.licence import Licence, TalkBefore  # a reading that hears imports it

        heard = self._floor if self._hears and not self._unreadable else None
        texts = {utterance.id: utterance.text for utterance in self._unread}
        team = self.runtime.team
        stored = cast("Mapping[str, ProposalState]", team.world.state["proposals"])
        asked = {proposal.id: stored[proposal.id].asked for proposal in team.now.open}
        last = [id for id, t in asked.items() if t == max(asked.values())]
        lines = [u.text for u in islice(team.now.talk.backwards(), RECENT) if u.id not in texts]
        return Licence(self._ear, texts, TalkBefore(self._context(), last, lines[::-1]), heard)

    @cached_property
    def _ear(self) -> Ear:
        """The language by which words are judged: the reading's, else what treec ships."""
        own = None if self.entry.model.parser else self._parser
        return cast("Ear", own) if own else judging_ear(self.runtime.view, self.entry)

    def _unknown_things(self, acts: list[Act]) -> Iterator[str]:
        """What is wrong with the things that acts ask something to be done with."""
        names = self.runtime.team.now
        for act in acts:
            for field, kind in self.entry.model.acts[act["kind"]].items():
                task = self.runtime.team.knowledge.tasks.get(str(act.get("task")))
                if isinstance(kind, str) or task is None:
                    continue
                for name, thing in (act.get(field) or {}).items():
                    if name not in task.args:
                        known = ", ".join(task.args)
                        yield f"Unknown argument '{name}' of {act['task']}; known: {known}."
                    elif why := misfit(parse_type(task.args[name]), thing, names):
                        yield f"'{field}.{name}': {why}."

    def judge(self, parsed: list[Act], by: str) -> None:
        """Commit them and mark the utterances as read. Raises EventRefused."""
        vetoed = self._vetoed()
        known = [_without_quote(act) for act in vetoed]
        more = [act for act in parsed if _without_quote(act) not in known]
        acts = [*vetoed, *more]
        if self._says_something(acts):
            self.override.came_to_work()
        elif self._says_something(self._floor) and not self.override.stands(differs=True):
            self.runtime.world.emit(Overruled(self.path, by, f"a {REMARK}"), self.path)
            acts, by = self._floor, OFFLINE
        self.override.note(by_model=by != OFFLINE)
        self._commit(acts, by)

    @staticmethod
    def _says_something(acts: Iterable[Act]) -> bool:
        return any(act["kind"] != REMARK for act in acts)

    def accept(self, parsed: list[Act], by: str) -> Status:
        """SUCCESS: they are committed."""
        return Status.SUCCESS

    def offline(self, because: str) -> Status:
        """Commit the parser's acts; without a parser, the stops that the words contain."""
        if not self._hears:
            self._floor += self._stops_in(self._stop_words.stop_acts_in, self._more_than_stops())
        self._commit(self._floor, OFFLINE)
        return self.fail(self._unreadable) if self._unreadable else Status.SUCCESS

    def valid_act(self, item: Any, unread: Sequence[Utterance]) -> Act:
        """An act as it is committed, with the utterance that it quotes. Raises ValueError."""
        kinds = self.entry.model.acts
        if errors := schema_errors({"acts": [item]}, object_schema({"acts": _acts_schema(kinds)})):
            raise ValueError(" ".join(errors))
        quote = item["quote"]
        quotes = ((u, find_quote(quote, u.text)) for u in unread)
        source, words = next(((u, words) for u, words in quotes if words), (None, ""))
        if source is None:
            raise ValueError(f"the quote {quote!r} is not what the user said, word for word.")
        for name, kind in kinds[item["kind"]].items():
            if isinstance(kind, str) and (why := self._misfit(parse_type(kind), item.get(name))):
                given = f"not {item[name]!r}: {why}" if name in item else "and is missing"
                raise ValueError(f"'{name}' of an act of kind {item['kind']} is {kind}, {given}.")
        return {**item, "quote": words, "utterance": source.id}

    def _misfit(self, kind: Type, value: object) -> Misfit | None:
        """Why a field's value is not of its type; a list or a bool may be missing."""
        if value is None and (isinstance(kind, ListOf) or kind == BOOL):
            return None
        return misfit(kind, value, self.runtime.team.now)

    # Committing

    def _in_time_order(self, acts: Sequence[Act]) -> TimeOrder:
        """The acts with what they wait for."""
        from treec_hearing.time_order import TimeOrder, in_time_order  # what hears imports it

        if not any("task" in act for act in acts):
            return TimeOrder([*acts], [], [])
        texts = {utterance.id: utterance.text for utterance in self._unread}
        return in_time_order(
            self._ear, texts, acts, self._context(), self.runtime.team.knowledge.able
        )

    def _commit(self, acts: list[Act], by: str) -> None:
        licence = self._licence()
        find = partial(find_unknown_agents, self.runtime.team.knowledge)
        strange = [(act, names) for act in acts if (names := licence.strangers(act, find))]
        lost = [act for act, _ in strange if not licence.names_its_agent(act)]
        lost += [act for act in acts if needs_unknown_thing(self.runtime.team, act)]
        rules = self._prohibitions([act for act in acts if act["kind"] not in (REMARK, DECLINE)])
        no_answers = [act for act in acts if act["kind"] == DECLINE and _overlaps(act, rules)]
        others = [act for act in acts if all(act is not one for one in (*lost, *no_answers))]
        time = self._in_time_order(others)
        unheard = time.unheard
        back = [*taken_back([*self._ahead, *time.acts], self._unread, self.runtime.team.now)]
        fresh = [act for act in self._new(time.acts) if act not in back]
        if REMARK in self.entry.model.acts:
            spoken = {act["utterance"] for act in (*time.acts, *unheard, *self._ahead)}
            fresh += [
                {"kind": REMARK, "quote": u.text, "utterance": u.id}
                for u in self._unread
                if u.id not in spoken
            ]
        unknown = partial(find_unknown_things, self.runtime.team.knowledge)
        heard = [*self._ahead, *fresh, *back, *time.said_when, *unheard]
        says_more = any(act["kind"] != REMARK for act in heard)  # else an answer speaks of them
        heard += lost if says_more else []
        nobody = dict.fromkeys(name for _, names in strange for name in names if says_more)
        lost_words = dict.fromkeys(act["quote"] for act in unheard)
        put_off = licence.put_off(heard)
        unread = [*lost_words, *licence.unread(heard, unknown, answered=bool(put_off))]
        answered = [*rules, *put_off]
        fresh = [act for act in fresh if act["kind"] != REMARK or not _overlaps(act, answered)]
        unread = [
            one for one in unread if one not in nobody and not any(one in said for said in answered)
        ]
        said = {"unheard": unread, "not_begun": [act["quote"] for act in back]}
        said |= {"no_agent": [*nobody], "no_rule": rules, "not_now": put_off}
        self._record([u.id for u in self._unread], fresh, by, said)
        self._ahead = []

    def _prohibitions(self, meant: Sequence[Mapping[str, Any]]) -> list[str]:
        """What is said that must never happen, and is no act."""
        from treec_hearing.answers import prohibitions  # what hears imports it

        return [
            clause
            for utterance in self._unread
            for clause in prohibitions(self.runtime.team, utterance.text)
            if not any(_overlaps(a, [clause]) for a in meant if a["utterance"] == utterance.id)
        ]

    def _record(
        self,
        read: list[str],
        acts: list[Act],
        by: str,
        said: Mapping[str, list[str]] = MappingProxyType({}),
    ) -> None:
        """Commit acts; ``said`` has the words that are said back, by sentence.

        A stop takes back what was ordered before and has not begun.
        """
        numbers = Counter(act["utterance"] for act in self._ahead)
        numbered = []
        for act in acts:
            utterance = act["utterance"]
            numbers[utterance] += 1
            numbered.append({**_plain_act(act), "id": f"{utterance}.{numbers[utterance]}"})
        read_now = ActsRead(tuple(read), tuple(numbered))
        events: list[Event] = [read_now]
        stops = [act for act in acts if act["kind"] == STOP]
        back = [
            act
            for act in cast("tuple[ActState, ...]", self.runtime.world.state["acts"])
            if any(
                stops_agents(stop, {**act.fields, "kind": act.kind}, self.runtime.team.now)
                for stop in stops
            )
        ]
        if back:
            events.append(ActsSettled(tuple(act.id for act in back)))
        not_begun = [*(act.quote for act in back), *said.get("not_begun", ())]
        for name, words in {**said, "not_begun": not_begun}.items():
            template = sentence(self.runtime.view, name) if words else None
            if template is not None:
                values = {"words": "; ".join(words), "name": ", ".join(words)}
                text = template.render(MappingScope(values))
                events.append(Said("assistant", text))
        numbered_events = number_entries(self.runtime.world.state, events)
        record = Commit("reading", numbered_events, node=self.path, name=self.entry.name, by=by)
        self.runtime.world.emit(record, self.path)

    # Cases and recorded runs

    @classmethod
    def decision_in(cls, record: Record) -> RecordedDecision | None:
        """The acts that were committed; those before an answer are part of its decision."""
        commit = record.event
        if not isinstance(commit, Commit) or commit.purpose != cls.KIND:
            return None
        read = (event for event in commit.events if isinstance(event, ActsRead))
        found: list[Any] = [thaw(freeze(event.acts)) for event in read]
        first, hidden = ("kind", "quote"), ("id", "utterance", "after", "before")
        acts = [
            {**{k: act[k] for k in first}, **{k: v for k, v in act.items() if k not in hidden}}
            for kinds in found
            for act in kinds
        ]
        by = commit.by or ""
        return RecordedDecision(commit.node or "", by, {"acts": acts}, part=by == PARSER)

    @classmethod
    def answers_offline(cls, entry: Entry[ReadingFile], view: View) -> bool:
        """By its parser or its templates."""
        return entry.model.parser is not None or hears(entry)


def _overlaps(act: Mapping[str, Any], clauses: Sequence[str]) -> bool:
    return any(act["quote"] in one or one in act["quote"] for one in clauses)


def _plain_act(act: Act) -> dict[str, object]:
    return {name: plain(value, 1) for name, value in act.items()}


def _without_quote(act: Act) -> dict[str, object]:
    return {name: value for name, value in _plain_act(act).items() if name != "quote"}


def _schema(model: ReadingFile, names: AnswerNames) -> dict[str, object]:
    return object_schema({"reasoning": {"type": "string"}, "acts": _acts_schema(model.acts, names)})


def _acts_schema(
    kinds: Mapping[str, Mapping[str, object]], names: AnswerNames | None = None
) -> dict[str, object]:
    """The schema of acts; with ``names``, known names are listed."""
    options = []
    for kind, fields in kinds.items():
        properties: dict[str, object] = {"kind": {"const": kind}, "quote": {"type": "string"}}
        properties.update({name: _field_schema(type_, names) for name, type_ in fields.items()})
        options.append(object_schema(properties, ("kind", "quote")))
    return {"type": "array", "items": {"anyOf": options}}


def _optional(kind: str) -> bool:
    """Whether a field of this type may be missing, so that null means missing."""
    parsed = parse_type(kind)
    return isinstance(parsed, ListOf) or parsed == BOOL


def _field_schema(kind: object, names: AnswerNames | None) -> dict[str, object]:
    """The schema of a field's type; a mapping is an object of things that tasks are done with."""
    if isinstance(kind, str):
        parsed = parse_type(kind)
        return json_schema(parsed) if names is None else schema_of(parsed, names)
    thing: dict[str, object] = {"type": "string"}
    if names is not None and (things := names.task_things()):
        thing["enum"] = list(things)
    return {"type": "object", "additionalProperties": thing}
