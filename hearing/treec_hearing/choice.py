"""Choosing the acts of an utterance by the scores of its candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import cast

from treec.team.spoken_words import SpokenWord, stands
from treec_hearing.candidates import (
    AGENT,
    COUNT,
    OTHER_AGENT,
    OTHER_THING,
    OWN,
    PART,
    TASK,
    THING,
    Candidate,
    CandidateNames,
    CandidateScore,
)
from treec_hearing.heard import CONFIDENT, LIKELY, NEVER, FoundAct
from treec_hearing.mentions import Mentions

POSSIBLE = 0.2
"""From here on an act that was not chosen is reported as another possibility."""
STRICT = frozenset({"accept", "request", "resume", "stop"})
_AGREED = ("accept", "request")
"""Kinds that need only be likely where a template says the same."""
_PROPOSED = (THING, PART, AGENT)
"""Marks of words that name what an answer is about, or whose work it is."""
_ONE = ("choose", "ask")
_FIRM = frozenset({"choose"})
"""Kinds that need only be likely, but that nobody means where a firm guard stands."""


def choose(
    scores: Sequence[CandidateScore],
    found: Sequence[Candidate],
    names: CandidateNames,
    mentions: Mentions,
    joins: frozenset[str],
    needed: Callable[[str, int], float],
    said: Sequence[FoundAct] = (),
) -> list[FoundAct]:
    """The likely acts that go together, in the order of their words.

    What templates say, too (`said`), need only be likely where no guard stands.
    `needed` tells how likely an order or answer of a kind must be that rests on a word.
    """
    ranked = sorted(zip(scores, found, strict=True), key=lambda one: -one[0].likely)
    clauses = list(_clauses(mentions.words, joins))
    chosen: list[tuple[FoundAct, Candidate]] = []
    for score, candidate in ranked:
        if score.likely < POSSIBLE:
            break
        if candidate.kind == "choose" and not _is_meant(candidate, mentions.context.offered):
            continue
        if candidate.kind == "request" and _means_another(
            candidate, score, found, mentions, clauses
        ):
            continue
        if candidate.kind in ("request", "accept") and _tells_where(candidate, mentions):
            continue
        if _only_corrects(candidate, score, names, mentions):
            continue
        if _wishes_for_another(candidate, names, mentions, clauses):
            continue
        if _asks_for_anything(candidate, score, names, mentions, clauses, joins):
            continue
        if candidate.kind == "stop" and _begins_an_order(names, mentions, score, clauses):
            continue
        act = _act(score, candidate, mentions.words, clauses)
        rival = next((at for at, (_, one) in enumerate(chosen) if _excludes(one, candidate)), None)
        if rival is not None:
            best, own = chosen[rival]
            chosen[rival] = (_with_other(best, act), own)
        elif score.likely >= _needed(candidate, needed(candidate.kind, score.word), said):
            chosen.append((act, candidate))
    others = [*said, *(act for act, one in chosen if one.kind != "accept")]
    likely = {id(candidate): score for score, candidate in ranked}
    chosen = [
        (act, one)
        for act, one in chosen
        if one.kind != "accept"
        or not _is_turned(one, likely[id(one)], ranked, mentions, clauses, others)
    ]
    chosen = _not_yet_done(_in_progress(chosen, names), names)
    return sorted(_joined(act for act, _ in chosen), key=lambda act: act.start)


def _in_progress(
    chosen: Sequence[tuple[FoundAct, Candidate]], names: CandidateNames
) -> list[tuple[FoundAct, Candidate]]:
    """Without reports of work that is neither named nor begun: "Broccoli: done."

    Of several subtasks with a thing, and no verb that says which, those are done that somebody is
    at; if nobody is, it is not known which one was meant.
    """
    subtasks = {one.id: one for one in names.context.subtasks}
    unnamed: dict[str, list[str]] = {}
    for _, one in chosen:
        if one.kind == "done" and TASK not in (mark for _, mark in one.marks):
            (id,) = cast("list[str]", one.fields["subtasks"])
            said = names.lexicon.of_subtask(subtasks[id].words).said
            if said is not None and said.args:
                unnamed.setdefault(said.args[0][1], []).append(id)
    open_: set[str] = set()
    for ids in unnamed.values():
        begun = [id for id in ids if subtasks[id].status == "running"]
        open_ |= {*ids} - {*begun} if len(ids) > 1 else set()
    return [
        (act, one)
        for act, one in chosen
        if one.kind != "done" or open_.isdisjoint(cast("list[str]", one.fields["subtasks"]))
    ]


def _not_yet_done(
    chosen: Sequence[tuple[FoundAct, Candidate]], names: CandidateNames
) -> list[tuple[FoundAct, Candidate]]:
    """Of a report of work and a yes to it only the likelier: "Finished! Rover can mow now"."""
    of = {proposal.id: proposal.subtask for proposal in names.context.proposals}
    about: list[tuple[str, str, float]] = []
    for act, one in chosen:
        if one.kind == "done":
            (subtask,) = cast("list[str]", one.fields["subtasks"])
            about.append((one.kind, subtask, act.likely))
        elif one.kind == "accept":
            (proposal,) = cast("list[str]", one.fields["proposals"])
            about.append((one.kind, of[proposal], act.likely))
        else:
            about.append((one.kind, "", act.likely))
    likeliest = {
        subtask: max(n for _, other, n in about if other == subtask) for _, subtask, _ in about
    }
    return [
        pair
        for pair, (_, subtask, likely) in zip(chosen, about, strict=True)
        if not subtask or likely == likeliest[subtask]
    ]


def _asks_for_anything(
    candidate: Candidate,
    score: CandidateScore,
    names: CandidateNames,
    mentions: Mentions,
    clauses: Sequence[tuple[int, int]],
    joins: frozenset[str],
) -> bool:
    """Whether words ask for things and name none: "get the items", "get the unicorn".

    They are no order of what they do not name, and no answer about it.
    """
    if candidate.kind not in ("request", "accept", "decline"):
        return False
    first, last = _clause_at(score.word, clauses)
    named = frozenset({THING, PART, COUNT})
    articles, known = mentions.lexicon.language.articles, mentions.lexicon.vocabulary
    verbs_too = {  # "water the plants" speaks of no water
        at
        for at in range(first, last - 1)
        if candidate.kind == "request" and mentions.words[at + 1].text in articles
    }
    if not any(
        first <= at < last and at not in verbs_too and mark in named for at, mark in candidate.marks
    ):
        verbs = names.base_verbs if candidate.kind != "decline" else set()
        if candidate.kind == "request":
            verbs = verbs | {first, first + (mentions.words[first].text in joins)}
        if any(
            mentions.words[verb + 1].text in articles and mentions.stems[verb + 2] not in known
            for verb in verbs.intersection(range(first, last - 2))
        ):
            return True
    if named.intersection(mark for _, mark in candidate.marks):
        return False
    sentence = mentions.sentence_of(mentions.words[score.word].start)
    anything = mentions.lexicon.language.anything
    base = names.base_verbs.intersection(sentence)
    return any(at > min(base, default=at) and mentions.stems[at] in anything for at in sentence)


def _only_corrects(
    act: Candidate, score: CandidateScore, names: CandidateNames, mentions: Mentions
) -> bool:
    """Whether a correction names no verb or dish: "I meant the milk" wants no milkshake."""
    sentence = mentions.sentence_of(mentions.words[score.word].start)
    if act.kind == "request":
        told = not names.base_verbs.isdisjoint(sentence)
    elif act.kind == "choose":
        recipe = act.fields.get("recipe")
        named = (of for at in sentence for _, of in mentions.find("Recipe", at))
        told = recipe is not None and recipe in named
    else:
        return False
    language = mentions.lexicon.language
    return not told and any(
        stands(mentions.words, at, one) for at in sentence for one in language.correcting
    )


def _wishes_for_another(
    act: Candidate,
    names: CandidateNames,
    mentions: Mentions,
    clauses: Sequence[tuple[int, int]],
) -> bool:
    """Whether a wish without a verb ends in a word that nothing has, behind a thing's name.

    What is wished for is the whole: "how about cheese fondue?"
    """
    if act.kind != "request":
        return False
    lexicon = mentions.lexicon
    known = (lexicon.vocabulary, lexicon.language.vocabulary)
    for at in (at for at, mark in act.marks if mark == THING):
        first, last = _clause_at(at, clauses)
        if at + 2 != last or not names.base_verbs.isdisjoint(range(first, last)):
            continue
        said = (mentions.stems[at + 1], mentions.words[at + 1].text)
        if all(words.isdisjoint(said) for words in known):
            return True
    return False


def _tells_where(act: Candidate, mentions: Mentions) -> bool:
    """Whether an act's things only tell where another is: "fetch the box next to crate 17"."""
    language, words = mentions.lexicon.language, mentions.words
    things = {at for at, mark in act.marks if mark == THING}
    for at in things:
        before = [word.text for word in words[:at] if word.text not in language.articles]
        if at - 1 not in things and not any(
            tuple(before[-len(phrase) :]) == phrase for phrase in language.beside
        ):
            return False
    return bool(things)


