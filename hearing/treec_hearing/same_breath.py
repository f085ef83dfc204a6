"""An order corrected in the same breath: "R2, get the milk, no, the butter".

What stands before the correction is heard on its own. If it is one order, the rest is heard as if
that order had just been given, by the templates that correct the last order; what it comes to
replaces the order, which is never given. Otherwise the words behind the correction replace the last
words of their kind before it, and all is heard as if it had been said so: "get the milk and the
salt, no, the sugar" is "get the milk and the sugar". Words of hesitation ("er") correct only what
stands right before them, else they are left out. What is added ("the salt too") corrects nothing,
and another amount ("two onions, no, three") changes no order, nor does a bare "no" behind an order
leave it standing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise, takewhile

from treec.frozen import frozen
from treec.team.spoken_words import SpokenWord, split_words, stands
from treec.team.talk import TalkContext, TalkSubtask
from treec_hearing.heard import FoundAct, Hearing
from treec_hearing.mentions import Mentions
from treec_hearing.templates import HearingTemplate, MatchAttempt, SentenceCompiler

Listen = Callable[[str, TalkContext], Hearing]
Span = tuple[int, int]
_ID = "said just now"
_SLOTS = ("{meant}", "{mistaken}", "{relieved}")
_CORRECTS, _HESITATES, _WITHDRAWS, _LEAVE = "corrects", "hesitates", "withdraws", "leave"
_REFUSES, _ADDS = "refuses", "adds"
_ANSWERS = frozenset(("accept", "decline", "stop", "resume"))
_MOST_TRIED = 8
"""Words of an utterance that may begin a correction, counted from its end."""
_MOST_REPAIRS = 6
"""Ways to correct an utterance that are heard."""


@frozen
class _Mark:
    """Words that correct, or only hesitate, between two words of an utterance."""

    first: int
    end: int
    strong: bool


class SameBreath:
    """Finds corrections within an utterance, by the words with which templates begin to correct,
    and by the rules `corrects`, `hesitates`, `withdraws`, `refuses`, `adds` and `leave` of the
    hearing file.
    """

    def __init__(self, templates: Sequence[HearingTemplate], compiler: SentenceCompiler) -> None:
        own = [one for one in templates if any(slot in one.text for slot in _SLOTS)]
        self._begins = frozenset[str]().union(*(one.first for one in own if one.first))
        names = (_CORRECTS, _HESITATES, _WITHDRAWS, _LEAVE, _REFUSES, _ADDS)
        rules = [name for name in names if name in compiler.file.rules]
        kind = next(iter(compiler.acts), "")
        self._rules = {name: compiler.own_words(kind, f"<{name}>") for name in rules if kind}
        for name in (_WITHDRAWS, _REFUSES):
            if (rule := self._rules.get(name)) is not None:
                self._begins |= rule.first or frozenset()

    def corrected(self, mentions: Mentions, text: str, listen: Listen) -> Hearing | None:
        """The utterance with its correction made; None if it corrects no order of its own."""
        words = mentions.words
        first = next((at for at in range(len(words)) if _is_verb(mentions, at)), len(words))
        begins = [at for at in range(len(words) - 1, first, -1) if words[at].text in self._begins]
        inner: list[int] = []  # behind which something else is said
        for at in begins[:_MOST_TRIED]:
            if self._end_withdrawn(mentions, text, at) < len(words):
                inner.append(at)
            elif (found := self._without_withdrawn(mentions, text, at, listen)) is not None:
                return found
            if not _leaves_out(mentions, at) and not self._adds(mentions, at):
                found = self._reordered(mentions, text, at, listen)
                if found is not None:
                    return found
        if (found := _beside_refusal(mentions, text, listen)) is not None:
            return found
        marks = self._found(mentions)
        for mark in marks:
            if mark.strong and (found := _with_amount(mentions, text, mark, listen)) is not None:
                return found
        repairs = (one for mark in marks for one in self._repairs(mentions, text, mark))
        for repair in islice(repairs, _MOST_REPAIRS):
            if (found := _heard_so(mentions, text, *repair, listen)) is not None:
                return found
        taken_back = (self._without_withdrawn(mentions, text, at, listen) for at in inner)
        return next(filter(None, taken_back), None)

    def _found(self, mentions: Mentions) -> list[_Mark]:
        """The words between others that correct or hesitate, the last first."""
        found: list[_Mark] = []
        for at in range(len(mentions.words)) if self._rules else ():
            if mentions.words[at].breaks and _left_out(mentions, at):  # "not the salt, the pepper"
                found.append(_Mark(at, at, True))
            for name in (_CORRECTS, _HESITATES):
                first, end, strong = at, self._end(name, mentions, at), name == _CORRECTS
                if end == at or (strong and self._leaves_out(mentions, at, end)):
                    continue
                if found and found[-1].end >= at:
                    before = found.pop()
                    strong = strong or before.strong
                    first, end = before.first, max(end, before.end)
                found.append(_Mark(first, end, strong))
        return found[::-1]

    def _leaves_out(self, mentions: Mentions, at: int, end: int) -> bool:
        """Whether words that may correct say what is not meant: "never mind the salt"."""
        words = mentions.words
        is_named = end < len(words) and not words[end].breaks
        return _leaves_out(mentions, end - 1) or (
            is_named and self._end(_LEAVE, mentions, at) == end
        )

    def _end(self, name: str, mentions: Mentions, at: int) -> int:
        """Where words of a rule end that stand at a word; there, if none do."""
        rule = self._rules.get(name)
        if rule is None or (rule.first is not None and mentions.words[at].text not in rule.first):
            return at
        attempt = MatchAttempt(mentions, at, frozenset())
        return max((end for end, _ in rule.part(attempt, at)), default=at)

    def _end_withdrawn(self, mentions: Mentions, text: str, at: int) -> int:
        """Where words end that take back what stands before them: at the end, a bare no, too."""
        total = len(mentions.words)
        is_no = self._end(_REFUSES, mentions, at) == total and not mentions.context.proposals
        is_no = is_no and not text.rstrip().endswith("?")
        return total if is_no else self._end(_WITHDRAWS, mentions, at)

    def _repairs(
        self, mentions: Mentions, text: str, mark: _Mark
    ) -> Iterator[tuple[_Mark, list[Span], str]]:
        """How an utterance may be meant that these words correct, or only interrupt."""
        if self._adds(mentions, mark.end):
            weak = replace(mark, strong=False)
            pieces = [(0, mark.first), (mark.end, len(mentions.words))]
            yield from ((weak, pieces, join) for join in (". ", " ", ", "))
        else:
            yield from _repairs(mentions, text, mark)

    def _adds(self, mentions: Mentions, begin: int) -> bool:
        """Whether words from here on add something: "the salt too"."""
        return any(self._end(_ADDS, mentions, n) > n for n in range(begin, len(mentions.words)))

    def _without_withdrawn(
        self, mentions: Mentions, text: str, at: int, listen: Listen
    ) -> Hearing | None:
        """What is heard behind words that take orders back, if nothing but these stands before."""
        words, end = mentions.words, self._end_withdrawn(mentions, text, at)
        is_last = end == len(words)
        if end == at or not words[at].breaks or not (is_last or words[end].breaks):
            return None
        head = listen(text[: words[at].start], mentions.context)
        if not head.acts or not all(act.fields.get("task") for act in head.acts):
            return None
        withdrawn = words[end - 1].end
        if is_last:
            return Hearing(text, (), (), withdrawn=withdrawn)
        by = words[end].start
        tail = listen(text[by:], mentions.context)
        if not tail.acts or tail.withdrawn:
            return None
        moved = [
            tuple(replace(act, start=by + act.start, end=by + act.end) for act in acts)
            for acts in (tail.acts, tail.held_back)
        ]
        left = tuple((by + first, by + last) for first, last in tail.left_over)
        return Hearing(text, moved[0], left, moved[1], withdrawn)

    def _reordered(self, mentions: Mentions, text: str, at: int, listen: Listen) -> Hearing | None:
        start = mentions.words[at].start
        head, context = text[:start], mentions.context
        order = _only_order(listen(head, context))
        work = _work_of(order, mentions) if order is not None else None
        if order is None or work is None:
            return None
        now = replace(context, subtasks=(work,), proposals=(), before=(work.words,))
        tail = listen(text[start:], now)
        kept = [*_corrections(tail, order)]
        if tail.left_over or tail.held_back or not kept:
            return None
        acts = (replace(one, start=order.start, end=start + one.end) for one in kept)
        return Hearing(text, tuple(acts), (), withdrawn=start)


def _repairs(mentions: Mentions, text: str, mark: _Mark) -> Iterator[tuple[_Mark, list[Span], str]]:
    """How an utterance may be meant that these words correct: its pieces, as spans of words, joined
    by what.

    What stands behind them replaces the last words of its kind before them.
    """
    words, total = mentions.words, len(mentions.words)
    joins = mentions.lexicon.language.adding
    first, begin, end = mark.first, mark.end, total
    if begin == total and mark.strong:  # "get the salt, the pepper, I mean"
        first = begin = next((n for n in range(first - 1, 0, -1) if words[n].breaks), 0)
        end = mark.first
    wrong = _left_out(mentions, begin) if mark.strong else None
    begin = wrong[0] if wrong is not None else begin
    if not mark.strong and not first and begin < end:  # "let me see, get the salt"
        yield mark, [(begin, end)], " "
    if not 0 < first <= begin < end:
        return
    for stop, spans in _replaced(mentions, first, begin):
        if (behind := _left_out(mentions, stop)) is not None and behind[0] == end:
            wrong, end = behind, stop  # "the sugar, not the salt"
        for start, last in spans if stop <= end else ():
            is_wrong = wrong is None or wrong[1] in {t for _, t in mentions.find("", start)}
            is_next = last == first and (stop == end or words[stop].text not in joins)
            is_next = is_next and not all(_is_sentence(mentions, text, n) for n in (first, begin))
            if is_wrong and (mark.strong or is_next):
                yield mark, [(0, start), (begin, stop), (last, first), (stop, end)], " "
    if not mark.strong:
        yield from ((mark, [(0, first), (begin, total)], join) for join in (" ", ", "))
    elif _is_verb(mentions, begin):
        at = next((n for n in range(first - 1, -1, -1) if _is_verb(mentions, n)), first)
        pronouns = mentions.lexicon.language.pronouns
        length = max((len(one) for one in pronouns if stands(words, begin + 1, one)), default=0)
        if length:  # "chop the onions, I mean peel them"
            rest = (begin + 1 + length, end)
            yield mark, [(0, at), (begin, begin + 1), (at + 1, first), rest], " "
        else:
            yield mark, [(0, at), (begin, end)], " "


def _with_amount(mentions: Mentions, text: str, mark: _Mark, listen: Listen) -> Hearing | None:
    """The orders before a correction that only says another amount or time: they stay."""
    words, first = mentions.words, mark.first
    if not 0 < first < mark.end < len(words) or not _is_amount(mentions, text, mark):
        return None
    head, file = text[: words[first].start], mentions.lexicon.language.file
    said = split_words(head, file.spellings)
    counts = _numbers(mentions, said) > _numbers(mentions, words[:first])  # the others are names'
    counts = counts or _is_one(mentions, mark)
    if not counts and not any(re.search(one, head, re.IGNORECASE) for one in file.amounts or ()):
        return None
    heard = listen(head, mentions.context)
    if heard.left_over or not heard.acts or not all(act.fields.get("task") for act in heard.acts):
        return None
    return Hearing(text, heard.acts, (), heard.held_back)


def _is_one(mentions: Mentions, mark: _Mark) -> bool:
    """Whether no number before a correction is corrected, nor one that names somebody or something
    beside what is named: "get the pan, no, two".
    """
    words, numbered = mentions.words, mentions.lexicon.numbered
    head, said = words[: mark.first], words[mark.end].text
    return (
        not any(re.search(r"\d", word.text) for word in head)
        and not _numbers(mentions, head)
        and not _named(mentions, "Agent", mark.first)
        and not mentions.find("Agent", mark.end)
        and not any(said in thing.split() for things in numbered.values() for thing in things)
        and said not in numbered
    )


def _beside_refusal(mentions: Mentions, text: str, listen: Listen) -> Hearing | None:
    """An order beside what is not to be done, each heard on its own: "don't get the milk, get the
    salt". Not where both are of one thing, where alternatives are named, or where more follows.
    """
    words, language = mentions.words, mentions.lexicon.language
    total = len(words)
    alternatives = {*language.file.listing} - {*language.adding}
    refusals = [
        n
        for n in range(total - 1)
        if (words[n].text,) in language.negations and _is_verb(mentions, n + 1)
    ]
    if len(refusals) != 1 or any(word.text in alternatives for word in words):
        return None
    verb = refusals[0] + 1
    no = next((n for n in range(verb - 1, max(verb - 4, -1), -1) if not n or words[n].breaks), None)
    if no is None:
        return None
    at = next((n for n in range(verb, total) if words[n].breaks), total)
    begin = at + (at < total and words[at].text in language.file.joins)
    if begin < total and words[at].breaks == 1 and _is_verb(mentions, begin):
        refused, order, spans = (no, at), (begin, total), [(0, no), (begin, total)]
    elif at == total and words[no].breaks == 1:
        refused, order, spans = (no, total), (0, no), [(0, no)]
    else:
        return None
    heads = [
        n for n in range(*order) if _is_verb(mentions, n) and (n == order[0] or words[n].breaks)
    ]
    mark = _Mark(begin, begin, strong=False)
    made = _heard_so(mentions, text, mark, spans, " ", listen)
    start = words[refused[0]].start
    left = listen(text[start : words[refused[1] - 1].end], mentions.context)
    orders = [act for act in made.acts if act.fields.get("task")] if made is not None else []
    things = {thing for first, _, thing in _named(mentions, "", refused[1]) if first >= refused[0]}
    if (
        made is None
        or len(heads) > 1
        or left.left_over
        or not orders
        or not things
        or len(orders) < len(made.acts)
        or any(act.fields.get("task") or act.kind in _ANSWERS for act in left.acts)
        or any(not things.isdisjoint(_things_of(act)) for act in orders)
    ):
        return None
    moved = [replace(act, start=start + act.start, end=start + act.end) for act in left.acts]
    acts = sorted((*moved, *orders), key=lambda act: act.start)
    return Hearing(text, tuple(acts), (), made.held_back + left.held_back)


def _things_of(order: FoundAct) -> set[object]:
    args = order.fields.get("args")
    return {*args.values()} if isinstance(args, Mapping) else set()


def _is_amount(mentions: Mentions, text: str, mark: _Mark) -> bool:
    """Whether only an amount, of a thing named before, stands behind words that correct."""
    words, at = mentions.words, mark.end
    named = {thing for _, _, thing in _named(mentions, "", mark.first)}
    total = len(words)
    for phrase in mentions.lexicon.language.polite:
        if at < total - len(phrase) and stands(words, total - len(phrase), phrase):
            total -= len(phrase)
    if _numbers(mentions, words[at : at + 1]) and not mentions.find("", at):
        ends = [at + 1, *(end for end, thing in mentions.find("", at + 1) if thing in named)]
        if total in ends:
            return True
    rest = text[words[at].start : words[total - 1].end].lower()
    how_much = mentions.lexicon.language.file.amounts
    return how_much is not None and any(
        re.fullmatch(one, said) for one in how_much for said in (rest, f"for {rest}")
    )


def _is_sentence(mentions: Mentions, text: str, at: int) -> bool:
    """Whether a sentence begins at a word; after dots ("er... the salt") one goes on."""
    words = mentions.words
    between = text[words[at - 1].end : words[at].start] if at else ""
    return words[at].breaks > 1 and ".." not in between and "…" not in between


def _numbers(mentions: Mentions, words: Sequence[SpokenWord]) -> int:
    """How many words are numbers."""
    known = mentions.lexicon.language.file.numbers
    return sum(word.text.isdecimal() or word.text in known for word in words)


def _replaced(mentions: Mentions, first: int, begin: int) -> Iterator[tuple[int, list[Span]]]:
    """Where words that stand at `begin` end, and words of their kind before `first`, best first."""
    words, language = mentions.words, mentions.lexicon.language
    if _is_verb(mentions, begin):
        yield begin + 1, [(n, n + 1) for n in range(first - 1, -1, -1) if _is_verb(mentions, n)]
        return
    for kind in ("Agent", "Recipe"):
        for stop, _ in mentions.find(kind, begin)[:1]:
            yield stop, [(start, end) for start, end, _ in _named(mentions, kind, first)]
    own, types = _named(mentions, "", first), mentions.lexicon.types
    leads = begin + (words[begin].text in language.file.places)
    for stop, things in mentions.lists("", leads, language.adding):
        assert isinstance(things, tuple)
        several = own[: len(things)][::-1]
        if len(things) == 1:
            alike = sorted(own, key=lambda one: types[one[2]] != types[things[0]])
            before = leads - begin
            yield (
                stop,
                [
                    (start - before, end)
                    for start, end, _ in alike
                    if not before or words[start - 1].text in language.file.places
                ],
            )
        elif len(several) == len(things) and all(
            language.adding.issuperset(word.text for word in words[one[1] : next_[0]])
            for one, next_ in pairwise(several)
        ):
            yield stop, [(several[0][0], several[-1][1])]


def _named(mentions: Mentions, kind: str, first: int) -> list[tuple[int, int, str]]:
    """What is named before a word, the last first: where it begins, ends, and which it is."""
    found: list[tuple[int, int, str]] = []
    at = 0
    while at < first:
        ends = [(end, str(name)) for end, name in mentions.find(kind, at) if end <= first]
        found += [(at, *ends[0])] if ends else []
        at = ends[0][0] if ends else at + 1
    return found[::-1]


def _left_out(mentions: Mentions, begin: int) -> tuple[int, str] | None:
    """The thing that is named as wrong ("not the salt"), and where the right one stands."""
    words, language = mentions.words, mentions.lexicon.language
    if begin < len(words) and (words[begin].text,) in language.negations:
        for end, thing in mentions.find("", begin + 1)[:1]:
            return end + (end < len(words) and words[end].text in language.file.joins), str(thing)
    return None


def _heard_so(
    mentions: Mentions,
    text: str,
    mark: _Mark,
    pieces: Sequence[Span],
    join: str,
    listen: Listen,
) -> Hearing | None:
    """What is heard of these pieces of an utterance, if that explains all of its words."""
    words = mentions.words
    said = [(words[a].start, words[b - 1].end) for a, b in pieces if a < b]
    meant, spans = "", list[tuple[int, int, int]]()
    for start, end in said:
        meant += join if meant else ""
        spans.append((len(meant), start, end))
        meant += text[start:end]
    heard = listen(meant, mentions.context)
    kinds = {act.kind for act in heard.acts} | {act.kind for act in heard.held_back}
    if not kinds or heard.left_over or kinds & _ANSWERS or any(act.wild for act in heard.acts):
        return None

    def placed(act: FoundAct) -> FoundAct:
        own = [
            (start + max(act.start - at, 0), min(start + act.end - at, end))
            for at, start, end in spans
            if at < act.end and act.start < at + end - start
        ]
        return replace(act, start=min(own)[0], end=max(end for _, end in own))

    acts = tuple(map(placed, heard.acts))
    return Hearing(text, acts, (), withdrawn=words[mark.first].start if mark.strong else 0)


def _only_order(heard: Hearing) -> FoundAct | None:
    """The order that an utterance is, if it is one and nothing else."""
    if len(heard.acts) != 1 or heard.held_back:
        return None
    return next((act for act in heard.acts if act.fields.get("task")), None)


def _work_of(order: FoundAct, mentions: Mentions) -> TalkSubtask | None:
    """The order as work that was asked for, if its words name it again."""
    task, args = order.fields["task"], order.fields.get("args")
    things = args if isinstance(args, Mapping) else {}
    agent = order.fields.get("agent")
    for one in mentions.context.tasks:
        for says in one.says if one.name == task else ():
            words = says
            for name, thing in things.items():
                words = words.replace(f"<{name}>", str(thing))
            said = mentions.lexicon.of_subtask(words).said
            if said is not None and (said.task, dict(said.args)) == (task, dict(things)):
                named = agent if isinstance(agent, str) else None
                return TalkSubtask(_ID, words, "queued", named, asked=True)
    return None


def _corrections(tail: Hearing, order: FoundAct) -> Iterator[FoundAct]:
    """The orders of a correction, to whom the first was given if they name nobody."""
    orders = [act for act in tail.acts if act.fields.get("task")]
    if not all(act in orders or act.fields.get("subtasks") == [_ID] for act in tail.acts):
        return
    if orders and _corrects(orders[0]):
        agent = order.fields.get("agent")
        for act in orders:
            own = act.fields.get("agent") or agent
            yield replace(act, fields={**act.fields, "agent": own}, others=())
    elif tail.acts and not orders and "{relieved}" in tail.acts[0].template:
        yield replace(order, fields={**order.fields, "agent": None}, others=())


def is_without(mentions: Mentions, at: int) -> bool:
    """Whether words leave out a thing: "no pepper", but not "no, the pepper" or "no crate 17"."""
    language, words = mentions.lexicon.language, mentions.words
    if (words[at].text,) not in language.negations or at + 1 == len(words):
        return False
    if words[at + 1].breaks or words[at + 1].text in language.articles:
        return False
    things = {str(thing) for _, thing in mentions.find("", at + 1)}
    return any(re.match(language.file.definite[0], thing) for thing in things)


def is_withdrawn(mentions: Mentions, at: int) -> bool:
    """Whether words leave out a thing that was named before: "salt and milk, not the milk".

    What was named behind a "no" or "not" was not asked for: "I'm not allowed cheese, so no cheese".
    """
    language, words = mentions.lexicon.language, mentions.words
    if (words[at].text,) not in language.negations or at + 1 == len(words):
        return False
    if words[at + 1].breaks:
        return False
    things = {thing for _, thing in mentions.find("", at + 1)}
    meant = takewhile(lambda n: (words[n].text,) not in language.negations, range(at))
    return not things.isdisjoint(thing for n in meant for _, thing in mentions.find("", n))


def _leaves_out(mentions: Mentions, at: int) -> bool:
    return is_without(mentions, at) or is_withdrawn(mentions, at)


def _corrects(act: FoundAct) -> bool:
    return any(slot in act.template for slot in _SLOTS)


def _is_verb(mentions: Mentions, at: int) -> bool:
    """Whether a task's verb stands here as orders say it."""
    return any(one.base for one in mentions.lexicon.tasks.get(mentions.words[at].text, ()))
