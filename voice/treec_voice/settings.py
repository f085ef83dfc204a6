"""`[voice]` of treec.toml: which parts hear and speak, and what is kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from treec.files.settings import SETTINGS, SettingsError, read_settings
from treec_voice.doors import CannotTalk

Part = str | dict[str, Any]


class VoiceSettings(BaseModel):
    """The keys of the section; a part is a name, or a table with `use` and its arguments."""

    model_config = ConfigDict(extra="forbid")

    recognizer: Part = "whisper"
    voice: Part = "hibari"
    spotter: Part = "network"
    detector: Part = "silero"
    canceller: Part = "webrtc"
    microphone: str | int | None = None
    speaker: str | int | None = None
    keep: bool = Field(False, description="Whether what is heard is kept as sound.")
    check_stops: bool = Field(True, description="Whether a stop in doubt is recognized first.")
    sure: float = Field(0.5, ge=0, le=1, description="Confidence from which words are acted on.")


def read_voice_settings(root: Path) -> VoiceSettings:
    """The settings of a library. Raises CannotTalk."""
    try:
        section: Mapping[str, Any] = read_settings(root).voice
    except SettingsError as error:
        raise CannotTalk(str(error)) from None
    try:
        return VoiceSettings(**section)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"][:1]))
        if first["type"] == "extra_forbidden":
            known = ", ".join(VoiceSettings.model_fields)
            raise CannotTalk(f"{SETTINGS}: [voice]: unknown key '{key}'; keys: {known}") from None
        raise CannotTalk(f"{SETTINGS}: [voice]: {key}: {first['msg']}") from None
