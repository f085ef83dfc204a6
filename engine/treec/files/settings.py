"""`treec.toml`: a library's files, the pack it offers, its model, and the limits of runs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from treec.files.fields import Duration, Model, ModelName
from treec.files.systems import LimitsSpec
from treec.files.validate import problems_of
from treec.source.diagnostics import Diagnostic, format_text, unknown
from treec.source.text import SourceFile, Span
from treec.source.toml import read_toml
from treec.source.yaml import read_file
from treec.source.yaml_rules import UNREADABLE

SETTINGS = "treec.toml"


class SettingsError(Exception):
    """The file is invalid; the text is what `treec check` prints."""


def _by_name(value: object) -> object:
    return {"name": value} if isinstance(value, str) else value


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


class ModelSpec(Model):
    """A model, where it is, and what is sent with each request to it."""

    name: str | None = Field(None, description="provider/model: openai/gpt-4o-mini, ollama/llama3.")
    api_base: str | None = Field(
        None, description="The server's address (default: the provider's)."
    )
    max_tokens: int | None = Field(None, gt=0, description="Tokens of an answer at most.")
    seed: int | None = Field(None, description="Seed of the server's random choices.")
    reasoning_effort: str | None = Field(None, description="How long it thinks: low, medium, high.")
    headers: dict[str, str] = Field(
        {}, description="Further headers; $NAME is a variable of the environment, such as a key."
    )
    extra_body: dict[str, Any] = Field({}, description="Further fields of a request: {top_k: 5}.")


class ModelSection(ModelSpec):
    """`[model]`: the default model, unless the system or the command line names another."""

    name: ModelName | None = Field(None, description="provider/model: openai/gpt-4o-mini.")
    timeout: Duration | None = Field(
        None, gt=0, description="How long an answer may take, where a prompt does not say (20s)."
    )
    fallback: Annotated[ModelSpec | None, BeforeValidator(_by_name)] = Field(
        None,
        description="The model asked where this one does not answer: its name, or a table.",
    )
    decisions: Annotated[ModelSpec | None, BeforeValidator(_by_name)] = Field(
        None,
        description="The decision model of files whose `answers` ask one: systemone/NAME, or a "
        "table with its address.",
    )


def model_section(section: ModelSection, settings: Mapping[str, object]) -> ModelSection:
    """A section with other settings over its own. Raises SettingsError.

    Where these name another model, what is sent to the section's own is not sent to that.
    """
    data = section.model_dump(exclude_unset=True)
    if settings.get("name", section.name) != section.name and section.name is not None:
        data = {name: data[name] for name in ("timeout", "fallback", "decisions") if name in data}
    for name, value in settings.items():
        own = data.get(name)
        if isinstance(own, dict) and isinstance(value, Mapping):
            value = {**own, **value}
        data[name] = value
    try:
        return ModelSection.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            known = ModelSpec if "." in place else ModelSection
            raise SettingsError(
                unknown("setting of a model", place.rpartition(".")[2], known.model_fields)
            ) from None
        why = first["msg"].removeprefix("Value error, ")
        raise SettingsError(f"the setting '{place}' of a model: {why}") from None


_RULES = Annotated[str, Field(pattern=r"^TC[0-9]{0,3}$")]


class CheckSection(Model):
    """`[check]`: the rules that apply, by their codes or by what these begin with."""

    select: list[_RULES] = Field([], description="The rules that apply (default: all).")
    ignore: list[_RULES] = Field([], description="Rules that do not apply: TC312, TC8.")


_CODE = Annotated[str, Field(pattern=r"^[\w.]+:\w+$")]


class Settings(Model):
    """The sections of the file."""

    library: LibrarySection = Field(default_factory=dict, validate_default=True)
    pack: PackSection | None = None
    model: ModelSection = Field(default_factory=dict, validate_default=True)
    check: CheckSection = Field(default_factory=dict, validate_default=True)
    limits: LimitsSpec = Field(default_factory=dict, validate_default=True)
    voice: dict[str, Any] = Field({}, description="What hears and speaks (docs/voice.md).")
    nodes: dict[str, _CODE] = Field(
        {}, description="Node classes of its own: hysteresis = 'warehouse.hysteresis:Hysteresis'."
    )
    environments: dict[str, _CODE] = Field(
        {}, description="Environments of its own: carts = 'warehouse.carts:open_carts'."
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
