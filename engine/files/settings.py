"""What a library's `treec.toml` says besides its folders: the model that runs ask, their limits."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from engine.files.fields import Model
from engine.files.library import SETTINGS
from engine.files.systems import LimitsSpec


class SettingsError(Exception):
    """The file cannot be used, and why."""


class ModelSection(Model):
    """`[model]`: what is asked unless the system or the command line says otherwise."""

    name: str | None = Field(None, description="provider/model: openai/gpt-4o-mini, ollama/llama3.")
    api_base: str | None = Field(None, description="The server's address, if not the provider's.")


class Settings(Model):
    """The sections that a run reads."""

    model: ModelSection = Field(default_factory=lambda: ModelSection.model_validate({}))
    limits: LimitsSpec = Field(default_factory=lambda: LimitsSpec.model_validate({}))


def read_settings(root: Path) -> Settings:
    """The settings of the library in a folder. Raises SettingsError."""
    path = root / SETTINGS
    data: dict[str, Any] = {}
    if path.is_file():
        try:
            data = tomllib.loads(path.read_text("utf-8"))
        except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError(f"{path}: {error}") from None
    try:
        return Settings.model_validate({n: data[n] for n in ("model", "limits") if n in data})
    except ValidationError as error:
        told = [f"[{'.'.join(map(str, one['loc']))}] {one['msg']}" for one in error.errors()]
        raise SettingsError(f"{path}: {'; '.join(told)}") from None
