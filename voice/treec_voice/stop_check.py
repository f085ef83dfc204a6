"""Whether a stop in doubt is one: what a recognizer makes of the last moments of sound.

In noise a recognizer writes something likelier in place of a short word. One that can weigh words
(Whisper) is asked how much less likely a stop is than what it wrote, and that counts beside what
its judge says, a network over its encoder. Of other recognizers the words count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from treec.foreign import text_of
from treec.team.stop_words import StopWords
from treec_voice.doors import FRAME, Recognizer, Sound, Transcript, Weigher
from treec_voice.recognition import Recognition
from treec_voice.segments import SpeechSegment

STOPS = ("stop", "halt", "freeze")
"""What is weighed in place of the last word."""
LIKELY = -2.0
"""Log probability of a stop, less that of the words, from which it is one where none judges."""
POSSIBLE = 0.3
"""The judge's probability from which words are weighed: it takes 10 ms, they take 160."""
DENIED_AT_ONCE, CERTAIN = 0.002, 0.98
"""The same below which a stop of which the spotter is sure is none, and from which it counts."""
UNLIKE = -13.0
"""Between them, the weight below which it is none: of its like words are certain."""
SHARE, ENOUGH = 0.7, 2.0
"""How much a weight counts beside the judge's log odds, and their sum from which it is a stop."""
MOST = 7.0
"""The judge's log odds at most: where it is certain, words that are far from a stop deny one."""
WRITTEN, DENIED = 5.0, -12.0
"""Weights of a stop that was written, and the least: of one that is denied in the words."""
SHORT = 2
"""Words at most in whose place a stop alone may have been said: any long text is less likely."""
HINTS = ("stop",)
"""What it is told where the words count. Told of "freeze", it writes that for "free"."""
JUDGED, READ = 0.03, 0.2
"""The spotter's probability from which it is asked, if it has a judge, and if it has none."""


class StopCheck:
    """A recognizer for the last moments: it writes a stop where one was said."""

    def __init__(
        self,
        recognizer: Recognizer,
        words: StopWords,
        failed: Callable[[str], None] = lambda why: None,
    ) -> None:
        """``failed`` is told if the judge cannot be used; the words decide then."""
        self._recognizer, self._words, self._failed = recognizer, words, failed
        self.has_judge = isinstance(recognizer, Weigher) and recognizer.has_judge
        """Whether it knows anything at once."""
        self._judge(np.zeros(FRAME, np.float32))

    @property
    def least_doubt(self) -> float:
        """The spotter's probability from which it is to be asked."""
        return JUDGED if self.has_judge else READ

    def __call__(
        self, sound: Sound, hints: Sequence[str] = (), *, is_sure: bool = False
    ) -> Transcript:
        """A stop, or the words, or none if it is too unlike a stop to be read.

        ``is_sure``: the spotter is. Of a recognizer that does not weigh the words count; none, in
        noise, are a stop, too.
        """
        if is_sure and (known := self.at_once(sound)) is not None:
            return Transcript("Stop." if known else "", 0.0)
        if not isinstance(self._recognizer, Weigher):
            heard = self._recognizer(sound, hints or HINTS)
            return heard if heard.text else Transcript("Stop.", 0.0)
        chance = None if is_sure else self._judge(sound)
        if chance is not None and chance < POSSIBLE:
            return Transcript("", 0.0)
        heard, instead = self._recognizer.weigh(sound, self._instead)
        text, weight = self._weight(heard.text, instead)
        if is_sure:
            is_one = weight >= UNLIKE
        elif chance is None:
            is_one = weight >= LIKELY
        else:
            odds = math.log((chance + 1e-5) / (1 - chance + 1e-5))
            is_one = min(odds, MOST) + SHARE * max(weight, DENIED) >= ENOUGH
        return Transcript(text, heard.confidence, (heard.text,)) if is_one else heard

    def at_once(self, sound: Sound) -> bool | None:
        """Whether one of which the spotter is sure is a stop, in 10 ms; None: words may deny it.

        Without a judge it is one.
        """
        chance = self._judge(sound)
        if chance is None or chance >= CERTAIN:
            return True
        return False if chance < DENIED_AT_ONCE else None

    def _judge(self, sound: Sound) -> float | None:
        """The judge's probability of a stop; None without a judge."""
        if not self.has_judge or not isinstance(self._recognizer, Weigher):
            return None
        try:
            chance = self._recognizer.chance_of_stop(sound)
            if chance is not None and not 0 <= chance <= 1:
                raise ValueError(f"a probability is from 0 to 1, not {chance}")
            return chance
        except Exception as error:
            self.has_judge = False
            self._failed(f"the judge of stops cannot be used: {text_of(error)}; words decide")
            return None

    def _instead(self, heard: str) -> Sequence[str]:
        """What is weighed in place of words: nothing if they are a stop, which saves 60 ms."""
        return () if not heard or self.is_stop(heard) else with_a_stop(heard)

    def _weight(self, heard: str, instead: Sequence[tuple[str, float]]) -> tuple[str, float]:
        """The likeliest stop in place of the words, and its weight."""
        if not heard or self.is_stop(heard):
            return heard or "Stop.", WRITTEN
        text, weight = max(instead, key=lambda it: it[1])
        is_denied = any(stop in heard.lower() for stop in STOPS) or not self.is_stop(text)
        return ("Stop.", DENIED) if is_denied else (text, weight)

    def is_stop(self, text: str) -> bool:
        """Whether words stop all robots."""
        return bool(self._words.stop_acts_in(text, ()))


class StopChecks(Recognition):
    """Checks stops one after another; those of which the spotter is sure by a rule of their own."""

    def recognize(self, recognizer: Recognizer, utterance: SpeechSegment) -> Transcript:
        """A stop, or what was said."""
        is_sure = utterance.stop is not None and utterance.stop.sure
        if is_sure and isinstance(recognizer, StopCheck):
            return recognizer(utterance.sound, is_sure=True)
        return super().recognize(recognizer, utterance)


def with_a_stop(text: str) -> Sequence[str]:
    """What may have been said in place of words: the same with a stop at their end, or a stop."""
    words = text.split()
    longer = [" ".join((*words[:-1], f"{stop}.")) for stop in STOPS] if len(words) > 1 else []
    alone = [f"{stop.capitalize()}." for stop in STOPS] if len(words) <= SHORT else []
    return [*longer, *alone]
