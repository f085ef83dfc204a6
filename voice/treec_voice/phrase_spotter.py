"""Stops of any words in PocketSphinx's dictionary, by its keyphrase search.

It listens for the stops of the hearing file and, beside them, for words that sound like one and for
phrases in which a stop is none ("don't stop"). It takes many a word for one of them, so that each
is recognized before it counts: docs/results/voice.md.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from treec.team.stop_words import StopWords
from treec_voice.doors import SECONDS, Sound, Spotted
from treec_voice.sound import to_pcm

LISTED = 1e-25
"""How unlikely a phrase may be to be looked at, beside any other sound."""
LIKELY, RARE = 0.825, 0.855
"""Likelihood from which "stop" is heard, and the other stops, which are said seldom."""
HOLD = 2
"""Frames that a stop waits for a better match of the same sound: 64 ms."""
AGAIN = 10.0
"""Seconds after which a search begins anew: it keeps all that it found."""


class PhraseSpotter:
    """Hears phrases by PocketSphinx's keyphrase search, and not what sounds like them."""

    def __init__(
        self,
        stops: Collection[str],
        others: Mapping[str, float] | None = None,
        likely: float = LIKELY,
        rare: float = RARE,
    ) -> None:
        """``others``: phrases that are no stop, with how much likelier than a stop each must be."""
        from pocketsphinx import Config, Decoder

        self._decoder = Decoder(Config(lm=None, loglevel="FATAL"))
        self._limits = {one: likely if one == "stop" else rare for one in self._known(stops)}
        others = others or {}
        self._others = {one: others[one] for one in others if one in self._known(others)}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "phrases"
            listed = (*self._limits, *self._others)
            path.write_text("".join(f"{one} /{LISTED:g}/\n" for one in listed), "utf-8")
            self._decoder.add_kws("stops", str(path))
        self._decoder.activate_search("stops")
        self._decoder.start_utt()
        self._frames = 0
        self._since: int | None = None

    def __call__(self, frame: Sound) -> Spotted | None:
        """The stop that was heard, if any."""
        self._decoder.process_raw(to_pcm(frame).tobytes(), False, False)
        self._frames += 1
        now = self._frames * SECONDS
        found = self._best() if self._decoder.hyp() else None
        if found is None:
            self._since = None
            if now > AGAIN:
                self._begin()
            return None
        if self._since is None:
            self._since = self._frames
        if self._frames < self._since + HOLD:
            return None
        phrase, start, end = found
        self._begin()
        return Spotted(phrase, (now - start, now - end), False)

    def _best(self) -> tuple[str, float, float] | None:
        """A stop than which no other phrase matches the same sound better."""
        found = [
            (one.word.strip(), one.start_frame / 100, one.end_frame / 100, one.prob)
            for one in self._decoder.seg()
        ]
        for phrase, start, end, likely in found:
            if likely >= self._limits.get(phrase, 1.0) and not any(
                min(end, until) - max(start, since) > (end - start) / 2
                and probability > likely + self._others.get(other, 1.0)
                for other, since, until, probability in found
            ):
                return phrase, start, end
        return None

    def _begin(self) -> None:
        self._decoder.end_utt()
        self._decoder.start_utt()
        self._frames, self._since = 0, None

    def _known(self, phrases: Collection[str]) -> Sequence[str]:
        """Those whose words all are in the dictionary, as it writes them."""
        spelt = (" ".join(re.findall(r"[a-z']+", one.lower())) for one in phrases)
        known = (one for one in spelt if one and all(map(self._has, one.split())))
        return tuple(dict.fromkeys(known))

    def _has(self, word: str) -> bool:
        return self._decoder.lookup_word(word) is not None


def phrases_of(words: StopWords) -> tuple[tuple[str, ...], dict[str, float]]:
    """The stops of a hearing file, and what sounds like one or has one in it and is none."""
    stops = tuple(sorted(words.stops))
    within = (f"{word} {stop}" for word in (*words.negations, *_NOUNS) for stop in stops)
    return stops, {**_ALIKE, **dict.fromkeys((*within, *(f"don't {it}" for it in stops)), -0.01)}


_NOUNS = ("bus", "pit", "full")
_ALIKE = {
    **{"please": -0.01, "steps": -0.01, "half": 0.01, "what": 0.0, "chop": 0.01, "halter": 0.0},
    **{"breeze": 0.02, "freezer": 0.0, "freezes": 0.0, "freezing": 0.0, "cheese": 0.0},
    **{"stopping": 0.0, "stopped": 0.0, "salt": 0.0, "malt": 0.0},
}
"""What is said in kitchens and sounds like a stop, each with its margin."""
