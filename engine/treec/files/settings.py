"""`treec.toml`: a library's files, the pack it offers, its model, and the limits of runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from treec.files.fields import Model
from treec.files.systems import LimitsSpec
from treec.files.validate import problems_of
from treec.source.diagnostics import Diagnostic, format_text
from treec.source.text import SourceFile, Span
from treec.source.toml import read_toml
from treec.source.yaml import read_file
from treec.source.yaml_rules import UNREADABLE

SETTINGS = "treec.toml"


class SettingsError(Exception):
    """The file is invalid; the text is what `treec check` prints."""


class LibrarySection(Model):
    """`[library]`: which files belong to it, and its own Python."""

    exclude: list[str] = Field([], description="Folders to ignore.")
    package: str | None = Field(
        None, description="The library's own Python package: a folder of its root, or installed."
    )


class PartSpec(Model):
    """A part of a pack that `uses:` can name by itself."""

    folders: list[str] = Field(min_length=1, description="Its folders, from the pack's own.")
    uses: list[str] = Field([], description="Parts of other packs that come with it.")
    about: str | None = Field(None, description="What it holds, for 'treec packs'.")


class PackSection(Model):
    """`[pack]`: the pack that the library is once it is installed."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", description="Its name in 'uses:'.")
    version: str | None = Field(
        None, description="Version (default: the installed distribution's)."
    )
    about: str | None = None
    parts: dict[str, PartSpec] = Field({}, description="Named parts: depot, depot/tasks.")
    templates: str | None = Field(
        None, description="A folder with a folder for each template of 'treec init'."
    )


class ModelSection(Model):
    """`[model]`: the default model, unless the system or the command line names another."""

    name: str | None = Field(None, description="provider/model: openai/gpt-4o-mini, ollama/llama3.")
    api_base: str | None = Field(
        None, description="The server's address (default: the provider's)."
    )


_RULES = Annotated[str, Field(pattern=r"^TC[0-9]{0,3}$")]


class CheckSection(Model):
    """`[check]`: the rules that apply, by their codes or by what these begin with."""

    select: list[_RULES] = Field([], description="The rules that apply (default: all).")
    ignore: list[_RULES] = Field([], description="Rules that do not apply: TC517, TC8.")


class Settings(Model):
    """The sections of the file."""

    library: LibrarySection = Field(default_factory=lambda: LibrarySection.model_validate({}))
    pack: PackSection | None = None
    model: ModelSection = Field(default_factory=lambda: ModelSection.model_validate({}))
    check: CheckSection = Field(default_factory=lambda: CheckSection.model_validate({}))
    limits: LimitsSpec = Field(default_factory=lambda: LimitsSpec.model_validate({}))
    nodes: dict[str, Annotated[str, Field(pattern=r"^[\w.]+:\w+$")]] = Field(
        {}, description="Node classes of its own: hysteresis = 'warehouse.hysteresis:Hysteresis'."
    )


def settings_of(root: Path) -> tuple[Settings, SourceFile | None, list[Diagnostic]]:
    """Read a library's settings; return them, their text and the problems in it.

    If a file has errors, its valid sections are kept.
    """
    path = root / SETTINGS
    if not path.is_file():
        return Settings.model_validate({}), None, []
    if path.is_symlink() and root.resolve() not in path.resolve().parents:
        why = "this cannot be read: it is a symbolic link that leads out of the library"
        return Settings.model_validate({}), None, [UNREADABLE.at(Span(SETTINGS, 1, 1, 1, 2), why)]
    file, problems = read_file(path, SETTINGS)
    if file is None:
        return Settings.model_validate({}), None, problems
    data, nodes, problems = read_toml(file)
    try:
        return Settings.model_validate(data), file, problems
    except ValidationError as error:
        wrong = {one["loc"][0] for one in error.errors()}
        kept = {name: value for name, value in data.items() if name not in wrong}
        return Settings.model_validate(kept), file, problems_of(error, data, nodes, Settings)


def read_settings(root: Path) -> Settings:
    """Read the settings of the library in a folder. Raises SettingsError."""
    settings, file, problems = settings_of(root)
    if problems:
        raise SettingsError(format_text(problems, {} if file is None else {SETTINGS: file}))
    return settings
