"""An ear: finds the acts in an utterance by the templates of a reading's files, and by a network.

Every clause that a template explains from end to end is an act; fillers between clauses change
nothing; the rest is left over, and said to be so. Of several ways to cover the words the one that
leaves over the least is heard. Words such as "if" or "never" that no template explains keep their
sentence from being an order or an answer. Where templates do not explain all words as words of
their own, a network, if there is one, chooses among the acts that are possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import product
from typing import cast

from treec.files.hearing import HearingFile, SaidForm
from treec.files.types import BOOL, MAPPING, TEXT, ListOf, Named, parse_type, without_none
from treec.frozen import frozen
from treec.team.spoken_words import SpokenWord, split_words, stands
from treec.team.stop_words import STOP
from treec.team.talk import TalkContext
from treec_hearing.addressed import addressed
from treec_hearing.clauses import FIRM, LATER, NEGATED, Clauses, ClauseWords
from treec_hearing.heard import (
    CONFIDENT,
    GUARDED,
    NEVER,
    SCORED_KINDS,
    ActScorer,
    FoundAct,
    Hearing,
)
from treec_hearing.mentions import Lexicon, Mentions, Others, SaidTask, Several
from treec_hearing.own_words import DONE, RESUME, OwnWords
from treec_hearing.same_breath import SameBreath, is_withdrawn, is_without
from treec_hearing.templates import (
    SLOTS,
    Bound,
    HearingTemplate,
    MatchAttempt,
    SentenceCompiler,
    WordSpan,
)

LONGEST = 2000
"""Characters of an utterance that are read."""
_WORDS = 200
_DOMAINS = 4
_MATCH_COST = 0.3
_WILD_COST = 0.6
_SKIP_COST = 0.01
_CHOICES = ("choose",)
"""Kinds whose templates with any text are trusted: "let us make {text}" is no order."""
Fields = Mapping[str, object]
"""An act's fields and their types, as a reading declares them."""


@frozen
class _Path:
    """A way to cover the words up to here."""

    score: float
    acts: tuple[tuple[int, int, FoundAct], ...] = ()
    left: tuple[tuple[int, int], ...] = ()