def _is_turned(
    yes: Candidate,
    score: CandidateScore,
    ranked: Sequence[tuple[CandidateScore, Candidate]],
    mentions: Mentions,
    clauses: Sequence[tuple[int, int]],
    said: Sequence[FoundAct],
) -> bool:
    """Whether a yes is one to something else, to somebody else, or not now: "okay, but Rover".

    A no to the same is likely, too; or words of its sentence that no other act explains name
    what nobody has proposed, say instead of what or when, or deny what is proposed.
    """
    words, language = mentions.words, mentions.lexicon.language
    sentence = mentions.sentence_of(words[score.word].start)

    def says(phrases: Iterable[tuple[str, ...]], at: int) -> bool:
        return any(stands(words, at, one) for one in phrases)

    answers = [(one, other) for one, other in ranked if "proposals" in other.fields]
    if any(
        one.likely >= LIKELY and other.fields == yes.fields and other.kind != yes.kind
        for one, other in answers
    ):
        return True
    ids = {*cast("list[str]", yes.fields["proposals"])}
    others = [
        act
        for act in said
        if act.kind != "accept"
        and ids.isdisjoint(cast("list[str]", act.fields.get("proposals") or ()))
    ]
    explained = {
        at
        for first, last in clauses
        if any(a.start < words[last - 1].end and words[first].start < a.end for a in others)
        for at in range(first, last)
    }
    rest = {*sentence} - explained
    polite = ((at, one) for at in sentence for one in language.polite if stands(words, at, one))
    denying = rest - {at + n for at, one in polite for n in range(len(one))}
    own = {at for at, mark in yes.marks if mark in _PROPOSED}
    proposed = {at for _, one in answers for at, mark in one.marks if mark in _PROPOSED}
    for at, mark in yes.marks:
        is_other = mark == OTHER_THING or (mark == OTHER_AGENT and mentions.find("Robot", at))
        if is_other and at in rest - proposed:
            return True
    if any(says(language.times.get("instead", ()), at) for at in sentence):
        return True
    turning = {p for kind in ("before", "after") for p in language.times.get(kind, ())}
    for at in denying:
        if says(turning, at) and at + 1 in sentence:
            return True
        clause = (range(first, last) for first, last in clauses if first <= at < last)
        if own.intersection(*clause) and says(language.negations, at):
            return True
    return False


