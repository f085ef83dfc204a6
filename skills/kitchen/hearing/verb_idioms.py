"""Idioms for a task: "bring it to the boil", "get the pan hot", "salt the soup".

An idiom of the stove, the board or the sink is replaced by its verb, if the kitchen has such a
task, so that the readers of orders, answers and reports find a plain verb.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.words import word_set

_X = r"(?P<x>[XVSMI])"
_PUT = r"(?:put|set|get|stick|pop|have|place|chuck|bung|whack|throw)"
_HOB = r"(?:stove|hob|cooker|burner|heat|ring|flame|fire|gas|range|back ring|front ring)"
_TABLE: tuple[tuple[str, str], ...] = (
    ("heat", rf"{_PUT} (?P<x>[V]) on(?: to heat| to warm| to warm up| to heat up| heating)?"),
    ("heat", rf"{_PUT} (?P<x>[V]) (?:on|onto|over) (?:the |a |some )?(?:low |medium )?{_HOB}"),
    ("heat", rf"{_PUT} on (?P<x>[V])(?: to heat| to warm)?"),
    ("heat", rf"(?:put|turn|switch|get) (?:the |some )?{_HOB} on (?:under|below|beneath) {_X}"),
    ("heat", rf"(?:put|turn|switch) on (?:the |some )?{_HOB} (?:under|below|for|beneath) {_X}"),
    ("heat", rf"(?:put|get) (?:a |some |the )?(?:heat|flame|gas|fire) (?:under|below) {_X}"),
    ("heat", rf"light (?:the |a )?(?:gas|hob|flame|fire|stove|burner) (?:under|for|below) {_X}"),
    ("heat", r"(?:get|make) (?P<x>[VSX]) (?:really |properly |good and |nice and |piping |a bit )?"
             r"(?:hot|warm|warmed|heated|warmer|hotter)(?: up)?"),
    ("heat", rf"(?:warm|heat|cook) {_X} through"),
    ("heat", r"get (?P<x>[V]) (?:going|hot|warming|heating|up to heat|up to temperature)(?: up)?"),
    ("boil", rf"(?:bring|get|take) {_X} (?:up )?to (?:a|the|boiling) ?(?:rolling )?"
             r"(?:boil|point)?"),
    ("boil", rf"(?:get|set|start) {_X} (?:boiling|cooking|bubbling)"),
    ("boil", rf"{_PUT} {_X} on to boil"),
    ("boil", rf"{_PUT} (?P<x>S) on(?: to cook)?"),
    ("simmer", rf"(?:bring|get|turn|reduce|lower|take) {_X} (?:down |up )?to a (?:\w+ )?simmer"),
    ("simmer", rf"(?:let|leave|keep|set|get|have|put) {_X} (?:to )?(?:on )?(?:a )?simmer(?:ing)?"),
    ("simmer", rf"(?:let|leave) {_X} (?:to )?(?:bubble|tick|putter|blip|stew)(?:ing)?(?: away)?"),
    ("drain", rf"(?:get|pour|tip|let|take|empty|drain) (?:the |all the |off the )?water "
              rf"(?:out of|off|from|out from) {_X}"),
    ("drain", rf"(?:pour|tip) off (?:the )?water (?:from|of) {_X}"),
    ("drain", rf"(?:run|put|pass|tip|pour) {_X} through (?:the |a )?(?:sieve|colander|strainer)"),
    ("peel", rf"(?:take|get|strip|pull) (?:the )?(?:skin|skins|peel|peels|shell|rind) off "
             rf"(?:of )?{_X}"),
    ("peel", rf"get {_X} out of (?:its|their) (?:skin|skins|peel)"),
    ("grate", rf"(?:put|run|pass) {_X} through (?:the |a )?grater"),
    ("mash", rf"(?:turn|make|work) {_X} (?:into|to) (?:a |some )?(?:mash|mush|pulp|puree)"),
    ("toast", rf"{_PUT} {_X} (?:in|into|under) the (?:toaster|grill)"),
    ("bake", rf"{_PUT} {_X} (?:in|into) the oven"),
    ("fry", rf"{_PUT} {_X} in the frying pan to fry"),
    ("chop", rf"(?:cut|make|turn|do) {_X} (?:up )?(?:into|in) (?:\w+ )?(?:cubes|dice|chunks|bits|"
             r"small pieces|little pieces|tiny pieces|small bits|bite sized pieces)"),
    ("slice", rf"(?:cut|make|turn|do|chop) {_X} (?:up )?(?:into|in) (?:\w+ )?(?:slices|rounds|"
              r"rings|strips|discs|wedges|half|halves|two|quarters|sticks)"),
    ("run", r"(?:put|get|set|switch|turn) (?P<x>M) (?:on|going|running|off and running)"),
    ("run", r"(?:fire up|start up|set off|kick off|power up|give) (?P<x>M)"
            r"(?: a (?:whirl|whizz|spin|go|blast|run))?"),
    ("run", r"(?:put|turn|switch) on (?P<x>M)"),
    ("run", r"(?:^|(?<=\| )|(?<=A ))(?P<x>M) on"),
    ("toast", rf"(?:^|(?<=\| )|(?<=A )){_X} (?:in|into|under) the (?:toaster|grill)"),
    ("bake", rf"(?:^|(?<=\| )|(?<=A )){_X} (?:in|into) the oven"),
)  # fmt: skip
_ENDS = (
    r"(?=(?:A )?(?:$|(?:on|over|at|under) (?:a |the )?(?:low |medium |high |gentle |small )*"
    r"(?:flame|heat|hob|stove|fire)|\||and |then |so |because |when |once |while |before |after |"
    r"but |if |or ))"
)
_IDIOMS = tuple((verb, re.compile(rf"(?<!\S){source} {_ENDS}")) for verb, source in _TABLE)
_STARCH = word_set("rice spaghetti noodles pasta potatoes water eggs")
_MACHINES = word_set("blender mixer toaster kettle dishwasher")
_KEPT = ("up", "over", "through", "on")
_OPENS = word_set(
    "BRK I WE YOU A SOMEONE ALL will can could would should must to and let's please PLEASE FLOAT "
    "UM HEDGE FIRST then may might not shall just go but or so"
)
_SEASONED = {"salt": "season", "pepper": "season", "sugar": "season", "spices": "season"}
_ONTO = {"butter": ("spread", "on"), "olive oil": ("pour", "into")}


def replace_idioms(
    chunks: Sequence[Chunk],
    verb: Callable[[str, int, int], Chunk | None],
    vessels: Collection[str],
    dish: Collection[str],
) -> list[Chunk]:
    """The chunks with such idioms replaced by plain verbs.

    `verb` makes the chunk of a task's verb, if the kitchen has that task; `vessels` are the
    containers, `dish` words of the current dish.
    """
    return _idioms(_nouns(_atop(chunks), verb, dish), verb, vessels, dish)


def _atop(chunks: Sequence[Chunk]) -> list[Chunk]:
    """ "On top of the ham" as "on the ham"."""
    result: list[Chunk] = []
    for chunk in chunks:
        if chunk.kind == "of" and result and result[-1].key == "on top":
            start = result.pop().start
            chunk = Chunk("on", "on", start, chunk.end, spoken=("on",))
        result.append(chunk)
    return result


def _nouns(
    chunks: list[Chunk], verb: Callable[[str, int, int], Chunk | None], dish: Collection[str]
) -> list[Chunk]:
    """ "Salt the soup" as "season the soup with salt", "butter the bread", "ladle it out"."""
    for index, chunk in enumerate(chunks[:-1]):
        one = chunk.things[0] if chunk.kind == "O" and len(chunk.things) == 1 else ()
        before = chunks[index - 1].kind if index else "BRK"
        behind = chunks[index + 1]
        if len(one) != 1 or before not in _OPENS or behind.kind not in ("DET", "IT"):
            continue
        if behind.kind == "DET" and behind.key not in ("the", "my", "our", "all the", "your"):
            continue
        end = index + 2
        while behind.kind == "DET" and end < len(chunks) and chunks[end].kind in ("DET", "ADJ"):
            end += 1
        if behind.kind == "DET":
            if end == len(chunks) or not (
                chunks[end].kind in ("O", "R") or chunks[end].key in dish
            ):
                continue
            end += 1
        ladle = one[0] == "ladle"
        own, joint = _ONTO.get(one[0], (_SEASONED.get(one[0], ""), "with"))
        if ladle:
            into = end < len(chunks) and chunks[end].kind in ("into", "in", "onto")
            own = "pour" if into else "serve"
        verb_chunk = verb(own, chunk.start, chunk.end) if own else None
        if verb_chunk is None:
            continue
        noun = chunks[index + 1 : end]
        if ladle:
            return [*chunks[:index], verb_chunk, *chunks[index + 1 :]]
        link = Chunk(joint, joint, noun[-1].end, noun[-1].end, spoken=(joint,))
        phrase = [*noun, link, chunk] if joint == "with" else [chunk, link, *noun]
        return [*chunks[:index], verb_chunk, *phrase, *chunks[end:]]
    return chunks


def _idioms(
    chunks: list[Chunk],
    verb: Callable[[str, int, int], Chunk | None],
    vessels: Collection[str],
    dish: Collection[str],
) -> list[Chunk]:
    line, places = _line(chunks, vessels, dish)
    for own, pattern in _IDIOMS:
        match = pattern.search(line)
        if match is None:
            continue
        first = places[match.start()][0]
        begin, end = places[match.start("x")]
        last = places[match.end() - 1][1]
        verb_chunk = verb(own, chunks[first].start, chunks[first].end)
        if verb_chunk is None:
            continue
        return [*chunks[:first], verb_chunk, *chunks[begin:end], *chunks[last:]]
    return chunks


def _line(
    chunks: Sequence[Chunk], vessels: Collection[str], dish: Collection[str]
) -> tuple[str, dict[int, tuple[int, int]]]:
    """The chunks as words, with noun phrases as a letter, and the chunk of each character."""
    line = ""
    places: dict[int, tuple[int, int]] = {}
    index = 0
    while index < len(chunks):
        end = index + 1
        is_demonstrative = chunks[index].key in ("this", "that", "those", "these") and end < len(
            chunks
        )
        is_demonstrative = is_demonstrative and chunks[end].kind == "O"  # "that pan"
        while chunks[index].kind == "DET" and end < len(chunks) and chunks[end].kind == "ADJ":
            end += 1
        wide = is_demonstrative or (chunks[index].kind == "DET" and end < len(chunks))
        head = chunks[end] if wide else chunks[index]
        letter = _letter(head, vessels, dish)
        stop = index + 1
        if letter:
            stop = end + 1 if head is not chunks[index] else end
            piece = f"{letter} "
        elif chunks[index].kind == "BRK":
            piece = "| "
        elif chunks[index].kind == "A":
            piece = "A "
        elif chunks[index].kind in ("FLOAT", "PLEASE", "UM") and chunks[index].key not in _KEPT:
            piece = ""
        else:
            piece = f"{chunks[index].key} "
        for at in range(len(line), len(line) + len(piece)):
            places[at] = (index, stop)
        line += piece
        index = stop
    return line, places


def _letter(chunk: Chunk, vessels: Collection[str], dish: Collection[str]) -> str:
    if chunk.kind == "IT":
        return "I"
    if chunk.kind == "R" or (chunk.kind == "W" and chunk.key in dish):
        return "X"
    if chunk.kind != "O" or not chunk.things:
        return ""
    names = chunk.names
    if names & _MACHINES:
        return "M"
    return "V" if names <= set(vessels) else "S" if names & _STARCH else "X"
