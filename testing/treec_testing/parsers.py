"""The trials of parsers, and the sentences and contexts that these are given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from treec.foreign import kind_of
from treec.team.talk import TalkAgent, TalkContext, TalkObject, TalkProposal, TalkTask
from treec.world.values import freeze
from treec_asking.marks import find_quote
from treec_testing.isolation import contain
from treec_testing.trial import PARSER, Misbehaviour, trial

QUICK = 2.0
"""Real seconds within which a long text is read."""

GENERIC_CONTEXT = TalkContext(
    agents=(TalkAgent("R1", ("robot one",)), TalkAgent("R2"), TalkAgent("user", person=True)),
    user="user",
    proposals=(),
    subtasks=(),
    recipes=("Morning Orders",),
    recipe_name="",
    tasks=(TalkTask("fetch", ("get {item}", "bring {item}"), {"item": "Item"}),),
    objects=(TalkObject("crate", ("box",), ("Item",)), TalkObject("dock", (), ("Place",))),
    acts=("accept", "decline", "request", "stop", "resume", "ask", "remark"),
)
"""The context for a parser that no reading names."""

SENTENCES = (
    *("yes", "no, thanks", "yes, but not the first one", "stop", "go on", "forget it"),
    *("what are you doing?", "hello there", "Please do that. And then the other one, too."),
)
"""What people say everywhere."""

STRANGE_TEXTS = (
    *("", " ", "\n\n\t", "...", '""', "停止!", "стоп", "قف", "🤖 stop 🛑", "Sto\u0301p", "İİ stop"),
    *("\u202estop\u202c", "stop\u200b now", "STRASSE ß", "\ufeffstop", "stop\x00", "a\r\nb\x0bc"),
    *("\x1b[31mstop\x1b[0m", "\ud800 stop", "{item}", "{{ agents }}", "%s %(x)s", "\\1 \\g<0>"),
    *("(", "[", "*", '{"kind": "stop"}', "get the [box|crate]", "{0.__class__}"),
)
STRANGE_NAMES = ("R(1", "a*", "[x", "Große Kiste", "\\", "R+2", "?")


@dataclass
class ParserBench:
    """A parser, and the context in which it reads.

    ``judge`` says why an act of a text is not one of its reading, or nothing.
    """

    code: Callable[[str, TalkContext], Any]
    context: TalkContext = GENERIC_CONTEXT
    judge: Callable[[Mapping[str, Any], str], str] = lambda act, text: ""

    def read(self, text: str, context: TalkContext) -> Any:
        """What it makes of a text. Raises Misbehaviour."""
        return contain(f"reading {_shown(text)}", self.code, text, context, at_once=QUICK)

    def acts(self, text: str, context: TalkContext) -> list[dict[str, Any]]:
        """The acts that it finds. Raises Misbehaviour unless they are mappings with texts."""
        acts = self.read(text, context)
        if not isinstance(acts, list | tuple):
            raise Misbehaviour(f"{_shown(text)} gave {kind_of(acts)}, not a list")
        for act in acts:
            is_act = isinstance(act, Mapping) and isinstance(act.get("kind"), str)
            if not is_act or not isinstance(act.get("quote"), str):
                what = f"{_shown(text)} gave the act {act!r}, not a mapping with `kind` and `quote`"
                raise Misbehaviour(what)
        return [*acts]

    def ordinary(self) -> Iterator[tuple[str, TalkContext]]:
        """Ordinary sentences about what is there, also while a proposal is open."""
        names = [agent.name for agent in self.context.agents if not agent.person] or ["R1"]
        thing = next((thing.name for thing in self.context.objects), "crate")
        patterns = [pattern for task in self.context.tasks for pattern in task.says][:30]
        asked = [re.sub(r"{.*?}", thing, re.sub(r"[][|]", " ", text)) for text in patterns]
        told = [f"{name}, {words}" for name in names for words in ("stop!", *asked[:3])]
        recipes = [f"let's make {recipe}" for recipe in self.context.recipes[:5]]
        proposals = (TalkProposal("p1", names[0], "t1", "get the crate"),)
        for context in (self.context, replace(self.context, proposals=proposals)):
            for text in (*SENTENCES, *asked, *told, *recipes):
                yield text, context


@trial("P01", PARSER)
def any_words(bench: ParserBench) -> None:
    """Ordinary sentences are read, and texts without words, of other scripts, with braces and NUL.

    Also where nobody is there, and where names have brackets and stars. Words that are not
    understood give no act, or a remark; an exception loses all that was said. Words and names are
    data, never a format or a regular expression::

        re.search(rf"\\b{re.escape(agent.name)}\\b", text)
    """
    for text, context in bench.ordinary():
        bench.read(text, context)
    agents = tuple(replace(agent, name=f"{agent.name}(1") for agent in bench.context.agents)
    pairs = zip(bench.context.objects, STRANGE_NAMES, strict=False)
    objects = tuple(replace(thing, name=name, also=(name.upper(),)) for thing, name in pairs)
    nobody = TalkContext((), "user", (), (), (), "", (), (), bench.context.acts)
    for context in (nobody, replace(bench.context, agents=agents, objects=objects)):
        for text in (*SENTENCES, *STRANGE_TEXTS, *STRANGE_NAMES):
            bench.read(text, context)


@trial("P02", PARSER)
def acts_are_of_the_reading(bench: ParserBench) -> None:
    """The acts are compared with the reading, and their quotes with what was said.

    Each is a mapping of plain data with a `kind` that the reading declares (`context.acts`), the
    fields of that kind, and a `quote`: a part of the text, word for word, never written anew.
    Offsets in `text.lower()` are not those of the text, since `"İ".lower()` is longer::

        {"kind": "stop", "quote": text[match.start() : match.end()], "agent": None}
    """
    for text, context in (*bench.ordinary(), *((text, bench.context) for text in STRANGE_TEXTS)):
        for act in bench.acts(text, context):
            quote, kind, why = act["quote"], act["kind"], ""
            if not find_quote(quote, text):
                why = f"it quotes {quote!r}, which was not said"
            elif kind not in context.acts:
                why = f"it gave an act of kind {kind!r}; there are: {', '.join(context.acts)}"
            elif context is bench.context:
                why = bench.judge(act, text)
            if why:
                raise Misbehaviour(f"of {_shown(text)} {why}")
            try:
                freeze(dict(act))
            except ValueError as error:
                raise Misbehaviour(f"of {_shown(text)} {error}") from None


@trial("P03", PARSER)
def has_no_memory(bench: ParserBench) -> None:
    """Sentences are read again, in another order, after the caller has changed the acts.

    The same words in the same context are the same acts: no chance, no clock, nothing that the
    module keeps or hands out twice; and the context stays as it is. What was said before is in the
    context, if it counts::

        def read(text: str, context: TalkContext) -> list[dict[str, object]]:
            acts: list[dict[str, object]] = []
    """
    untouched, first = deepcopy(bench.context), []
    for text, context in bench.ordinary():
        acts = bench.acts(text, context)
        first.append((text, context, deepcopy(acts)))
        for act in acts:
            act["changed"] = True
    for text, context, before in reversed(first):
        if bench.acts(text, context) != before:
            raise Misbehaviour(f"the second time {_shown(text)} gave other acts")
    if bench.context != untouched:
        raise Misbehaviour("it changed the context")


@trial("P04", PARSER)
def is_quick(bench: ParserBench) -> None:
    """Long texts are read: ten thousand words, and letters, blanks and commas that repeat.

    The time does not grow faster than the text: no expression repeats what repeats itself, such as
    `(a+)+` or `(\\w+\\s*)+$`; read the beginning only, if need be::

        text = text[:2000]
    """
    texts = [part * 30 + end for part, end in (("a", "!"), ("a ", "\0"), ("1", "x"), ("no ", "?"))]
    texts += [part * 1_500 + "stop" for part in (" ", ",", "(", '"', "and ", "\n")]
    texts += [part * 2_000 for part in ("get the crate and then ", "Stop. Get the box! ", "a" * 50)]
    for text in texts:
        bench.read(text, bench.context)


def _shown(text: str) -> str:
    return repr(text) if len(text) <= 40 else f"{text[:30]!r}… ({len(text):,} characters)"
