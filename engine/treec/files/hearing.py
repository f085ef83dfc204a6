"""The kind hearing: what people say in every domain, and how a language forms its words."""

import re
from collections.abc import Collection
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from treec.files.fields import Model, Value


def _one_word(text: str) -> str:
    if len(text.split()) != 1:
        raise ValueError(f"'{text}' must be one word")
    return text


_ATOM = r"(?:[^\\()\[\]{}?*+|^$]|\\[dDsSwW.']|\[-?[\w .,'/½¼¾⅓⅔]+-?\])[?*+]?"
_PLAIN = re.compile(rf"(?:{_ATOM})+|[|^$]|\\[bB]|(?P<open>\((?:\?[:=!])?)|(?P<close>\)[?*+]?)")


def _groups(pattern: str) -> Collection[str]:
    """The named groups of a regular expression. Raises ValueError if it is none.

    A plain one has none, and is not compiled here: that takes ten times as long.
    """
    at = depth = 0
    for part in _PLAIN.finditer(pattern):
        depth += (part.lastgroup == "open") - (part.lastgroup == "close")
        if part.start() != at or not 0 <= depth < 20:
            break
        at = part.end()
    try:
        return () if at == len(pattern) and not depth else re.compile(pattern).groupindex
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"'{pattern}' is not a regular expression: {error}") from error


def _regex(pattern: str) -> str:
    _groups(pattern)
    return pattern


Regex = Annotated[str, AfterValidator(_regex)]


def _usable_form(form: tuple[str, str]) -> tuple[str, str]:
    """A pattern that compiles and a replacement that names no other groups than it has."""
    try:
        re.sub(*form, "")
    except (re.error, IndexError) as error:
        raise ValueError(f"'{form[0]}' and '{form[1]}': {error}") from error
    return form


Unmeant = Literal[
    "negated",
    "question",
    "condition",
    "reported",
    "past",
    "recent",
    "future",
    "timed",
    "supposed",
    "unfinished",
    "correcting",
]
"""What a clause can be that is not meant; `recent` is past to an order and not to a report, what is
`unfinished` is no report, `timed` (the word number stands for any) or `correcting` no order."""


QuestionWords = Literal[
    "question",
    "polite",
    "where",
    "happened",
    "time",
    "why",
    "can",
    "who",
    "compares",
    "whether",
    "self",
    "there",
    "what",
    "doing",
    "far",
    "speaker",
    "steps",
    "here",
    "named_before",
    "hearer",
    "doer",
    "answer",
    "report",
    "again",
    "prohibition",
]
"""What words of a question ask for or speak of. `where` and `there` have a group `thing`, which is
what they name; `there` has a group `count`, which is said where it is asked how many there are."""
StopSort = Literal[
    "stop",
    "unlike",
    "beside",
    "answers",
    "negations",
    "through",
    "cries",
    "nouns",
    "undone",
    "objects",
    "later",
    "emphasis",
]
"""How words bear on a stop. `unlike` are a letter away from one and none; `beside` may stand beside
one, `cries` before it in its clause, `objects` behind it, `answers` before it with a comma, as a
name does. A negation, of which one that begins with * is an ending, reaches it `through` words.
Right behind `nouns` it is a noun or is told, beside `later` it is not for now, and `undone` is what
no robot does, though it ends like what one does. `emphasis`, regular expressions, says it again."""
Pleasantry = Literal["hello", "very_well", "welcome", "all_right", "goodbye"]


_GROUPS = {"where": {"thing"}, "there": {"thing", "count"}}


def _usable_words(said: dict[QuestionWords, list[str]]) -> dict[QuestionWords, list[str]]:
    """Patterns that compile together, with the groups that are read."""
    for name, texts in said.items():
        try:
            groups = _groups("|".join(texts))
        except ValueError as error:
            raise ValueError(f"'{name}': {error.__cause__}") from error
        if missing := sorted(_GROUPS.get(name, set()).difference(groups)):
            raise ValueError(f"'{name}' needs a group (?P<{missing[0]}>…)")
    return said


def _usable_stops(said: dict[StopSort, list[str]]) -> dict[StopSort, list[str]]:
    """Emphasis that compiles."""
    try:
        _groups("|".join(said.get("emphasis", ())))
    except ValueError as error:
        raise ValueError(f"'emphasis': {error.__cause__}") from error
    return said


