"""What the journal tells of speech: what was heard, and what could not be heard or said."""

from __future__ import annotations

from treec.frozen import frozen
from treec.world.events import Event, EventText, event


@event("voice.heard")
@frozen
class VoiceHeard(Event):
    """Words were heard; `text` is what the run takes them for.

    ``raw`` is what the recognizer wrote where names were put right, ``confidence`` (0 to 1) its
    own, ``asked`` what the person was asked back; only if ``taken`` it was acted on. ``start`` and
    ``end`` are seconds since listening began, ``sound`` is the recording in the run's folder, if
    one is kept.
    """

    text: str
    confidence: float
    start: float
    end: float
    raw: str = ""
    alternatives: tuple[str, ...] = ()
    asked: str = ""
    taken: bool = True
    sound: str = ""

    def describe(self) -> EventText:
        """The words as they were heard."""
        said = f" (recognized: {self.raw})" if self.raw else ""
        text = f'heard "{self.text}", confidence {self.confidence:.2f}{said}'
        return EventText(text if self.taken else f"not sure: {text}", "news")


@event("voice.stop")
@frozen
class VoiceStop(Event):
    """The spotter heard a stop; all robots were stopped at once, whatever else was said."""

    phrase: str
    start: float
    end: float
    after: float
    """Seconds from the end of the phrase to the stop."""

    def describe(self) -> EventText:
        """The phrase."""
        return EventText(f'heard "{self.phrase}": all robots are stopped', "warning")


@event("voice.failed")
@frozen
class VoiceFailed(Event):
    """Something for hearing or speaking does not work; typed words still do."""

    part: str
    why: str

    def describe(self) -> EventText:
        """What does not work, and why."""
        return EventText(f"voice: {self.part}: {self.why}", "failure")