def _is_meant(choice: Candidate, offered: Sequence[str]) -> bool:
    """Whether a recipe is named, in whole, in part or by its place, or is the only one offered."""
    recipe = choice.fields["recipe"]
    if recipe is None or offered == (recipe,):
        return True
    return any(mark in OWN for _, mark in choice.marks)


def _means_another(
    order: Candidate,
    score: CandidateScore,
    others: Sequence[Candidate],
    mentions: Mentions,
    clauses: Sequence[tuple[int, int]],
) -> bool:
    """Whether an order's "it" is a thing that is named before, and its own thing is not.

    "Leave the lawn, I'll do it" is about the lawn, whatever else the speaker could do.
    """
    own = {mark for _, mark in order.marks}
    if not order.fields["args"] or OTHER_THING not in own or own & {THING, PART}:
        return False
    language = mentions.lexicon.language
    first, last = _clause_at(score.word, clauses)
    pronouns = [
        at
        for at in range(first, last)
        if (mentions.words[at].text,) in language.pronouns
        and mentions.words[at].text not in language.articles
    ]
    return bool(pronouns) and any(
        at < pronouns[0] and mark == THING
        for other in others
        if other.kind == "request" and other.fields["task"] == order.fields["task"]
        for at, mark in other.marks
    )


def _begins_an_order(
    names: CandidateNames,
    mentions: Mentions,
    score: CandidateScore,
    clauses: Sequence[tuple[int, int]],
) -> bool:
    """Whether a clause begins with a task's verb, or speaks of another one.

    "Rover, mow the moon" and "no, the other one" are no stop.
    """
    others = mentions.lexicon.language.others.values()
    sentence = mentions.sentence_of(mentions.words[score.word].start)
    if any(stands(mentions.words, at, one) for at in sentence for of in others for one in of):
        return True
    first, _ = _clause_at(score.word, clauses)
    ends = [end for end, _ in mentions.find("Agent", first)]
    return any(at in names.base_verbs for at in (first, *ends) if at < len(mentions.words))


