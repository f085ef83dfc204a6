"""The extension of voices: how `treec run` is talked with, and what the journal tells of it."""

from __future__ import annotations

from treec.extensions import Extension

EXTENSION = Extension(
    name="voice",
    events=("treec_voice.events",),
    tools={
        "voice": "treec_voice.display:voice_display",
        "words_said": "treec_voice.page:words_said",
    },
)
