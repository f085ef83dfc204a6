"""A stop is heard in the stream, within 0.3 s of its end: PocketSphinx's keyphrase search.

It listens for the stops of the hearing file and, beside them, for words that sound like one and for
phrases in which a stop is none ("don't stop"). Whatever matches a stretch of sound best is what was
said there.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path

from treec.team.stop_words import StopWords
from treec_voice.doors import SECONDS, Sound, Spotted
from treec_voice.sound import to_pcm

HOLD = 2
"""Frames that a stop waits for a better match of the same sound: 64 ms."""
AGAIN = 10.0
"""Seconds after which a search begins anew: it keeps all that it found."""


class StopSpotter:
    """Hears stops, and not what sounds like them."""

    def __init__(
        self,
        stops: Collection[str],
        others: Collection[str] = (),
        threshold: float = 1e-10,
        margin: float = 0.015,
    ) -> None:
        """``threshold``: how unlikely a stop may be beside other sound.

        ``margin``: how much less likely than another phrase a stop may be.
        """
        from pocketsphinx import Config, Decoder

        self._decoder = Decoder(Config(lm=None, loglevel="FATAL"))
        self._stops = frozenset(self._known(stops))
        phrases = (*self._stops, *self._known(others))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "phrases"
            path.write_text("".join(f"{one} /{threshold:g}/\n" for one in phrases), "utf-8")
            self._decoder.add_kws("stops", str(path))
        self._decoder.activate_search("stops")
        self._decoder.start_utt()
        self._margin = margin
        self._frames = 0
        self._waits: tuple[int, str] | None = None

    def __call__(self, frame: Sound) -> Spotted | None:
        """The stop that was heard, if any."""
        self._decoder.process_raw(to_pcm(frame).tobytes(), False, False)
        self._frames += 1
        found = self._decoder.hyp() and self._best()
        if not found:
            self._waits = None
            if self._frames * SECONDS > AGAIN:
                self._begin()
            return None
        phrase, begun, ended = found
        if self._waits is None:
            self._waits = self._frames + HOLD, phrase
        if self._frames < self._waits[0]:
            return None
        now = self._frames * SECONDS
        self._begin()
        return Spotted(phrase, (now - begun, now - ended))

    def _best(self) -> tuple[str, float, float] | None:
        """A stop than which no other phrase matches the same sound better."""
        found = [
            (one.word.strip(), one.start_frame / 100, one.end_frame / 100, one.prob)
            for one in self._decoder.seg()
        ]
        others = [one for one in found if one[0] not in self._stops]
        for phrase, start, end, likely in found:
            if phrase in self._stops and not any(
                min(end, e) - max(start, s) > (end - start) / 2 and p > likely + self._margin
                for _, s, e, p in others
            ):
                return phrase, start, end
        return None

    def _begin(self) -> None:
        self._decoder.end_utt()
        self._decoder.start_utt()
        self._frames, self._waits = 0, None

    def _known(self, phrases: Collection[str]) -> Sequence[str]:
        """Those whose words all are in the dictionary, as it writes them."""
        spelt = (" ".join(re.findall(r"[a-z']+", one.lower())) for one in phrases)
        known = (one for one in spelt if one and all(map(self._has, one.split())))
        return tuple(dict.fromkeys(known))

    def _has(self, word: str) -> bool:
        return self._decoder.lookup_word(word) is not None


def phrases_of(words: StopWords) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The stops of a hearing file, and what sounds like one or has one in it and is none."""
    stops = tuple(sorted(words.stops))
    negated = (f"{no} {stop}" for no in (*words.negations, *_NOUNS) for stop in stops)
    return stops, (*_ALIKE, *negated)


_NOUNS = ("bus", "pit", "full")
_ALIKE = (
    *("please", "breeze", "freezer", "freezes", "freezing", "cheese"),
    *("shop", "chop", "salt", "malt", "half", "hall", "hot", "stops", "stomp"),
)
"""What is said in kitchens and workshops and sounds like a stop."""
