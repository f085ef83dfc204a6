"""Whether a stop in doubt is one: what a recognizer makes of the last moments of sound.

In noise a recognizer writes something likelier in place of a short word. One that can weigh words
(Whisper) is asked how much less likely a stop is than what it wrote; of others the words count, as
where our own voice is in the sound: there a stop is much less likely than they.
"""

from __future__ import annotations

from collections.abc import Sequence

from treec.team.stop_words import StopWords
from treec_voice.doors import Recognizer, Sound, Transcript, Weigher

STOPS = ("stop", "halt", "freeze")
"""What is weighed in place of the last word."""
LIKELY = -2.0
"""Log probability of a stop, less that of the words that were recognized, from which it is one."""
SHORT = 2
"""Words at most in whose place a stop alone may have been said: any long text is less likely."""
HINTS = ("stop",)
"""What it is told where the words count. Told of "freeze", it writes that for "free"."""


class StopCheck:
    """A recognizer for the last moments: it writes a stop where one may have been said."""

    def __init__(self, recognizer: Recognizer, words: StopWords, likely: float = LIKELY) -> None:
        self._recognizer, self._words, self._likely = recognizer, words, likely

    def __call__(self, sound: Sound, hints: Sequence[str] = ()) -> Transcript:
        """The words; those with a stop in place of the last one, if they are not much less likely.

        A stop that is denied stays so. Where there are hints, the words count.
        """
        if hints or not isinstance(self._recognizer, Weigher):
            return self._recognizer(sound, hints or HINTS)
        heard, instead = self._recognizer.weigh(sound, with_a_stop)
        if self.is_stop(heard.text) or any(stop in heard.text.lower() for stop in STOPS):
            return heard
        text, weight = max(instead, key=lambda it: it[1])
        likely = weight >= self._likely and self.is_stop(text)
        return Transcript(text, heard.confidence, (heard.text,)) if likely else heard

    def is_stop(self, text: str) -> bool:
        """Whether words stop all robots."""
        return bool(self._words.stop_acts_in(text, ()))


def with_a_stop(text: str) -> Sequence[str]:
    """What may have been said in place of words: the same with a stop at their end, or a stop."""
    words = text.split()
    longer = [" ".join((*words[:-1], f"{stop}.")) for stop in STOPS] if len(words) > 1 else []
    alone = [f"{stop.capitalize()}." for stop in STOPS] if len(words) <= SHORT else []
    return [*longer, *alone]
