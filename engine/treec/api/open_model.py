"""Opens the model that options and files choose, by the package that asks models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from treec.api.errors import TreecError
from treec.files.settings import SettingsError, read_settings
from treec.source.tools import find_tool
from treec.world.spec import ModelOptions

if TYPE_CHECKING:
    from treec.ask.asker import OpenedModel
    from treec.files.systems import SystemFile
    from treec.files.view import View

OpenModel = Callable[[Path, "SystemFile | None", ModelOptions, "View | None"], "OpenedModel | None"]
"""The tool `model`, which is called as :func:`open_model`; it raises TreecError."""


def open_model(
    root: Path, system: SystemFile | None, options: ModelOptions, view: View | None = None
) -> OpenedModel | None:
    """The model of the options, else the system's, else the library's; None if none is named.

    ``view``: the files whose nodes may ask models that they name. Raises TreecError.
    """
    try:
        model = read_settings(root).model
    except SettingsError as error:
        raise TreecError(str(error)) from None
    in_files = (system and system.model) or model.name or model.decisions
    if options.offline or not (options.model or options.model_settings or in_files):
        return None
    opens = cast("OpenModel", find_tool("model", "no model can be asked"))
    return opens(root, system, options, view)
