"""Spoken, typed and polite English folded into the plain words that the grammar knows.

What is folded keeps its place in the utterance, so that quotes stay verbatim. A fold never makes
a yes, a no or a stop of words that could mean something else.
"""

from __future__ import annotations

import re

from skills.kitchen.talk_words import Item, word_set

# said → plain words; nothing behind the arrow: a softener, it says nothing of its own.
_TABLE = """
k -> ok | okey-doke -> ok | okey-dokey -> ok | okey doke -> ok | okie -> ok | kk -> ok
uh huh -> yes | uh-huh -> yes | mhm -> yes | mm-hmm -> yes | you bet -> yes | aye -> yes
ya -> yes | yess -> yes | ja -> yes | si -> yes | yah -> yes | indeed -> yes | very well -> ok
right you are -> yes | righto -> ok | okie dokie -> ok | right-o -> ok | oki -> ok
for sure -> sure
nuh uh -> no | nuh-uh -> no | no way -> no | uh-uh -> no | naw -> no | no no -> no | yes yes -> yes
hard no -> no | nay -> no | not at the moment -> not now | not just yet -> not yet
not right away -> not now | rather not -> rather not
u -> you | ur -> you 're | em -> them | ya'll -> you | y'all -> you | thx -> thanks | ty -> thanks
wanna -> want to | gonna -> going to | gotta -> have to | gimme -> give me | lemme -> let me
smth -> something | sth -> something | thats -> that 's | its -> it 's | hes -> he 's
youre -> you 're | theyre -> they 're | isnt -> is not | isn't -> is not | arent -> are not
aren't -> are not | doesnt -> doesn't | didnt -> didn't | havent -> have not | shan't -> won't
shant -> won't | let us -> let's | i've got -> i have got | mustnt -> mustn't | youve -> you 've
real quick -> quickly | really quick -> quickly | as quick as you can -> quickly | tho -> though
possibly -> | kindly -> | perhaps -> maybe | be so good as to -> | be so kind as to -> |
be a dear and -> | be a darling and -> | there 's a dear -> | by the way ->
if you please -> please
if you don't mind -> please | if you do not mind -> please | if you would -> please
if you could -> please | if that 's ok -> please | if that 's all right -> please
if that 's all-right -> please | if it 's no trouble -> please
if it is not too much trouble -> please
if it 's not too much trouble -> please | if you like -> | if possible -> please | if i may -> |
would you -> would you | as you said -> | as you suggested -> | as proposed -> | you know -> |
i guess -> | i suppose -> | i 'm afraid -> | i am afraid -> | like i said -> | to be honest -> |
when you have a moment -> | when you have a second -> | when you have a minute -> |
when you get a sec -> | when you get a second -> | when you get a minute ->
when you get a chance -> |
when you have time -> | when you 're free -> | when you are free -> | when you can -> |
when you 're back -> | when it comes to it -> | when you have a sec -> | once you 're done -> |
once you 're free -> | once you 're back -> | once it 's mixed -> | when it gets here -> |
when it 's here -> | when it 's washed -> | when it arrives -> | when the time comes -> |
nip over and -> | pop over and -> | go over and -> | run and -> | head over and ->
tell you what -> |
on second thoughts -> actually | on second thought -> actually | second thoughts -> actually
new plan -> actually | change of plan -> actually | change of plans -> actually
you guys -> everyone | you two -> both | both of you -> both | the both of you -> both
the pair of you -> both | you lot -> everyone | you robots -> everyone | all robots -> everyone
both robots -> both | you all -> everyone | the robots -> everyone | the two robots -> both
hold it -> hold on | hold up -> hold on | hold your horses -> hold on | whoa -> wait | woah -> wait
whoah -> wait | one sec -> one moment | a sec -> a second | just a sec -> just a second
give me a second -> one moment | give me a moment -> one moment | give me a minute -> one moment
gimme a sec -> one moment | in a little while -> later | in a while -> later | in a bit -> later
in a minute -> later | in a moment -> later | some other time -> later | another time -> later
a bit later -> later | let's do that -> do that | let's do it -> do it | let's go -> go ahead
let's gooo -> go ahead | crack on -> go on | on we go -> go on | off you go -> go ahead
as you were -> go on | back to work -> go on | back on it -> go on | back at it -> go on
go again -> go on | move again -> go on | start moving again -> go on | unfreeze -> go on
unpause -> go on | you may move -> go on | keep at it -> go on
keep doing what you were doing -> go on
get going again -> go on | back to it -> go on | get back to it -> go on | get back to work -> go on
pick up where you left off -> go on | as before -> as before | press on -> go on
do carry on -> go on
start stirring again -> continue stirring | start again -> go on | push on -> go on
restart -> go on
don't move -> stop | do not move -> stop | don't move a muscle -> stop | stand still -> stop
stay still -> stop | stay where you are -> stop | cease -> stop | do stop -> stop | desist -> stop
pause -> stop | quit it -> stop | knock it off -> stop | cut it out -> stop | abort -> stop
that 's enough -> stop | that is enough -> stop | enough -> enough | that will do -> thanks
that 'll do -> thanks | cutted -> cut | putted -> put | getted -> got | whip up -> make
rustle up -> make | knock up -> make | spag bol -> spaghetti bolognese | guac -> guacamole
spag -> spaghetti | mac n cheese -> mac and cheese | omelet -> omelette | sauce ranch -> ranch sauce
"""
_PHRASES: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
for _entry in re.split(r"[|\n]", _TABLE):
    if "->" in _entry:
        _said, _plain = _entry.split("->")
        _words = tuple(_said.split())
        if _words != tuple(_plain.split()):
            _PHRASES.setdefault(_words[0], []).append((_words, tuple(_plain.split())))