def _needed(candidate: Candidate, strict: float, said: Sequence[FoundAct]) -> float:
    kind = candidate.kind
    if kind not in STRICT:
        return strict if strict >= NEVER and kind in _FIRM else LIKELY
    if (
        kind in _AGREED
        and strict <= CONFIDENT
        and any(one.kind == kind and one.fields == candidate.fields for one in said)
    ):
        return LIKELY
    return CONFIDENT if kind == "stop" and strict < NEVER else strict


def _with_other(act: FoundAct, other: FoundAct) -> FoundAct:
    return FoundAct(
        act.kind, act.fields, act.start, act.end, "", (), (*act.others, other), act.likely
    )


def _clause_at(at: int, clauses: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The clause that a word is in."""
    return next(one for one in clauses if one[0] <= at < one[1])


def _act(
    score: CandidateScore,
    candidate: Candidate,
    words: Sequence[SpokenWord],
    clauses: Sequence[tuple[int, int]],
) -> FoundAct:
    """The act, with the clauses that it rests on as its words."""
    fields = dict(candidate.fields)
    if "first" in fields:
        fields["first"] = score.first > 0.5
    own = {at for at, mark in candidate.marks if mark in OWN}
    home = _clause_at(score.word, clauses)
    sentence = _sentence(words, score.word)
    near = [one for one in clauses if own & {*range(*one)} and _sentence(words, one[0]) == sentence]
    first, last = min([home, *near])[0], max(end for _, end in [home, *near])
    span = words[first].start, words[last - 1].end
    return FoundAct(candidate.kind, fields, *span, "", likely=score.likely)


def _clauses(words: Sequence[SpokenWord], joins: frozenset[str]) -> Iterator[tuple[int, int]]:
    first = 0
    for at in range(1, len(words) + 1):
        if at == len(words) or words[at].breaks or words[at].text in joins:
            yield first, at
            first = at


def _sentence(words: Sequence[SpokenWord], at: int) -> int:
    while at > 0 and words[at].breaks < 2:
        at -= 1
    return at


def _excludes(one: Candidate, other: Candidate) -> bool:
    """Whether both cannot be meant: a yes and a no to one proposal, an order to two agents."""
    if one.kind in _ONE and one.kind == other.kind:
        return True
    if {one.kind, other.kind} == {"stop", "resume"}:
        return one.fields["agent"] == other.fields["agent"]
    for name in ("proposals", "subtasks"):
        if name in one.fields and one.fields[name] == other.fields.get(name):
            return True
    if one.kind != "request" or other.kind != "request":
        return False
    if one.fields["task"] != other.fields["task"]:
        return False
    mine, its = (cast("Mapping[str, str]", it.fields["args"]) for it in (one, other))
    same = set(mine.values()) == set(its.values())
    return same or mine.items() <= its.items() or its.items() <= mine.items()


def _joined(acts: Iterator[FoundAct]) -> Iterator[FoundAct]:
    """A yes to two proposals in the same words is one act, and so are reports and nos."""
    found: dict[object, FoundAct] = {}
    for act in acts:
        name = next((name for name in ("proposals", "subtasks") if name in act.fields), None)
        key = (act.kind, act.start, act.end) if name else (act.kind, len(found))
        if name and key in found:
            both = [
                *cast("list[str]", found[key].fields[name]),
                *cast("list[str]", act.fields[name]),
            ]
            likely, others = min(act.likely, found[key].likely), found[key].others + act.others
            act = FoundAct(
                act.kind, {name: sorted(both)}, act.start, act.end, "", (), others, likely
            )
        found[key] = act
    yield from found.values()
