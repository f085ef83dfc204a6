"""The trials of parsers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from treec.conformance.parser_bench import (
    EMPTY_CONTEXT,
    Heard,
    ParserBench,
    require_read,
    shown,
)
from treec.conformance.trial import Misbehaviour, NotTried, Trials
from treec.source.marks import find_quote
from treec.world.values import freeze

PARSERS = Trials("parser")


@PARSERS("P01")
def is_called_with_two(bench: ParserBench) -> None:
    """The parser is called with a text and a context.

    It is a function of the words and the situation, and nothing else::

        def read(text: str, context: TalkContext) -> list[dict[str, object]]: ...

    """
    if not callable(bench.parser):
        raise Misbehaviour("it cannot be called")
    heard = bench.read("hello")
    if isinstance(heard.error, TypeError) and heard.place is None:
        raise Misbehaviour(f"calling it raised TypeError: {heard.error}")


@PARSERS("P02")
def raises_never(bench: ParserBench) -> None:
    """Ordinary sentences are read.

    Words that are not understood give no act, or a remark; an exception loses all that was said::

        return [{"kind": "remark", "quote": text}]

    """
    sentences = [(text, bench.context) for text in bench.sentences]
    heard = bench.hear(*sentences, *((text, bench.busy_context) for text in bench.sentences))
    require_read(one for one in heard if not isinstance(one.error, SystemExit))


@PARSERS("P03")
def exits_never(bench: ParserBench) -> None:
    """Ordinary sentences are read, and calls of `exit()` are caught.

    Nobody's words end the program; "stop" is an act::

        return [{"kind": "stop", "quote": "stop", "agent": None}]

    """
    for one in bench.healthy():
        if isinstance(one.error, SystemExit):
            raise Misbehaviour(f"{shown(one)} made it call exit()", one.place)


@PARSERS("P04")
def gives_a_list(bench: ParserBench) -> None:
    """What it returns is looked at.

    It is a list, which is empty if nothing was understood::

        return []

    """
    for one in bench.healthy():
        if one.error is None and not isinstance(one.acts, list | tuple):
            raise Misbehaviour(f"{shown(one)} gave {_type(one.acts)}, not a list")


@PARSERS("P05")
def acts_have_kind_and_quote(bench: ParserBench) -> None:
    """Each act is looked at.

    It is a mapping with `kind` and `quote`, both texts, and the fields of its kind::

        {"kind": "request", "quote": "get the crate", "task": "fetch"}

    """
    for one in _good_lists(bench):
        for act in one.acts:
            if not isinstance(act, Mapping):
                raise Misbehaviour(f"{shown(one)} gave {_type(act)} for an act, not a mapping")
            for name in ("kind", "quote"):
                if not isinstance(act.get(name), str):
                    raise Misbehaviour(f"{shown(one)} gave an act whose {name!r} is no text")


@PARSERS("P06")
def kinds_are_known(bench: ParserBench) -> None:
    """The kinds of the acts are compared with those of the reading.

    Only kinds that the reading declares are given; `context.acts` lists them::

        if "stop" in context.acts: ...

    """
    for one, act in _acts(bench):
        if one.context.acts and act.get("kind") not in one.context.acts:
            known = ", ".join(one.context.acts)
            raise Misbehaviour(
                f"{shown(one)} gave an act of kind {act.get('kind')!r}; there are: {known}"
            )


@PARSERS("P07")
def quotes_are_said(bench: ParserBench) -> None:
    """The quotes of the acts are looked for in the text.

    A quote is a part of what was said, word for word; do not write it anew::

        {"kind": "stop", "quote": text[match.start() : match.end()]}

    """
    for one, act in _acts(bench):
        quote = act.get("quote")
        if isinstance(quote, str) and not find_quote(quote, one.text):
            raise Misbehaviour(f"of {shown(one)} it quotes {quote!r}, which was not said")


@PARSERS("P08")
def fields_are_of_their_types(bench: ParserBench) -> None:
    """The fields of the acts are compared with the reading.

    Each field that the kind declares is there, of its type; names are those of the context::

        acts:
          stop: {agent: Robot or none}

    """
    if bench.judge is None:
        raise NotTried("no reading names it")
    for one, act in _acts(bench):
        if one.context is bench.context and act.get("kind") in one.context.acts:
            why = bench.judge(act, one.text)
            if why and not why.startswith("the quote"):
                raise Misbehaviour(f"{shown(one)}: {why}")


@PARSERS("P09")
def acts_are_plain_data(bench: ParserBench) -> None:
    """The values in the acts are looked at.

    They are texts, numbers, lists and mappings, as in JSON: no NaN, no objects, no sets::

        {"kind": "request", "quote": text, "task": task.name}

    """
    for one, act in _acts(bench):
        try:
            freeze(dict(act))
        except ValueError as error:
            raise Misbehaviour(f"{shown(one)}: {error}") from None


@PARSERS("P10")
def nothing_is_said(bench: ParserBench) -> None:
    """Texts without words are read: nothing, blanks, line breaks, full stops.

    There is nothing to quote, so that there is no act::

        words = text.split()
        if not words:
            return []

    """
    for one in _heard(bench, ["", " ", "\n\n\t", "...", "?!", "-", '""', "."]):
        if not one.text.strip() and one.known_acts:
            raise Misbehaviour(f"{shown(one)} gave an act, and nothing was said")


@PARSERS("P11")
def long_text(bench: ParserBench) -> None:
    """Long texts are read: ten thousand words, sentences, and one word of 100,000 letters.

    The time does not grow faster than the text; read its beginning only, if need be::

        text = text[:2000]

    """
    words = "get the crate and then " * 2_000
    sentences = "Stop. Get the box! " * 2_000
    for one in _heard(bench, [words, sentences, "a" * 100_000]):
        _require_quick(bench, one)


@PARSERS("P12")
def patterns_that_explode(bench: ParserBench) -> None:
    """Texts are read that are hard for regular expressions: repeated letters, blanks, commas.

    No expression repeats what repeats itself, such as `(a+)+` or `(\\w+\\s*)+$`::

        re.compile(r"[^.!?]+[.!?]?")

    """
    bench.healthy()
    for part, end in (("a", "!"), ("a ", "\x00"), ("1", "x"), ("no ", "?"), ("the ", "")):
        _require_growth(bench, part, end, range(16, 32, 2))
    for part in (" ", ",", "(", '"', "and ", "a, ", "\n"):
        _require_growth(bench, part, "stop", (50, 150, 500, 1_500))


@PARSERS("P13")
def letters_of_all_kinds(bench: ParserBench) -> None:
    """Texts in other scripts, with emoji, accents, marks of direction and letters that grow.

    Offsets in a changed text are not those of the text; `"İ".lower()` is longer than `"İ"`::

        match = re.search(r"\\bstop\\b", text, re.IGNORECASE)  # not in text.lower()

    """
    texts = ["停止!", "стоп", "قف", "🤖 stop 🛑", "Sto\u0301p", "\u202estop\u202c", "İİ stop"]
    texts += ["ﬁrst ﬀ", "stop\u200b now", "STRASSE ß", "e\u0301" * 50, "é" * 50, "\ufeffstop"]
    _require_quotes(_heard(bench, texts))


@PARSERS("P14")
def control_characters(bench: ParserBench) -> None:
    """Texts with control characters, NUL, escapes and halves of characters are read.

    They may come from a pipe; they are no words::

        text = "".join(c for c in text if c.isprintable() or c.isspace())

    """
    texts = ["\x00", "stop\x00", "\x1b[31mstop\x1b[0m", "st\x07op", "\ud800 stop", "a\r\nb\x0bc"]
    _heard(bench, [*texts, "\x7f" * 100, "stop\u2028now", "\x85"])


@PARSERS("P15")
def braces_and_quotes(bench: ParserBench) -> None:
    """Texts with braces, backslashes, quotes, templates and JSON are read.

    Words are data: never a format, a regular expression or code::

        re.escape(name)

    """
    texts = ["{item}", "{{ agents }}", "%s %d %(x)s", "\\", "\\1 \\g<0>", "(", "[", "*", "'", '"']
    texts += ['{"kind": "stop"}', "get the [box|crate]", "R1) stop", "${HOME}", "{0.__class__}"]
    _require_quotes(_heard(bench, texts))


@PARSERS("P16")
def the_same_again(bench: ParserBench) -> None:
    """The same sentences are read twice.

    The same words in the same situation are the same acts; there is no chance and no clock in it::

        return sorted(found, key=lambda act: text.index(act["quote"]))

    """
    first = _good_lists(bench)
    again = bench.hear(*((one.text, one.context) for one in first))
    for before, after in zip(first, again, strict=True):
        if before.acts != after.acts:
            raise Misbehaviour(f"the second time {shown(before)} gave other acts")


@PARSERS("P17")
def no_memory(bench: ParserBench) -> None:
    """Sentences are read in another order.

    What was said before is in the context, if it counts; keep nothing in the module::

        def read(text: str, context: TalkContext) -> list[dict[str, object]]:
            found: list[dict[str, object]] = []

    """
    first = _good_lists(bench)
    again = bench.hear(*((one.text, one.context) for one in reversed(first)))
    for before, after in zip(first, reversed(again), strict=True):
        if before.acts != after.acts:
            raise Misbehaviour(f"after other words {shown(before)} gave other acts")


@PARSERS("P18")
def result_is_the_callers(bench: ParserBench) -> None:
    """The acts are changed by the caller, and the same text is read again.

    Each call makes its acts anew; no list or mapping of the module is handed out::

        return [dict(act) for act in found]

    """
    for one in _good_lists(bench)[:10]:
        before = deepcopy(one.acts)
        first = bench.hear((one.text, one.context))[0].acts
        for act in first if isinstance(first, list | tuple) else ():
            if isinstance(act, dict):
                act["changed"] = True
        if isinstance(first, list):
            first.append("changed")
        if bench.hear((one.text, one.context))[0].acts != before:
            raise Misbehaviour(f"it gave {shown(one)} acts that the caller had changed")


@PARSERS("P19")
def context_stays_as_it_is(bench: ParserBench) -> None:
    """The context is compared before and after.

    It belongs to the run; copy what you change::

        args = dict(task.args)

    """
    own = deepcopy(bench.untouched)
    bench.hear(*((text, own) for text in bench.sentences))
    if own != bench.untouched:
        raise Misbehaviour("it changed the context")


@PARSERS("P20")
def nobody_is_there(bench: ParserBench) -> None:
    """Sentences are said where there are no agents, tasks, things and proposals.

    Nothing is taken for granted; no act speaks of who is not there::

        robots = [agent.name for agent in context.agents if not agent.person]

    """
    context = replace(EMPTY_CONTEXT, acts=bench.context.acts)
    require_read(bench.hear(*((text, context) for text in bench.sentences)))


@PARSERS("P21")
def strange_names(bench: ParserBench) -> None:
    """Agents and things have names with brackets, stars, blanks and capitals.

    Names are escaped in regular expressions, and found as they are::

        re.search(rf"\\b{re.escape(agent.name)}\\b", text)

    """
    context = bench.context
    names = ("R(1", "a*", "[x", "Große Kiste", "\\", "R+2", "?")
    agents = tuple(replace(agent, name=f"{agent.name}{names[0]}") for agent in context.agents)
    objects = tuple(
        replace(thing, name=name, also=(name.upper(),))
        for thing, name in zip(context.objects, names, strict=False)
    )
    odd = replace(context, agents=agents, objects=objects)
    texts = [*bench.sentences[:20], *(f"get the {name}" for name in names), "R1(1, stop"]
    require_read(bench.hear(*((text, odd) for text in texts)))


@PARSERS("P22")
def nothing_is_printed(bench: ParserBench) -> None:
    """Standard output is read.

    It belongs to the program, which may write JSON there; use `logging`::

        logging.getLogger(__name__).debug("not understood: %s", text)

    """
    bench.healthy()
    for watch in bench.watches:
        for text, place in watch.prints:
            raise Misbehaviour(f"it printed {text[:40]!r}", place)


@PARSERS("P23")
def process_stays_as_it_is(bench: ParserBench) -> None:
    """The process and its threads are compared before and after.

    Working directory, `os.environ`, handlers and the seed of `random` are the program's; threads
    have ended when the parser returns::

        with ThreadPoolExecutor() as pool: ...

    """
    bench.healthy()
    for watch in bench.watches:
        if watch.changes:
            raise Misbehaviour(f"it changed {', '.join(watch.changes)}")
        if watch.threads_left:
            raise Misbehaviour(f"the thread '{watch.threads_left[0]}' is still alive")


def _good_lists(bench: ParserBench) -> list[Heard]:
    heard = bench.healthy()
    return [one for one in heard if one.error is None and isinstance(one.acts, list | tuple)]


def _acts(bench: ParserBench) -> Iterator[tuple[Heard, Mapping[str, Any]]]:
    return ((one, act) for one in bench.healthy() for act in one.known_acts)


def _heard(bench: ParserBench, texts: list[str]) -> list[Heard]:
    bench.healthy()
    heard = bench.hear(*((text, bench.context) for text in texts))
    require_read(heard)
    return heard


def _require_quick(bench: ParserBench, one: Heard) -> None:
    """A busy machine may hold up one reading, but hardly three."""
    again = one
    for _ in range(2):
        if again.seconds <= bench.quick:
            return
        again = bench.hear((one.text, one.context))[0]
        require_read([again])
    if again.seconds > bench.quick:
        raise Misbehaviour(f"{shown(again)} took {again.seconds:.1f} s")


def _require_growth(bench: ParserBench, part: str, end: str, sizes: Iterable[int]) -> None:
    """Read longer and longer texts; an expression in C cannot be interrupted, so begin small."""
    for size in sizes:
        one = bench.read(part * size + end)
        require_read([one])
        _require_quick(bench, one)


def _require_quotes(heard: list[Heard]) -> None:
    for one in heard:
        for act in one.known_acts:
            quote = act.get("quote")
            if isinstance(quote, str) and not find_quote(quote, one.text):
                raise Misbehaviour(f"of {shown(one)} it quotes {quote!r}, which was not said")


def _type(value: object) -> str:
    return "None" if value is None else f"a {type(value).__name__}"
