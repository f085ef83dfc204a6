"""A run that is talked with: from sound to the run's words, and from its words to sound.

One thread listens. It passes each frame to the spotter and the detector, so that a stop depends on
nothing that is slow; utterances go to the recognizer's thread, sentences to the voice's. Whatever
fails is told in the run's own record, and the run goes on with typed words.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from treec.cli.progress import progress
from treec.foreign import text_of
from treec.source.errors import TreecError
from treec.team.events import Said, number_entries
from treec.team.knowledge import talk_agents
from treec.team.language import stop_words_of
from treec.world.events import Event, flat
from treec.world.inbox import InboxMessage
from treec.world.journal import Record
from treec_hearing.question_words import QuestionLanguage
from treec_voice.doors import (
    SECONDS,
    GentleCanceller,
    Recognizer,
    Sound,
    Spotted,
    Transcript,
    open_part,
)
from treec_voice.events import VoiceFailed, VoiceHeard, VoiceStop
from treec_voice.names import hot_words, names_anything, put_names_right, spoken_of
from treec_voice.phrase_spotter import phrases_of
from treec_voice.recognition import Recognition
from treec_voice.segments import SegmentFinder, SpeechSegment
from treec_voice.settings import VoiceSettings
from treec_voice.sound import frames_of, write_wav
from treec_voice.speech import Speaker, Speech
from treec_voice.stop_check import HINTS, READ, StopCheck, StopChecks

if TYPE_CHECKING:
    from treec.run.run import Run

T = TypeVar("T")

SOURCE = "voice"
"""Who records what was heard."""
BARGE = 0.2
"""Seconds of a person's speech that end our own."""
CHECKED = 1.6
"""Seconds up to a spotted stop that are recognized before it counts."""
SHOWN = 0.8
"""Seconds of speech after which its words so far are shown."""
ONE_STOP = 0.8
"""Seconds between the ends of two stops; those that are nearer are one."""
MUTE = 10.0
"""Seconds of zeros from a microphone after which it is said to be mute."""
LEAVE = 20.0
"""Seconds that are left at the end of a run to say what was begun, and to hear it."""
CHECK, SURE_CHECK = 1.0, 0.4
"""Seconds that the check of a stop in doubt, and of a sure one, may take; then it counts."""
WITHOUT = {
    "spotter": "a stop is heard only once its words are recognized",
    "detector": "nothing but stops is heard; please type",
    "canceller": "our own voice may be heard",
    "speaker": "our own voice may be heard",
}
"""What it means that a part is missing or broken."""


class Microphone(Protocol):
    """Where sound comes from."""

    is_over: bool
    hears_us: bool
    """Whether what we say comes back through it."""

    def frames(self, stopped: threading.Event) -> Iterator[Sound]:
        """The frames, as time passes, until it is stopped."""