class Ear:
    """The templates of a reading and its shared file. Raises TemplateError for one that is wrong.

    `acts` are the reading's kinds with the types of their fields. An ear is a parser: called with
    a text and the moment, it gives the acts as plain data.
    """

    def __init__(
        self,
        acts: Mapping[str, Fields],
        own: Mapping[str, Sequence[str | SaidForm]],
        shared: HearingFile | None = None,
        network: ActScorer | None = None,
    ) -> None:
        compiler = SentenceCompiler(acts, shared)
        file = compiler.file
        self.acts, self.language = compiler.acts, compiler.language
        self.templates = [
            template
            for hears in (own, file.hears)
            for kind, items in hears.items()
            if kind in self.acts
            for one in items
            for template in compiler.compiled(kind, one)
        ]
        self._literals = frozenset(compiler.literals)
        self._same_breath = SameBreath(self.templates, compiler)
        self._any_first = [template for template in self.templates if template.first is None]
        """The templates that can begin with any word."""
        firsts = {word for template in self.templates for word in template.first or ()}
        self._by_first = {
            word: [one for one in self.templates if one.first is None or word in one.first]
            for word in firsts
        }
        self._unscored = [
            template
            for template in self.templates
            if template.kind not in SCORED_KINDS
            and "list of Subtask" in self.acts[template.kind].values()
        ]
        self._resumes = [one for one in self.templates if one.kind == RESUME]
        self.joins = frozenset(word.lower() for word in file.joins)
        self.fillers: dict[str, list[tuple[str, ...]]] = {}
        for phrase in sorted(filter(None, self.language.phrases(file.fillers)), key=len)[::-1]:
            self.fillers.setdefault(phrase[0], []).append(phrase)
        self._idle = frozenset(
            word for said in self.fillers.values() for one in said for word in one
        )
        times = self.language.times
        self._whens = {
            phrase for kind in ("before", "after", "instead") for phrase in times.get(kind, ())
        }
        self.guards = self.language.phrases(file.guards)
        self.polite = self.language.polite
        self.lasting = self.language.phrases(file.lasting)
        self.clause_words = ClauseWords(self.language)
        self.own_words = OwnWords(compiler)
        self.network = network
        self._lexicons: list[Lexicon] = []
        self._last_mentions: tuple[TalkContext, str, Mentions] | None = None
        self._last_clauses: Clauses | None = None
        self._last_corrected: tuple[TalkContext, str, Hearing | None] | None = None

    def __call__(self, text: str, context: TalkContext) -> list[dict[str, object]]:
        """The acts as a reading takes them from a parser; words left over are a remark."""
        heard = self.listen(text, context)
        found: list[dict[str, object]] = []
        for act in heard.acts:
            quote = heard.text[act.start : act.end]
            texts = [name for name, kind in self.acts[act.kind].items() if kind == "text"]
            entry = {"kind": act.kind, "quote": quote, **dict.fromkeys(texts, quote), **act.fields}
            if entry not in found:
                found.append(entry)
        if not found and "remark" in context.acts and text.strip():
            found.append({"kind": "remark", "quote": text.strip()[:LONGEST].strip()})
        return found

    def listen(self, text: str, context: TalkContext) -> Hearing:
        """What the text says in this moment."""
        text = text[:LONGEST]
        corrected = self._corrected(text, context)
        return corrected or self._listen(self.mentions(text, context), text, self.network)

    def withdrawn(self, text: str, context: TalkContext) -> int:
        """Up to which character a text is corrected in the same breath; 0 if it is not."""
        corrected = self._corrected(text[:LONGEST], context)
        return corrected.withdrawn if corrected is not None else 0

    def _corrected(self, text: str, context: TalkContext) -> Hearing | None:
        """The last one is kept: licences of each act ask again what was withdrawn."""
        known = self._last_corrected
        if known is None or known[0] is not context or known[1] != text:
            found = self._same_breath.corrected(
                self.mentions(text, context), text, self._corrected_once
            )
            known = self._last_corrected = context, text, found
        return known[2]

    def _corrected_once(self, text: str, context: TalkContext) -> Hearing:
        mentions = self.mentions(text, context)
        corrected = self._same_breath.corrected(mentions, text, self._by_templates)
        return corrected or self._by_templates(text, context)

    def _by_templates(self, text: str, context: TalkContext) -> Hearing:
        return self._listen(self.mentions(text, context), text, None)

    def _listen(self, mentions: Mentions, text: str, network: ActScorer | None) -> Hearing:
        words = mentions.words
        best = self._best(mentions, text)
        if best.left:
            mentions, best = self._as_one(mentions, text) or (mentions, best)
            words = mentions.words
        going = self._going_on(best, mentions, text)
        kept, back = self._held_back(best, words, [first for first, _ in going])
        left = [*best.left, *((first, last) for first, last, _ in back)]
        if any(act.kind == STOP for _, _, act in kept):  # "R1 and R2, stop" stops both
            left = [span for span in left if not mentions.names_robots(*span)]
        spans = tuple((words[first].start, words[last - 1].end) for first, last in sorted(left))
        answers = [act for _, _, act in kept]
        acts = _specific([*self._yes_beside(answers, mentions, text), *answers], mentions)
        held = tuple(act for _, _, act in back)
        clauses = self._clauses(mentions, text)
        if withheld := tuple(self._put_off_or_left_out(acts, clauses)):
            acts = tuple(act for act in acts if act not in withheld)
            held += withheld
            spans = tuple(sorted({*spans, *((act.start, act.end) for act in withheld)}))
        is_explained = acts and not left and not any(act.wild for act in acts)
        if words and network is not None and not is_explained:
            needed = self._caution(clauses)
            scored = network.choose(mentions, text, self.joins, needed, acts)
            scored = [one for one in scored if not any(_forbids(act, one) for _, act in going)]
            scored = [_with_its_doer(one, clauses) for one in scored]
            put_off = [*self._put_off_or_left_out(scored, clauses)]
            doubted = [
                one
                for one in scored
                if not self.own_words.license(one.kind, one.fields, clauses, clauses.all)
                or (one.kind == "accept" and any(_ends_of_exceptions(mentions, one.start)))
                or one in put_off
                or (one.kind == DONE and self._only_says_when(one, mentions))
            ]
            scored = [one for one in scored if one not in doubted]
            if any(map(_ids, scored)):
                held += tuple(self._within(best, mentions, text))
                scored = _besides((*acts, *held), scored)
            found = _agreed(acts, scored, network.kinds, _sure(acts, left, clauses))
            spans = (*spans, *((act.start, act.end) for act in acts if act not in found))
            acts = found
            spans = tuple(one for one in sorted(spans) if not any(_overlap(one, it) for it in acts))
            held = tuple(one for one in held if not any(_same(one, act) for act in acts))
            held += tuple(doubted)
        if cry := self._cried(text, acts, mentions.context):
            acts, taken = (*acts, cry), (cry.start, cry.end)
            spans = tuple(one for one in spans if not _overlap(one, cry))
            held = tuple(one for one in held if not _overlap(taken, one))
        acts = tuple(one for act in acts for one in self._with_corrected(act, mentions))
        acts = _without_yes_to_the_stopped(_still_wanted(acts, mentions), mentions)
        acts = addressed(acts, mentions, self._idle)
        return Hearing(text, acts, spans, held)

    def _yes_beside(
        self, acts: Sequence[FoundAct], mentions: Mentions, text: str
    ) -> list[FoundAct]:
        """The yes that a no by name is a part of, where it could be a filler: "okay, not R2"."""
        no = next((act for act in acts if act.kind == "decline" and not act.bare), None)
        if no is None or any(act.kind == "accept" for act in acts):
            return []
        sentence = mentions.sentence_of(no.start)
        yes = [one for one in self.templates if one.kind == "accept" and one.needs is None]
        for end, act in self._matches(yes, mentions, sentence.start, text):
            if act.bare and mentions.words[end].text in self.clause_words.parting:
                return [act]
        return []

    def _with_corrected(self, act: FoundAct, mentions: Mentions) -> Iterator[FoundAct]:
        """An order, and what it corrects: dropped if an order made it, else anybody may do it."""
        corrects = "{meant" in act.template or "{mistaken" in act.template
        work = mentions.corrected if corrects else None
        said = mentions.lexicon.of_subtask(work.words).said if work is not None else None
        is_same = "task" in act.fields and _is_ordered(said, act)  # by somebody else
        is_alike = said is not None and said.task == act.fields.get("task")
        keeps = work is not None and is_alike and act.fields.get("agent", "") is None
        yield replace(act, fields={**act.fields, "agent": work.agent}) if work and keeps else act
        kind = "drop" if work is None or (work.asked and not is_same) else "release"
        if work is not None and kind in self.acts:
            rest = dict.fromkeys(self.acts[kind])
            yield replace(act, kind=kind, fields={**rest, "subtasks": [work.id]}, others=())

    def _put_off_or_left_out(
        self, acts: Sequence[FoundAct], clauses: Clauses
    ) -> Iterator[FoundAct]:
        """The acts that words beside them say are not for now, or not of this.

        "Fetch it, but not now" orders nothing, and "not now" is no answer to what was asked.
        """
        mentions = clauses.mentions
        late = {
            mentions.sentence_of(clause.start)
            for clause in clauses.all
            if any(mark.property in LATER or mark.revokes for mark in clauses.marks[clause])
            and not clauses.names.base_verbs.isdisjoint(range(clause.first, clause.last))
        }
        for act in acts:
            own = clauses.with_verb(act)
            marks = [m for c in own for m in clauses.marks[c]] or clauses.marks_at(act.start)
            put_off = "task" in act.fields and any(m.property in LATER or m.revokes for m in marks)
            sentence = mentions.sentence_of(act.start)
            no_answer = act.kind == "decline" and sentence in late
            no_answer = no_answer and not any(
                verbs.intersection(sentence) for verbs in _proposed_verbs(act, clauses)
            )
            if put_off or no_answer or self._is_of_what_is_left_out(act, mentions):
                yield act

    @staticmethod
    def _is_of_what_is_left_out(act: FoundAct, mentions: Mentions) -> bool:
        """Whether an act is about a thing behind "except" or, later, behind "no"."""
        args = act.fields.get("args")
        things = set(map(str, args.values())) if isinstance(args, Mapping) else set()
        for id in filter(mentions.subtasks.__contains__, _ids(act)):
            said = mentions.lexicon.of_subtask(mentions.subtasks[id].words).said
            things |= {thing for _, thing in said.args} if said is not None else set()
        joins = mentions.lexicon.language.adding
        words = mentions.words
        ends = [  # "and the milk, no milk"
            n + 1
            for n in range(len(words))
            if (words[n].start >= act.end and is_without(mentions, n))
            or (words[n].start > act.start and is_withdrawn(mentions, n))
        ]
        return any(
            not things.isdisjoint(left if isinstance(left, tuple) else (left,))
            for end in (*ends, *_ends_of_exceptions(mentions, act.start))
            for _, left in mentions.lists("", end, joins)
        )

    def _only_says_when(self, act: FoundAct, mentions: Mentions) -> bool:
        """Whether a report only says when something else is to be: "after it is done, charge"."""
        words = mentions.words
        sentence = mentions.sentence_of(act.start)
        own = [at for at in sentence if act.start <= words[at].start < act.end]
        is_followed = bool(own) and own[-1] < sentence[-1]
        return is_followed and self._is_when(words, own[0])

    def _cried(self, text: str, acts: Sequence[FoundAct], context: TalkContext) -> FoundAct | None:
        """A stop that stands for itself beside words that nothing explains."""
        if set(self.acts.get(STOP, ())) != {"agent"} or any(act.kind == STOP for act in acts):
            return None
        span = self.language.stop_words.cried_stop(text, context.agents)
        return None if span is None else FoundAct(STOP, {"agent": None}, *span, STOP)

    def mentions(self, text: str, context: TalkContext) -> Mentions:
        """The words of a text, and the names of the moment in them; the last ones are kept."""
        known = self._last_mentions
        if known is None or known[0] is not context or known[1] != text:
            known = self._last_mentions = context, text, self._mentions(text, context)
        return known[2]

    def _mentions(self, text: str, context: TalkContext) -> Mentions:
        lexicon = self.lexicon(context)
        words = split_words(text, self.language.file.spellings)[:_WORDS]
        words = tuple(
            word
            if word.text in self._literals
            or (right := lexicon.corrected(word.text)) == word.text
            or any(word.text in self.language.words(work.words) for work in context.subtasks)
            else replace(word, text=right)
            for word in words
        )
        found = Mentions(lexicon, self._declared(context), words)
        return found.without(amounts) if (amounts := self.language.amounts(text)) else found

    def clauses(self, text: str, context: TalkContext) -> Clauses:
        """The clauses of a text, and what keeps each from being meant."""
        text = text[:LONGEST]
        return self._clauses(self.mentions(text, context), text)

    def _clauses(self, mentions: Mentions, text: str) -> Clauses:
        if self._last_clauses is None or self._last_clauses.mentions is not mentions:
            self._last_clauses = Clauses(self.clause_words, mentions, text)
        return self._last_clauses

    def _declared(self, context: TalkContext) -> TalkContext:
        """The moment without kinds of acts that the reading does not declare."""
        kinds = tuple(kind for kind in context.acts if kind in self.acts)
        return context if kinds == context.acts else replace(context, acts=kinds)

    def lexicon(self, context: TalkContext) -> Lexicon:
        """The names of the domain, made once for all of its moments; few domains are kept."""
        for known in self._lexicons:
            if known.is_of(context):
                return known
        found = Lexicon(self.language, context)
        self._lexicons = [found, *self._lexicons[: _DOMAINS - 1]]
        return found

    # Covering the words

    def _as_one(self, mentions: Mentions, text: str) -> tuple[Mentions, _Path] | None:
        """All sentences read as one, if templates then explain all words as words of their own.

        "Leave the roses. I'll do it." says in two sentences what others say in one.
        """
        if not any(word.breaks > 1 for word in mentions.words[1:]):
            return None
        words = tuple(replace(word, breaks=min(word.breaks, 1)) for word in mentions.words)
        one = Mentions(mentions.lexicon, mentions.context, words)
        best = self._best(one, text)
        explained = best.acts and not best.left and not any(act.wild for _, _, act in best.acts)
        return (one, best) if explained else None

    def _best(self, mentions: Mentions, text: str) -> _Path:
        """The way that covers the most words; of equal ones the first found."""
        words = mentions.words
        met = cache(partial(_is_met, mentions.context))
        best: dict[int, _Path] = {0: _Path(0)}

        def offer(at: int, path: _Path) -> None:
            if at not in best or path.score > best[at].score:
                best[at] = path

        for at in range(len(words)):
            path = best.get(at)
            if path is None:
                continue
            for end in self._fillers(words, at):
                offer(end, replace(path, score=path.score + 0.9 * (end - at)))
            for end in mentions.excluded(at) if path.acts else ():
                offer(end, replace(path, score=path.score + 0.8 * (end - at)))
            begun = self._by_first.get(words[at].text, self._any_first)
            templates = [one for one in begun if one.needs is None or met(one.needs)]
            for end, act in self._matches(templates, mentions, at, text):
                gain = end - at - (_MATCH_COST + _WILD_COST * act.wild)
                acts = (*path.acts, (at, end, act))
                offer(end, replace(path, score=path.score + gain, acts=acts))
            end = self._next_begin(words, at)
            offer(end, replace(path, score=path.score - _SKIP_COST, left=(*path.left, (at, end))))
        path = best[len(words)]
        every = [(at, end, one) for at, end, act in path.acts for one in (act, *act.besides)]
        return replace(path, acts=tuple(every))

    def _fillers(self, words: Sequence[SpokenWord], at: int) -> Iterator[int]:
        if words[at].text in self.joins:
            yield at + 1
        if any(stands(words, at, one) for one in self.language.excepting):  # "everyone but ..."
            return
        for phrase in self.fillers.get(words[at].text, ()):
            if stands(words, at, phrase):
                yield at + len(phrase)

    def _next_begin(self, words: Sequence[SpokenWord], at: int) -> int:
        """Where a clause can begin next."""
        for other in range(at + 1, len(words)):
            if words[other].breaks or self._begins(words, other):
                return other
        return len(words)

    def _begins(self, words: Sequence[SpokenWord], at: int) -> bool:
        """Whether the word here joins a clause to the one before: "and", "before"."""
        return words[at].text in self.joins or self._is_when(words, at)

    def _is_when(self, words: Sequence[SpokenWord], at: int) -> bool:
        return any(stands(words, at, one) for one in self._whens)

    def _can_end(self, words: Sequence[SpokenWord], at: int) -> bool:
        if at == len(words) or words[at].breaks or self._begins(words, at):
            return True
        return any(True for _ in self._fillers(words, at))

    def _leads_to_task(self, mentions: Mentions, at: int, end: int) -> bool:
        """Whether words say when something is to be, and a task follows: "after 31 fetch 17"."""
        begin = range(at, min(at + 3, end))
        says_when = any(self._is_when(mentions.words, n) for n in begin)
        return says_when and bool(mentions.find("Task", end))

    def _matches(
        self, templates: Sequence[HearingTemplate], mentions: Mentions, at: int, text: str
    ) -> Iterator[tuple[int, FoundAct]]:
        """What templates explain from this word on: one act for each end, with the others."""
        words = mentions.words
        attempt = MatchAttempt(mentions, at, self.joins)
        found: dict[int, list[FoundAct]] = {}
        said = {word.text for word in words[at:]}
        for template in templates:
            if template.first is not None and words[at].text not in template.first:
                continue
            if template.needed is not None and template.needed.isdisjoint(said):
                continue
            for end, bound in template.part(attempt, at):
                if not self._can_end(words, end) and not self._leads_to_task(mentions, at, end):
                    continue
                start, stop = words[at].start, words[end - 1].end
                last = mentions.sentence_of(words[end - 1].start).stop
                about = text[start : words[last - 1].end]
                each = [
                    self._fields(template, one, mentions, text, about)
                    for one in _each_meant(bound, mentions.context)
                ]
                if not each or any(fields is None for fields in each):
                    continue
                free = tuple(
                    (value.first, value.end) for _, value in bound if isinstance(value, WordSpan)
                )
                acts = [
                    FoundAct(
                        *(template.kind, fields, start, stop, template.text, free),
                        bare=not {slot for slot, _ in bound}.intersection(fields),
                    )
                    for fields in each
                    if fields is not None
                ]
                if acts:
                    found.setdefault(end, []).append(replace(acts[0], besides=tuple(acts[1:])))
        for end, acts in found.items():
            acts.sort(key=lambda act: (act.wild, len(act.besides)))
            others = {(act.kind, str(act.fields)): act for act in acts}
            others.pop((acts[0].kind, str(acts[0].fields)))
            yield end, replace(acts[0], others=tuple(others.values()))

    # Fields

    def _fields(
        self, template: HearingTemplate, bound: Bound, mentions: Mentions, text: str, about: str
    ) -> dict[str, object] | None:
        """The act's fields; None if one that must be there is not said and goes not without."""
        said = dict(bound)
        given: dict[str, object] = {}
        declared = self.acts[template.kind]
        for slot, value in said.items():
            if isinstance(value, SaidTask):
                given |= {"task": value.task, "args": dict(value.args)}
            elif isinstance(value, WordSpan):
                words = mentions.words
                given[slot] = text[words[value.first].start : words[value.end - 1].end]
            elif slot in declared:
                given[slot] = [*value] if isinstance(value, tuple) else value
        for slot, value in said.items():
            if slot not in declared and slot not in SLOTS and isinstance(value, str):
                for name, kind in declared.items():
                    if not isinstance(kind, str) or parse_type(kind) == MAPPING:
                        things = cast("Mapping[str, object]", given.get(name, {}))
                        given[name] = {**things, slot: value}
        given = {name: value for name, value in given.items() if name in declared}
        given |= template.fields
        for name, kind in declared.items():
            if name not in given:
                value = self._unsaid(kind, said, mentions.context, about)
                if value is _MISSING:
                    return None
                given[name] = value
        return given

    def _unsaid(
        self, kind: object, said: Mapping[str, object], context: TalkContext, about: str
    ) -> object:
        """What a field is when no word says it: all open proposals, what the person has in hand."""
        if not isinstance(kind, str):
            return {}
        type_ = parse_type(kind)
        if isinstance(type_, ListOf) and type_.item == Named("Proposal"):
            return [p.id for p in context.proposals] or _MISSING
        if isinstance(type_, ListOf) and type_.item == Named("Subtask"):
            who = said.get("agent", said.get("robot", context.user))
            of = [s.id for s in context.subtasks if s.agent == who and s.status == "running"]
            return of or _MISSING
        if isinstance(type_, ListOf):
            return []
        if without_none(type_) == Named("Recipe") and len(context.offered) == 1:
            return context.offered[0]
        if type_ == BOOL:
            return False
        if type_ == TEXT:
            return about
        return None if without_none(type_) != type_ else _MISSING

    # Safety

    def _held_back(
        self, best: _Path, words: Sequence[SpokenWord], understood: Sequence[int]
    ) -> tuple[list[tuple[int, int, FoundAct]], list[tuple[int, int, FoundAct]]]:
        """The acts that are kept, and those that a guard in their sentence holds back.

        A guard counts where no template explains its clause, or one with any text does.
        A yes or no that names nothing is also held back by words that are left over in its sentence
        or after it: it may be to somebody else, or be taken back. What is left over but
        ``understood`` guards nothing.
        """
        careful, after = self.language.file.careful, self.language.file.careful_after
        left = [_sentence(words, at) for at, _ in best.left]
        unknown = [clause for clause in best.left if clause[0] not in understood]
        unexplained = self._guarded(words, unknown)
        free = [
            (act, self._guarded(words, [(first, last)]))
            for first, last, act in best.acts
            if act.free
        ]
        kept: list[tuple[int, int, FoundAct]] = []
        back: list[tuple[int, int, FoundAct]] = []
        for first, last, act in best.acts:
            sentence = _sentence(words, first)
            others = [at for one, guards in free if one is not act for at in guards]
            guards = [*unexplained, *self._guarded(words, act.free), *others]
            in_sentence = [at for where, at in guards if where == sentence]
            held = act.kind in careful and bool(in_sentence)
            held = held or (act.kind in after and any(at < first for at in in_sentence))
            if act.bare and act.kind in careful and "proposals" in act.fields:
                held = held or any(other >= sentence for other in left)
            (back if held else kept).append((first, last, act))
        return kept, back

    def _within(self, best: _Path, mentions: Mentions, text: str) -> Iterator[FoundAct]:
        """The acts of kinds that no network knows in words that say something about them.

        "Never leave the lawn to somebody else": these words are no drop of the lawn either.
        """
        free = (span for _, _, act in best.acts for span in act.free)
        for first, last in (*best.left, *free):
            for at in range(first, last):
                for _, act in self._matches(self._unscored, mentions, at, text):
                    yield act

    def _going_on(self, best: _Path, mentions: Mentions, text: str) -> list[tuple[int, FoundAct]]:
        """What no template explains as its own and says who is to go on, though nobody has stopped.

        "Stop R1 but R2 keep going": only who was stopped can be resumed, and R2 is not to stop.
        """
        clauses = [*best.left, *((first, last) for first, last, act in best.acts if act.free)]
        ends = {last for _, last in clauses}
        return [
            (first, act)
            for first, _ in clauses
            for end, act in self._matches(self._resumes, mentions, first, text)
            if end in ends
        ]

    def _guarded(
        self, words: Sequence[SpokenWord], clauses: Sequence[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """Sentence and first word of the clauses that have a guard."""
        return [
            (_sentence(words, first), first)
            for first, last in clauses
            if any(True for guard in self.guards for _ in _places(words[first:last], guard))
        ]

    def _caution(self, clauses: Clauses) -> Callable[[str, int], float]:
        """How likely a network must hold an act of a kind that rests on a word.

        A guard that says how long a stop lasts ("until") is none for a stop that stands before it.
        """
        words = clauses.words
        polite = {
            word
            for phrase in self.polite
            for at in _places(words, phrase)
            for word in range(at, at + len(phrase))
        }
        guards = [
            (at, guard in self.lasting)
            for guard in self.guards
            for at in _places(words, guard)
            if at not in polite
        ]
        lasting = {" ".join(phrase) for phrase in self.lasting}

        def needed(kind: str, word: int) -> float:
            place = words[word].start
            for mark in clauses.marks_at(place):
                lasts = mark.word in lasting and kind == STOP and mark.since > place
                denied = mark.property == NEGATED and mark.since < place
                denied = denied and (kind == "choose" or (kind == "request" and mark.own))
                denied = denied or (mark.revokes and kind in ("choose", "request"))
                put_off = mark.property in LATER and kind == "request"
                if (mark.property in FIRM or denied or put_off) and not lasts:
                    return NEVER
            sentence = _sentence(words, word)
            guarded = any(
                _sentence(words, at) == sentence and not (lasts and kind == STOP and at > word)
                for at, lasts in guards
            )
            return GUARDED if guarded else CONFIDENT

        return needed


def _each_meant(bound: Bound, context: TalkContext) -> Iterator[Bound]:
    """What is meant where a slot takes several: each task, by each agent.

    With things, all robots are somebody ("everyone, fetch crate 12"), and of some nobody knows who
    is to take which; who is left where others are left out takes all.
    """
    several = {slot: value for slot, value in bound if isinstance(value, Several)}
    if not several:
        yield bound
        return
    tasks = [one for _, value in bound for one in _all_of(value) if isinstance(one, SaidTask)]
    if "agent" in several and any(task.args for task in tasks):
        robots = {agent.name for agent in context.agents if not agent.person}
        left = several["agent"]
        if set(left) != robots and not isinstance(left, Others):
            return
        bound = tuple(one for one in bound if one[0] != "agent")
        bound += (("agent", left[0]),) if isinstance(left, Others) else ()
    slots = [slot for slot, _ in bound]
    for values in product(*(_all_of(value) for _, value in bound)):
        yield tuple(zip(slots, values, strict=True))


def _all_of(value: object) -> tuple[object, ...]:
    return value if isinstance(value, Several) else (value,)


def _is_met(context: TalkContext, need: str) -> bool:
    """Whether this moment has what a template may need (`needs:`)."""
    match need:
        case "stopped":
            return any(agent.stopped for agent in context.agents)
        case "running":
            return any(subtask.status == "running" for subtask in context.subtasks)
        case "proposals":
            return bool(context.proposals)
        case "offered":
            return bool(context.offered)
        case "one_offered":
            return len(context.offered) == 1
    return False


def _specific(acts: Sequence[FoundAct], mentions: Mentions) -> tuple[FoundAct, ...]:
    """Without a bare yes or no where another act says which proposals are meant ("yes, R1 can").

    Of a yes and a no to the same only the no is heard ("maybe later, sure").

    An order of just what is proposed to the same agent is such an act ("yes, I'll do the roses").
    """
    bare = {act.kind for act in acts if act.bare and "proposals" in act.fields}
    if "decline" in bare and (ids := _taken_over(acts, mentions)):
        acts = [
            replace(act, fields={"proposals": ids}, bare=False)
            if act.kind == "decline" and act.bare
            else act
            for act in acts
        ]
    if {"accept", "decline"} <= bare:
        acts = [act for act in acts if not (act.kind == "accept" and act.bare)]
    if "accept" in bare:
        acts = [_as_answer(act, mentions) for act in acts]
    acts = [_of_the_rest(act, acts, mentions) if act.bare else act for act in acts]
    acts += [no for act in acts for no in _left_out(act, mentions)]
    named = any("proposals" in act.fields and not act.bare for act in acts)
    return tuple(act for act in acts if not (named and act.bare and "proposals" in act.fields))


def _of_the_rest(act: FoundAct, acts: Sequence[FoundAct], mentions: Mentions) -> FoundAct:
    """A yes beside a no by name, as one to the others: "okay, but not R2"."""
    refused = [one for one in acts if one.kind == "decline" and not one.bare]
    if act.kind != "accept" or "proposals" not in act.fields or not refused:
        return act
    gone = {id for one in refused for id in cast("Sequence[str]", one.fields["proposals"])}
    rest = [p.id for p in mentions.context.proposals if p.id not in gone]
    return replace(act, fields={"proposals": rest}, bare=False) if rest else act


def _left_out(act: FoundAct, mentions: Mentions) -> Iterator[FoundAct]:
    """The no to those whom a yes leaves out: "all but R2"."""
    if act.kind == "accept" and "{rest:" in act.template:
        said = cast("Sequence[str]", act.fields["proposals"])
        ids = [p.id for p in mentions.context.proposals if p.id not in said]
        yield replace(act, kind="decline", fields={"proposals": ids}, others=())


def _still_wanted(acts: Sequence[FoundAct], mentions: Mentions) -> tuple[FoundAct, ...]:
    """Without drops of what the same or later words want done: "forget the lawn, I'll mow it".

    Whatever else these words would drop with the same thing ("rake the lawn") stays, too.
    """
    orders = [act for act in acts if act.kind == "request" and "task" in act.fields]
    drops = [act for act in acts if act.kind == "drop" and any(_ids(act))]
    if not orders or not drops:
        return tuple(acts)
    known = mentions.subtasks
    dropped = {id for act in drops for id in _ids(act)} & known.keys()
    works = {id: mentions.lexicon.of_subtask(known[id].words).said for id in dropped}
    kept = {
        (order.start, id)
        for order in orders
        for act in drops
        if order.start >= act.start
        for id in _ids(act)
        if _is_ordered(works.get(id), order)
    }
    found = []
    for act in acts:
        if act not in drops:
            found.append(act)
            continue
        near = [one for one in drops if _overlap((one.start, one.end), act)]
        ids = {id for one in near for id in _ids(one)} & {id for at, id in kept if at >= act.start}
        things = {_first_thing(works.get(id)) for id in ids} - {None}
        rest = [i for i in _ids(act) if i not in ids and _first_thing(works.get(i)) not in things]
        if rest:
            fields = {**act.fields, "subtasks": rest}
            found.append(act if rest == [*_ids(act)] else replace(act, fields=fields))
    return tuple(found)


def _ends_of_exceptions(mentions: Mentions, place: int) -> Iterator[int]:
    """Where words of a sentence end that leave out what follows: "all but", "all are done but"."""
    said: set[str] = set()
    for at in mentions.sentence_of(place):
        yield from mentions.exceptions(at)
        word = mentions.words[at]
        for *before, last in mentions.lexicon.language.excepting:
            if last == word.text and not word.breaks and before and said.issuperset(before):
                yield at + 1
        said.add(word.text)


def _without_yes_to_the_stopped(
    acts: Sequence[FoundAct], mentions: Mentions
) -> tuple[FoundAct, ...]:
    """Without a yes to work of somebody whom its sentence stops: "stop, but only R2"."""
    agents = {one.id: one.agent for one in mentions.context.proposals}
    stops = [(mentions.sentence_of(act.start), act) for act in acts if act.kind == STOP]

    def is_stopped(act: FoundAct) -> bool:
        sentence = mentions.sentence_of(act.start)
        ids = cast("Sequence[str]", act.fields.get("proposals") or ())
        asked = {agents.get(id) for id in ids}
        return any(
            where == sentence and (stop.fields.get("agent") in (None, *asked))
            for where, stop in stops
        )

    return tuple(act for act in acts if act.kind != "accept" or not is_stopped(act))


def _ids(act: FoundAct) -> Sequence[str]:
    """The subtasks that an act lists."""
    return cast("Sequence[str]", act.fields.get("subtasks") or ())


def _proposed_verbs(act: FoundAct, clauses: Clauses) -> Iterator[set[int]]:
    """The places of the verbs of the tasks of the proposals that an act is about."""
    ids, mentions = act.fields.get("proposals") or (), clauses.mentions
    for proposal in mentions.context.proposals:
        said = mentions.lexicon.of_subtask(proposal.words).said
        if proposal.id in cast("Sequence[str]", ids) and said is not None:
            yield clauses.names.tasks.get(said.task, set())


def _with_its_doer(act: FoundAct, clauses: Clauses) -> FoundAct:
    """An order, of whom the clause with its verb names, if its sentence does not name its agent."""
    agent = act.fields.get("agent")
    for clause in clauses.with_verb(act) if agent else ():
        named = clauses.agents(clause.first, clause.last)
        sentence = clauses.sentence(clause)
        if len(named) == 1 and agent not in clauses.agents(sentence[0].first, sentence[-1].last):
            return replace(act, fields={**act.fields, "agent": next(iter(named))})
    return act


def _is_ordered(said: SaidTask | None, order: FoundAct) -> bool:
    """Whether work is what an order asks for, as far as it names things."""
    if said is None or said.task != order.fields["task"]:
        return False
    args = cast("Mapping[str, str]", order.fields.get("args") or {})
    return args.items() <= dict(said.args).items()


def _first_thing(said: SaidTask | None) -> str | None:
    return said.args[0][1] if said is not None and said.args else None


def _besides(told: Sequence[FoundAct], scored: Sequence[FoundAct]) -> list[FoundAct]:
    """A network's acts without those about the work in an act of a kind that it does not know.

    It was not fitted to tell these from a report or a drop, whether they are meant or held back.
    """
    others = {id for act in told if act.kind not in SCORED_KINDS for id in _ids(act)}
    return [one for one in scored if others.isdisjoint(_ids(one))]


def _taken_over(acts: Sequence[FoundAct], mentions: Mentions) -> list[str]:
    """The proposals to others whose work the same words order: "no, I'll mow the lawn"."""
    orders = [act for act in acts if act.kind == "request" and "task" in act.fields]
    return [
        proposal.id
        for proposal in mentions.context.proposals
        for order in orders
        if _is_ordered(mentions.lexicon.of_subtask(proposal.words).said, order)
        and order.fields.get("agent") != proposal.agent
    ]


def _as_answer(act: FoundAct, mentions: Mentions) -> FoundAct:
    if act.kind != "request" or act.fields.get("first"):
        return act
    for proposal in mentions.context.proposals:
        said = mentions.lexicon.of_subtask(proposal.words).said
        if said is None or act.fields.get("agent") != proposal.agent:
            continue
        if (said.task, dict(said.args)) == (act.fields["task"], act.fields.get("args")):
            fields = {"proposals": [proposal.id]}
            return replace(act, kind="accept", fields=fields, bare=False)
    return act


def _sentence(words: Sequence[SpokenWord], at: int) -> int:
    """The number of the word with which the sentence of a word begins."""
    return next((n for n in range(at, 0, -1) if words[n].breaks > 1), 0)


def _places(words: Sequence[SpokenWord], phrase: tuple[str, ...]) -> Iterator[int]:
    """Where a phrase begins."""
    return (at for at in range(len(words)) if stands(words, at, phrase))


def _sure(
    acts: Sequence[FoundAct], left: Sequence[tuple[int, int]], clauses: Clauses
) -> list[FoundAct]:
    """The orders in sentences that templates explain, where what they do not says nothing of them.

    "Hauler, charge. What a day!" is an order beside chat; not so "charge. That is what it says."
    """
    words = clauses.words
    unexplained = [words[at].start for first, last in left for at in range(first, last)]
    if any(any(clauses.marks_at(place)) for place in unexplained):
        return []
    inside = {at for place in unexplained for at in clauses.mentions.sentence_of(place)}
    return [
        act
        for act in acts
        if "task" in act.fields
        and not act.wild
        and inside.isdisjoint(clauses.mentions.sentence_of(act.start))
    ]


def _agreed(
    said: Sequence[FoundAct],
    scored: Sequence[FoundAct],
    kinds: frozenset[str],
    certain: Sequence[FoundAct],
) -> tuple[FoundAct, ...]:
    """What is heard where templates do not explain all words, in the order of the words.

    The network decides, for a clause means other things beside words that no template knows. Where
    a template says the same the act is the template's; a stop that one says is never lost, nor what
    is certain where the network hears nothing.
    """
    silent = (act for act in certain if not any(_overlap((act.start, act.end), o) for o in scored))
    own = [*silent, *(act for act in said if act.wild and act.kind in _CHOICES)]
    sure = list(own)
    own += [act for act in said if act.kind not in kinds or act.kind == STOP]
    heard = [next((one for one in said if _means(one, act)), act) for act in scored]
    sure += [act for act in heard if act.wild]
    more = [
        act
        for act in heard
        if not any(_same(act, one) for one in own)
        and (act.template or not any(_overlap((act.start, act.end), one) for one in sure))
    ]
    return tuple(sorted(_once((*own, *more)), key=lambda act: act.start))


def _once(acts: Sequence[FoundAct]) -> list[FoundAct]:
    return [act for at, act in enumerate(acts) if act not in acts[:at]]


def _means(one: FoundAct, other: FoundAct) -> bool:
    """Whether both are the same act, but for text."""
    return one.kind == other.kind and all(one.fields.get(n) == it for n, it in other.fields.items())


def _same(one: FoundAct, other: FoundAct) -> bool:
    return one.kind == other.kind and _overlap((one.start, one.end), other)


def _forbids(going: FoundAct, act: FoundAct) -> bool:
    """Whether an act stops in the same words who is to go on; if nobody is named, all are."""
    is_stop = act.kind == STOP and _overlap((going.start, going.end), act)
    return is_stop and going.fields.get("agent") in (None, act.fields.get("agent"))


def _overlap(span: tuple[int, int], act: FoundAct) -> bool:
    return span[0] < act.end and act.start < span[1]


_MISSING = object()
