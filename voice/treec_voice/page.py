"""What is said into a page of runs, as words: the recognizer of the library's settings."""

from __future__ import annotations

import threading

import numpy as np

from treec.files.view import View
from treec.foreign import text_of
from treec.team.knowledge import Knowledge, talk_agents
from treec.team.language import stop_words_of
from treec.world.bounded import BoundedCall, NotInTime
from treec_voice.doors import CannotTalk, Recognizer, Transcript, open_part
from treec_voice.names import hot_words, put_names_right
from treec_voice.recognition import LOADING, PATIENCE, recognize
from treec_voice.settings import VoiceSettings, read_voice_settings

_lock = threading.Lock()
_open: dict[str, Recognizer] = {}
"""Recognizers that are loaded, by what the settings say of them."""


def words_said(view: View, samples: bytes) -> dict[str, object]:
    """The words of 16-bit samples at 16 kHz: ``text``, and whether it is ``sure``.

    A stop is always sure. One utterance is recognized at a time. Raises CannotTalk.
    """
    settings = read_voice_settings(view.library.root)
    knowledge = Knowledge(view)
    sound = np.frombuffer(samples[: len(samples) // 2 * 2], "<i2").astype(np.float32) / 32768
    hints = hot_words(knowledge)

    def hear() -> Transcript:
        return recognize(_recognizer(settings), sound, hints, settings.sure)

    with _lock:
        try:
            is_loaded = repr(settings.recognizer) in _open
            heard = BoundedCall(hear, PATIENCE if is_loaded else LOADING).result()
        except CannotTalk:
            raise
        except NotInTime as error:
            _open.clear()  # the next one is asked of another
            raise CannotTalk(f"the recognizer {error}; please type") from None
        except (Exception, SystemExit) as error:  # anybody's code
            raise CannotTalk(f"the recognizer: {text_of(error)}; please type") from error
    understood = put_names_right(knowledge, heard.text)
    words = stop_words_of(view)
    is_stop = bool(words.stop_acts_in(understood.text, talk_agents(knowledge)))
    is_sure = is_stop or (understood.is_sure and heard.confidence >= settings.sure)
    return {"text": understood.text, "sure": is_sure, "confidence": heard.confidence}


def _recognizer(settings: VoiceSettings) -> Recognizer:
    named = repr(settings.recognizer)
    if named not in _open:
        _open[named] = open_part("recognizer", settings.recognizer)
    return _open[named]