class SaidForm(Model):
    """A sentence template with what it stands for beyond its slots."""

    says: str | list[str] = Field(description='The template, or several: "[please] get {item}"')
    fields: dict[str, Value] = Field(
        {}, description="Fields of the act that are always so: {first: true}"
    )
    needs: Literal["running", "stopped", "proposals", "offered", "one_offered"] | None = Field(
        None,
        description="When it can be meant at all: a robot works, one was stopped, a proposal is "
        "open, recipes were offered, a single one was.",
    )


SentenceTemplate = Annotated[
    str | SaidForm,
    Field(description="A sentence template: [optional] (one|or another) {slot} <rule>"),
]

Hears = dict[str, list[SentenceTemplate]]


class HearingFile(Model):
    """What people say in every domain: shared templates, and the words of a language."""

    hearing: str
    about: str
    language: str = Field("en", description="Its code.")
    spellings: dict[str, str] = Field(
        {},
        description="How a word is written out before it is matched: {i'll: i will}; a star is any "
        'beginning: {"*\'ll": "* will"}',
    )
    rules: dict[str, str] = Field(
        {}, description="Parts of templates by name: {could: (can|could) you}, used as <could>."
    )
    articles: list[str] = Field([], description="Words that may stand before a name.")
    amounts: tuple[Regex, Regex] | None = Field(
        None, description="How much, before a name, and how long, after it: regular expressions."
    )
    determiners: list[str] = Field(
        [], description="Other words that may stand before what goes by no name: [any, each]"
    )
    endings: list[str] = Field([], description="Endings in which a name may differ: [s, es]")
    plural: Regex | None = Field(
        None, description="How a name of several ends, a regular expression."
    )
    definite: Annotated[tuple[str, str], AfterValidator(_usable_form)] = Field(
        ("^", ""),
        description='How a thing is called in a sentence, as pattern and replacement: [^, "the "]',
    )
    numbers: dict[str, int] = Field({}, description="Words for numbers: {two: 2}")
    numbered: list[str] = Field(
        [], description="What a robot with a number is also called: [robot {number}, ...]"
    )
    forms: list[Annotated[tuple[str, str], AfterValidator(_usable_form)]] = Field(
        [], description="Other forms of a verb, as pattern and replacement: [e$, ed]"
    )
    irregular: dict[str, list[str]] = Field({}, description="Forms of verbs that follow no rule.")
    synonyms: dict[str, list[str]] = Field(
        {}, description="What people say for a word of a task's `says`: {fetch: [go and get]}"
    )
    wishes: list[str] = Field(
        [], description="Words of tasks that a wish for a thing alone asks for: [get, bring, fetch]"
    )
    speaker: list[str] = Field([], description="Words for the person who speaks: [i, me]")
    all: list[str] = Field([], description="Words for all that is meant: [both, all of them]")
    pronouns: list[str] = Field(
        [], description="Words for a thing that was named before: [it, them]"
    )
    particles: list[Annotated[str, AfterValidator(_one_word)]] = Field(
        [], description="Short words that may stand around the thing of a verb: [in, up]"
    )
    everyone: list[str] = Field(
        [], description="Words for all robots, each of whom is meant: [everyone, all of you]"
    )
    someone: list[str] = Field(
        [], description="Words for whichever robot can, who was not spoken to before: [someone]"
    )
    others: dict[Literal["any", "agent"], list[str]] = Field(
        {}, description="Words for the only other thing or robot: {any: [the other one]}"
    )
    times: dict[Literal["then", "before", "after", "instead"], list[str]] = Field(
        {},
        description="Words that say what is to be done after what, between orders or in front of "
        "one, or in place of what: {then: [after that], before: [before], after: [once]}",
    )
    excepting: list[str] = Field(
        [], description="Words that leave out whom they stand before: [except, all but]"
    )
    beside: list[str] = Field(
        [], description="Words before what only tells where a thing is: [next to, left of]"
    )
    directions: dict[Literal["left", "right", "nearest", "farthest"], list[str]] = Field(
        {},
        description="Which of things that are alike is meant, by where the scene has them; left "
        "is the speaker's: {left: [left {thing}], nearest: ['{thing} nearest to {place}']}",
    )
    lending: list[Annotated[str, AfterValidator(_one_word)]] = Field(
        [], description='Verbs that take the noun of another: [give], as in "give it a trim".'
    )
    receivers: list[Annotated[str, AfterValidator(_one_word)]] = Field(
        [], description='Words behind a verb for whom it is done: [me, us], as in "get me".'
    )
    anything: list[str] = Field(
        [],
        description="Words for things without naming any: [stuff, items]. A request with these "
        "alone does not order a thing.",
    )
    no_things: list[str] = Field(
        [],
        description="Words that are no thing's name, nor a part of one: pronouns, and what is "
        "taken, had or given: [me, break]",
    )
    places: list[str] = Field(
        [], description="Words behind a thing, before where it is to be: [into, from]"
    )
    states: list[str] = Field(
        [], description="Words between a thing and what was done to it: [is, has been]"
    )
    ordinals: dict[str, int] = Field(
        {}, description="Words that count what was named; -1 is the last: {first one: 1}"
    )
    fillers: list[str] = Field([], description="Words between acts that change nothing.")
    joins: list[Annotated[str, AfterValidator(_one_word)]] = Field(
        [], description="Words after which another act may begin: [and, but]"
    )
    guards: list[str] = Field(
        [],
        description="Words that, where no template explains them, keep their sentence from being "
        "an order or an answer: [if, unless, said]",
    )
    careful: list[str] = Field(
        [], description="The kinds of acts that these guards keep back: [accept, request]"
    )
    careful_after: list[str] = Field(
        [], description="The kinds that a guard keeps back only where it stands before them: [stop]"
    )
    unmeant: dict[Unmeant, list[str]] = Field(
        {},
        description="Words that keep their clause from being meant as an order or an answer, by "
        "what they say of it: {condition: [if, unless], reported: [says, the label]}. Where they "
        "stand the network hears none, and what a model reads there is refused.",
    )
    asking: list[str] = Field(
        [], description="Words with which a question asks for something to be done: [could, shall]"
    )
    own_words: dict[str, list[str]] = Field(
        {},
        description="Templates of words that say a kind of act: a yes, a report and a go-on that a "
        'model reads have one, {resume: ["go on", continue]}.',
    )
    letting: list[Annotated[str, AfterValidator(_one_word)]] = Field(
        [], description='Words before whoever is to do something: [let], as in "let me".'
    )
    addressing: list[Annotated[str, AfterValidator(_one_word)]] = Field(
        [], description="Words for whoever was named before: [you, she]"
    )
    listing: list[Annotated[str, AfterValidator(_one_word)]] = Field(
        [], description="Joins that carry on what was said before them: [and, or]"
    )
    lasting: list[str] = Field(
        [],
        description="Guards that behind a stop say how long it lasts, and keep none back: [until]",
    )
    polite: list[str] = Field(
        [], description="Words that contain one of these, or a guard, and are none: [if you could]"
    )
    progressive: list[str] = Field([], description="Endings of a verb for what is going on: [ing]")
    stops: Annotated[dict[StopSort, list[str]], AfterValidator(_usable_stops)] = Field(
        {},
        description="The words by which a stop is heard before any template and without a model: "
        "{stop: [stop, halt], unlike: [step], beside: [now]}; without `stop`, those of English.",
    )
    questions: Annotated[dict[QuestionWords, list[str]], AfterValidator(_usable_words)] = Field(
        {},
        description="By what a question is told from other words, and what it asks for, which the "
        "state answers: {why: [why, how come]}; regular expressions of whole words.",
    )
    pleasantries: dict[Pleasantry, list[Regex]] = Field(
        {}, description="The clauses to which one of the sentences is said: {welcome: [thanks]}"
    )
    trailing: list[str] = Field(
        [], description="Words that may follow what a question names: [here, in stock]"
    )
    network: str | None = Field(
        None,
        description="Weights that `experiments.hearing.train` wrote, beside this file or "
        "PACKAGE:FILE of an installed package: they choose where templates are silent. They are "
        "used where numpy is installed (extra `hear`).",
    )
    hears: Hears = Field({}, description="Templates for each kind of act.")