class Talk:
    """Everything that hears and speaks in one run.

    ``microphone`` and ``speaker`` open these, or are None where nothing is heard or said.
    ``recording`` is heard in place of a microphone in a run on virtual time: as fast as possible,
    by :meth:`listen_on`.
    """

    def __init__(
        self,
        settings: VoiceSettings,
        *,
        microphone: Callable[[], Microphone] | None = None,
        speaker: Callable[[], Speaker] | None = None,
        recording: Sound | None = None,
    ) -> None:
        self.settings = settings
        self.say: Callable[[str], None] = lambda text: None
        """Takes what was heard; the display's."""
        self.show_draft: Callable[[str], None] | None = None
        """Shows words while they are spoken, and none once they are over; the display's, if any."""
        self._open_microphone, self._open_speaker = microphone, speaker
        self._recording = None if recording is None else frames_of(recording)
        self._run: Run | None = None
        self._stopped = threading.Event()
        self._microphone: Microphone | None = None
        self._speech: Speech | None = None
        self._parts: dict[str, Any] = {}
        """Spotter, detector and canceller; None for one that is broken or not there."""
        self._told: set[str] = set()
        """What is told once: parts."""
        self._finder = SegmentFinder()
        self._now = 0.0
        """Seconds of the stream so far."""
        self._stop_ended = -math.inf
        """When the last stop ended, in seconds of the stream."""
        self._check: StopCheck | None = None
        self._doubt: tuple[float, SpeechSegment] | None = None
        """The likeliest stop in doubt that came while another one is being checked."""
        self._sure: tuple[float, SpeechSegment] | None = None
        """A stop of which the spotter is sure while it is checked, and since when."""
        self._confirmed: SpeechSegment | None = None
        """The last stop that a check has confirmed: the words around it are not acted on."""
        self._recognition = Recognition(
            self._open_recognizer,
            lambda: hot_words(self.run.knowledge, self._spoken_of()),
            self._heard,
            self._fail_to_recognize,
            doubt=settings.sure,
            drafted=self._show,
        )
        self._checker = StopChecks(
            self._open_checker,
            lambda: HINTS,
            self._decide,
            lambda why, again: self._fail_to_check(why),
            patience=CHECK,
            loading=CHECK,
        )
        self._recent: deque[Sound] = deque(maxlen=round(CHECKED / SECONDS))
        self._utterances = 0
        self._zeros = 0.0
        """Seconds for which the microphone has given nothing but zeros."""
        self._ended = 0.0
        self._asked = ""
        self._threads: list[threading.Thread] = []

    @property
    def run(self) -> Run:
        """The run that is talked with."""
        assert self._run is not None
        return self._run

    @contextmanager
    def open(self, run: Run) -> Iterator[None]:
        """Listen and speak while a run goes on."""
        self._run = run
        run.loop.handlers[SOURCE] = self._record
        unsubscribe = run.world.subscribe(self._speak)
        if self._open_speaker is not None:
            self._begin_speech(self._open_speaker)
        if self._open_microphone is not None or self._recording is not None:
            self._recognition.begin()
        if self._open_microphone is not None:
            if self.settings.check_stops:
                self._checker.begin()
            thread = threading.Thread(target=self._listen, name="treec ear of voice", daemon=True)
            thread.start()
            self._threads.append(thread)
        try:
            yield
        finally:
            unsubscribe()
            recognitions = (self._checker, self._recognition)
            for recognition in recognitions:
                recognition.end(0.0)
            if self._speech is not None:
                self._speech.close(LEAVE)
            self._stopped.set()
            for thread in self._threads:
                thread.join(LEAVE)
            with progress("waiting for the recognizer", None):
                for recognition in recognitions:
                    recognition.end(LEAVE)

    @property
    def is_over(self) -> bool:
        """Whether nothing will be heard any more: there is no microphone, or its file has ended."""
        if self._recognition.is_busy or self._finder.spoken:
            return False
        listens = any(thread.is_alive() for thread in self._threads)
        return not listens or (self._microphone is not None and self._microphone.is_over)

    def listen_on(self, advance: Callable[[], None] = lambda: None) -> bool:
        """Listen to the recording until somebody has spoken; False at its end.

        ``advance`` is called for each frame.
        """
        if self._recording is None:
            return False
        self._open_parts()
        before = self._utterances
        for frame in self._recording:
            self._take(frame, frame)
            advance()
            if self._utterances > before:
                break
        else:
            self._end_utterance()
            self._tell_silence()
        while self._recognition.is_busy:
            self._recognition.look()
            time.sleep(0.005)
        return self._utterances > before

    def _spoken_of(self) -> list[str]:
        """What is spoken of at the moment; asked for in the recognizer's thread."""
        team, knowledge = self.run.team, self.run.knowledge
        proposed = [knowledge.words_in_recipe(it.subtask) for it in team.now.open]
        subtasks = [knowledge.words_in_recipe(it) for it in team.work if it.status != "dropped"]
        recipe = str(self.run.world.state["recipe"])
        return spoken_of(proposed, subtasks, recipe, knowledge.recipes)

    def _open_recognizer(self) -> Recognizer:
        """Load it, and what its words are compared with. Raises CannotTalk."""
        recognizer: Recognizer = open_part("recognizer", self.settings.recognizer)
        put_names_right(self.run.knowledge, "anything")
        return recognizer

    def _open_checker(self) -> StopCheck:
        """Load the recognizer that is asked of stops in doubt. Raises CannotTalk."""
        self._check = None
        recognizer: Recognizer = open_part("recognizer", self.settings.recognizer)
        words = stop_words_of(self.run.view)
        self._check = StopCheck(recognizer, words, lambda why: self._fail("stop check", why))
        return self._check

    def _listen(self) -> None:
        """Listen to the microphone; in a thread of its own."""
        assert self._open_microphone is not None
        try:
            self._microphone = self._open_microphone()
            self._open_parts()
            for frame in self._microphone.frames(self._stopped):
                self._look_for_silence(frame)
                both = frame, frame
                if self._speech is not None:
                    both = self._guarded("speaker", both, self._without_echo, frame)
                self._take(*both)
                self._recognition.look()
                self._checker.look()
        except (Exception, SystemExit) as error:  # anybody's device
            self._fail("microphone", f"{text_of(error)}; please type")
        while self._recognition.is_busy and not self._stopped.wait(SECONDS):
            self._recognition.look()

    def _without_echo(self, frame: Sound) -> tuple[Sound, Sound]:
        """A frame without what we say meanwhile: to hear words in, and to tell who speaks."""
        assert self._speech is not None
        far = self._speech.speaker.played()
        canceller = self._parts["canceller"]
        clean = self._guarded("canceller", frame, canceller, frame, far)
        is_gentle = self._parts["canceller"] and isinstance(canceller, GentleCanceller)
        return (canceller.heard if is_gentle else clean), clean

    def _guarded(self, part: str, other: T, call: Callable[..., T], *given: object) -> T:
        """What a part makes of something; ``other`` if there is none or it is broken."""
        if self._parts.get(part) is None:
            return other
        try:
            return call(*given)
        except (Exception, SystemExit) as error:  # anybody's code
            self._parts[part] = None
            self._fail(part, f"{text_of(error)}; {WITHOUT[part]}")
            return other

    def _look_for_silence(self, frame: Sound) -> None:
        """Tell that a microphone is mute, or that nobody spoke in a recording."""
        assert self._microphone is not None
        self._zeros = 0.0 if frame.any() else self._zeros + SECONDS
        if self._microphone.hears_us and MUTE <= self._zeros < MUTE + SECONDS:
            self._fail("microphone", f"it has been mute for {MUTE:g} s: is it switched on?")
        if self._microphone.is_over and not self._finder.spoken:
            self._tell_silence()

    def _tell_silence(self) -> None:
        """Tell once that nobody spoke in the recording."""
        if self._parts["detector"] is not None and not self._utterances:
            self._fail_once("microphone", "nobody speaks in the recording; please type")

    def _open_parts(self) -> None:
        """Open what reads the stream; one that cannot be opened is told, the others work."""
        if not self._parts:
            self._parts = {"speaker": self._speech, "canceller": None}
            phrases = phrases_of(stop_words_of(self.run.view))
            self._open_part("spotter", self.settings.spotter, *phrases)
            self._open_part("detector", self.settings.detector)
            hears_us = self._microphone is not None and self._microphone.hears_us
            if self._speech is not None and hears_us:
                self._open_part("canceller", self.settings.canceller)

    def _open_part(self, part: str, named: Any, *args: object) -> None:
        self._parts[part] = None
        try:
            self._parts[part] = open_part(part, named, *args)
        except TreecError as error:
            self._fail(part, f"{error}; {WITHOUT[part]}")

    def _take(self, frame: Sound, clean: Sound) -> None:
        """Take the next frame of the stream; in the ``clean`` one who speaks is told."""
        self._now += SECONDS
        self._recent.append(frame)
        stop = self._guarded("spotter", None, self._look_for_stop, frame)
        self._guarded("detector", None, self._look_for_speech, frame, clean, stop)
        if self._finder.spoken and self._parts.get("detector") is None:
            self._end_utterance()

    def _look_for_stop(self, frame: Sound) -> Spotted | None:
        """Stop all if a stop ends with a frame, which is returned; one in doubt is checked."""
        spotted: Spotted | None = self._parts["spotter"](frame)
        if spotted is not None:
            begun, ended = (self._now - ago for ago in spotted.ago)
            is_unchecked = not self.settings.check_stops and spotted.chance >= READ
            if is_unchecked or (spotted.sure and not self._may_be_denied()):
                is_new = self._stop(spotted.phrase, begun, ended)
                return spotted if is_new or self._recording is not None else None
            least = READ if self._check is None else self._check.least_doubt
            chance = math.inf if spotted.sure else spotted.chance
            if chance >= (least if self._doubt is None else self._doubt[0]):
                segment = SpeechSegment(np.concatenate(self._recent), begun, ended, spotted)
                self._doubt = chance, segment
                if spotted.sure:
                    self._sure = time.monotonic(), segment
        if self._doubt is not None and not self._checker.is_busy:
            (_, segment), self._doubt = self._doubt, None
            if self._recording is None and segment.end - self._stop_ended >= ONE_STOP:
                self._checker.add(segment)
        return self._stop_unchecked() or self._take_confirmed()

    def _may_be_denied(self) -> bool:
        """Whether a judge is asked of a stop of which the spotter is sure.

        It is asked in the checker's thread: one that hangs must not hang the microphone's.
        """
        check = self._check
        return check is not None and check.has_judge and self._checker.is_ready

    def _take_confirmed(self) -> Spotted | None:
        """A stop that a check has confirmed, if it was said in the utterance that goes on."""
        segment, self._confirmed = self._confirmed, None
        is_in_it = segment is not None and self._finder.began < segment.end
        return segment.stop if segment is not None and is_in_it else None

    def _stop_unchecked(self) -> Spotted | None:
        """Stop all if the check of a sure stop, which is returned, takes too long."""
        sure = self._sure
        if sure is None or time.monotonic() - sure[0] < SURE_CHECK:
            return None
        self._sure, segment = None, sure[1]
        assert segment.stop is not None
        is_new = self._stop(segment.stop.phrase, segment.start, segment.end)
        return segment.stop if is_new and self._finder.began < segment.end else None

    def _look_for_speech(self, frame: Sound, clean: Sound, stop: Spotted | None) -> None:
        """Cut what is said into utterances, and recognize them."""
        probability = float(self._parts["detector"](clean))
        utterance = self._finder.add(frame, probability, stop)
        speech = self._speech if self._recording is None else None  # there, nothing takes time
        if speech is not None and self._finder.spoken >= BARGE and speech.is_speaking:
            speech.cut()
        if utterance is not None:
            self._add(utterance)
        elif (
            self._recording is None
            and not self._checker.is_busy  # a stop comes first
            and not self._recognition.is_busy
            and (draft := self._finder.draft(math.inf if self.show_draft is None else SHOWN))
            is not None
        ):
            self._recognition.add(draft)  # so that its words are there when the pause is over

    def _end_utterance(self) -> None:
        utterance = self._finder.end()
        if utterance is not None:
            self._add(utterance)

    def _add(self, utterance: SpeechSegment) -> None:
        self._utterances += 1
        self._recognition.add(utterance)

    def _decide(self, segment: SpeechSegment, heard: Transcript | None) -> None:
        """Stop all if a stop in doubt is confirmed, or is likely where nothing can check it."""
        assert segment.stop is not None
        if segment.stop.sure:
            self._sure = None
        if heard is None:
            is_stop = segment.stop.chance >= READ
        else:
            is_stop = bool(stop_words_of(self.run.view).stop_acts_in(heard.text, ()))
        if is_stop:
            self._stop(segment.stop.phrase, segment.start, segment.end)
            self._confirmed = segment

    def _fail_to_check(self, why: str) -> None:
        """Tell once that stops in doubt are not checked."""
        self._fail_once("stop check", f"{why}; all robots stop where a stop is in doubt")

    def _fail_to_recognize(self, why: str, again: bool) -> None:
        say_again = "say it again or " if again else ""
        self._fail("recognizer", f"{why}; please {say_again}type")

    def _stop(self, phrase: str, begun: float, ended: float) -> bool:
        """Stop all robots, and be silent; whether they had not been stopped just before.

        On virtual time the words do, when it is their turn.
        """
        if self._recording is not None or ended - self._stop_ended < ONE_STOP:
            return False
        self._stop_ended = ended
        self.run.stop_button.press()
        if self._speech is not None:
            self._speech.cut()
        after = round(self._now - ended, 2)
        self._post(VoiceStop(phrase, round(begun, 2), round(ended, 2), after))
        return True

    def _heard(self, segment: SpeechSegment, words: Transcript | None) -> None:
        """Take what was said with its words, if there are any; in the recognizer's thread."""
        self._show("")
        heard = words or Transcript("", 0.0)
        understood = put_names_right(self.run.knowledge, heard.text, self._spoken_of())
        text = understood.text
        is_stop = bool(text) and self._is_stop(text)
        if segment.stop is not None and not is_stop:
            text, is_stop = segment.stop.phrase, True  # all have stopped; nothing else is done
        if not text:
            return
        is_sure = understood.is_sure and heard.confidence >= self.settings.sure
        alternatives = (*understood.alternatives, *heard.alternatives)
        asked = ""
        if not is_sure and not is_stop and self._matters(text):
            asked = f"Did you say: {text.rstrip(' .!?')}?"
        taken = is_stop or is_sure
        self._post(
            VoiceHeard(
                text,
                heard.confidence,
                round(segment.start, 2),
                round(segment.end, 2),
                raw="" if text == heard.text else heard.text,
                alternatives=tuple(it for it in dict.fromkeys(alternatives) if it != text),
                asked=asked,
                taken=taken,
                sound=self._keep(segment),
            )
        )
        if is_stop and self._recording is not None:
            self.say(f"/wait {max(segment.start - self._ended, 0):.1f}s")
        self._ended = segment.end
        if taken and not self._has_stopped(segment, text):
            self._take_words(text)
        elif asked:
            self._asked = text
            self._post(Said("assistant", asked))

    def _show(self, text: str) -> None:
        if self.show_draft is not None:
            self.show_draft(text)

    def answer(self, text: str) -> str:
        """What words mean that may answer a question of ours: those that it was about, or none.

        Any others mean what they say, and the question is over.
        """
        asked, self._asked = self._asked, ""
        if not asked or not QuestionLanguage(self.run.view).is_all("answer", text):
            return text
        if text.strip().lower().startswith("no"):
            self._post(Said("assistant", "Please say it again."))
            return ""
        return asked

    def _take_words(self, text: str) -> None:
        if words := self.answer(text):
            self.say(words)

    def _matters(self, text: str) -> bool:
        """Whether words may be an order or an answer, so that not hearing them is told."""
        return names_anything(self.run.knowledge, text) or bool(self.run.team.now.open)

    def _keep(self, segment: SpeechSegment) -> str:
        """Keep the sound, if that is asked for; its file in the run's folder."""
        if not self.settings.keep or self.run.folder is None:
            return ""
        name = f"voice/{self._utterances:04}.wav"
        try:
            write_wav(self.run.folder / name, segment.sound)
        except OSError as error:
            self._fail("keep", f"{name} cannot be written: {error.strerror}")
            return ""
        return name

    def _is_stop(self, text: str) -> bool:
        agents = talk_agents(self.run.knowledge)
        return bool(stop_words_of(self.run.view).stop_acts_in(text, agents))

    def _has_stopped(self, segment: SpeechSegment, text: str) -> bool:
        """Whether words say nothing but a stop, and all have stopped since they began.

        They may come late: what was ordered since is not stopped by them.
        """
        agents = talk_agents(self.run.knowledge)
        is_only_a_stop = stop_words_of(self.run.view).stop_acts(text, agents)
        return bool(is_only_a_stop) and segment.start <= self._stop_ended

    def _begin_speech(self, open_speaker: Callable[[], Speaker]) -> None:
        try:
            speaker = open_speaker()
        except Exception as error:  # anybody's device
            self._fail("speaker", text_of(error))
            return
        self._speech = Speech(
            lambda: open_part("voice", self.settings.voice),
            speaker,
            lambda why: self._fail("voice", why),
        )
        self._speech.begin()

    def _speak(self, record: Record) -> None:
        """Say what is said to people; the loop's thread calls it."""
        if self._speech is None:
            return
        for event in flat(record.event):
            if isinstance(event, Said) and event.who not in self.run.view.people:
                self._speech.say(event.text)

    def _fail_once(self, part: str, why: str) -> None:
        if part not in self._told:
            self._told.add(part)
            self._fail(part, why)

    def _fail(self, part: str, why: str) -> None:
        self._post(VoiceFailed(part, why))

    def _post(self, event: Event) -> None:
        self.run.inbox.post(SOURCE, event)

    def _record(self, message: InboxMessage) -> None:
        """Record what was heard; the loop's message handler."""
        assert isinstance(message.payload, Event)
        for event in number_entries(self.run.world.state, [message.payload]):
            self.run.world.emit(event, SOURCE)
