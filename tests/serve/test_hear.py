"""Push-to-talk: a file in the place of Chromium's microphone, and words in the run."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import numpy as np
import pytest

from tests.serve.browser import CHROMIUM, browser
from tests.serve.client import OWN, TOKEN
from tests.serve.test_browser import Watched, served
from tests.serve.test_live import Live, live
from tests.support.library import copy_warehouse
from tests.voice.fakes import SETTINGS, tone
from treec.team.events import Said
from treec_serve.app import MAX_SOUND
from treec_voice.sound import to_pcm, write_wav

__all__ = ["live"]

WORDS = "Start the morning orders."


def post(live: Live, sound: str, run: str = "here") -> tuple[int, str]:
    body = json.dumps({"run": run, "sound": sound}).encode()
    answer = live.send(f"/{TOKEN}/live/hear", "POST", body, **OWN)
    return answer.status_code, answer.text


def test_what_is_no_sound_is_refused(live: Live) -> None:
    assert post(live, "no base64!")[0] == 400
    assert post(live, "", run="there")[0] == 404
    assert post(live, "A" * MAX_SOUND)[0] == 413
    assert post(live, "", run=1)[0] == 400  # type: ignore[arg-type]


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_what_is_said_while_the_button_is_held_is_said_to_the_run(tmp_path: Path) -> None:
    library = copy_warehouse(tmp_path / "library")
    with (library / "treec.toml").open("a", encoding="utf-8") as file:
        file.write(SETTINGS)
    write_wav(tmp_path / "said.wav", np.tile(tone(500, 0.5), 20))
    flags = (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-audio-capture={tmp_path / 'said.wav'}",
    )
    with (
        browser(tmp_path / "profile", *flags) as page,
        Watched(library, speed=1.0) as watched,
        served(library, page, watched.live) as url,
    ):
        page.open(f"{url}?live")
        page.until("!document.querySelector('#say').hidden")
        button = "document.querySelector('#say button[type=button]')"
        page.until(f"!{button}.hidden")
        page.value(f"{button}.dispatchEvent(new PointerEvent('pointerdown'))")
        page.until(f"{button}.textContent === 'Listening'")
        page.until(f"document.querySelector('#words').value === '{WORDS}'")  # while it is said
        assert not watched.find(Said, text=WORDS)
        page.value(f"{button}.dispatchEvent(new PointerEvent('pointerup'))")
        watched.wait(Said, text=WORDS)
        page.until("document.querySelector('#talk').textContent.includes('morning orders.')")
        page.until("document.querySelector('#words').value === ''")
        assert page.errors == []


def test_words_come_with_names_put_right_and_what_is_unsure_is_told(
    tmp_path: Path,
) -> None:
    from treec.files.library import load_library
    from treec.files.view import View
    from treec_voice.page import words_said

    library = copy_warehouse(tmp_path / "library")
    unsure = SETTINGS.replace(
        '"tests.voice.fakes:ToneRecognizer"',
        '{use = "tests.voice.fakes:ToneRecognizer", unsure = 500}',
    )
    for settings, sure in ((SETTINGS, True), (unsure, False)):
        (library / "treec.toml").write_text(settings.strip(), "utf-8")
        loaded = load_library(library)
        view = View(loaded, loaded.find("system", "warehouse"))
        said = words_said(view, to_pcm(tone(500)).tobytes())
        assert (said["text"], said["sure"]) == (WORDS, sure)
    assert words_said(view, to_pcm(tone(900)).tobytes())["sure"], "a stop always is"


def test_a_recognizer_that_hangs_or_exits_is_told_and_the_next_words_are_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from treec.files.library import load_library
    from treec.files.view import View
    from treec_voice import page
    from treec_voice.doors import CannotTalk, Transcript

    library = copy_warehouse(tmp_path / "library")
    (library / "treec.toml").write_text(SETTINGS.strip(), "utf-8")
    loaded = load_library(library)
    view = View(loaded, loaded.find("system", "warehouse"))
    samples, end = to_pcm(tone(500)).tobytes(), threading.Event()

    def hang(*given: object) -> Transcript:
        end.wait(10)
        return Transcript(WORDS, 0.9)

    def leave(*given: object) -> Transcript:
        raise SystemExit(3)

    for recognize, patience, why in ((hang, 0.0, "not return within 0 s"), (leave, 9, "exit.3.")):
        with monkeypatch.context() as patched:
            for name, value in (("PATIENCE", patience), ("LOADING", patience)):
                patched.setattr(page, name, value)
            patched.setattr(page, "recognize", recognize)
            with pytest.raises(CannotTalk, match=f"{why}; please type"):
                page.words_said(view, samples)
    end.set()
    assert page.words_said(view, samples)["text"] == WORDS
    monkeypatch.setattr(page, "PATIENCE", 0.0)
    monkeypatch.setattr(page, "_open", {"of other settings": hang})
    assert page.words_said(view, samples)["text"] == WORDS  # this one has yet to be loaded