for _list in _PHRASES.values():
    _list.sort(key=lambda pair: -len(pair[0]))

_STRETCHED = re.compile(r"([a-z])\1{2,}")
_SHORT = word_set("stop yes no please wait go so ok hey oh whoa well halt now come nope yeah")
_BEING = word_set("am 'm is are feel feeling was were 's 're fell got very")
_DIGITS = word_set("1 2 3 one two three")


def fold(words: list[Item]) -> list[Item]:
    """The words with what is spoken loosely made plain; at least one word stays."""
    result: list[Item] = []
    loose = [_unstretched(word) for word in words]
    index = 0
    while index < len(loose):
        word = loose[index]
        behind = loose[index + 1] if index + 1 < len(loose) else None
        if word.key == "ill" and behind is not None and not behind.breaks and not _after_be(result):
            result += _placed(("i", "'ll"), word, word)
        elif word.key == "r" and not (behind is not None and behind.key in _DIGITS):
            result += _placed(("are",), word, word)
        elif (said := _phrase(loose, index)) is not None:
            result += _placed(said[1], word, loose[index + len(said[0]) - 1])
            index += len(said[0]) - 1
        else:
            result.append(word)
        index += 1
    return result if any(not word.breaks for word in result) else words


def _phrase(words: list[Item], index: int) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    for said, plain in _PHRASES.get(words[index].key, ()):
        if tuple(word.key for word in words[index : index + len(said)]) == said:
            return said, plain
    return None


def _placed(keys: tuple[str, ...], first: Item, last: Item) -> list[Item]:
    return [Item(key, first.start, last.end) for key in keys]


def _unstretched(word: Item) -> Item:
    if word.breaks or _STRETCHED.search(word.key) is None:
        return word
    short = _STRETCHED.sub(r"\1", word.key)
    short = {"yeah": "yes", "nope": "no"}.get(short, short)
    return Item(short, word.start, word.end) if short in _SHORT else word


def _after_be(before: list[Item]) -> bool:
    return bool(before) and before[-1].key in _BEING
