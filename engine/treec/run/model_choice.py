"""Choose the model of a run: by options, else the system's, else the library's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from treec.world.spec import ModelOptions

if TYPE_CHECKING:
    from treec.ask.models import ModelChoice
    from treec.files.systems import SystemFile
    from treec.files.view import View


def choose_model(
    root: Path, system: SystemFile | None, options: ModelOptions
) -> ModelChoice | None:
    """The model of the options, else the system's, else the library's; None if there is none.

    Raises SettingsError.
    """
    from treec.ask.limits import Limits
    from treec.ask.models import ModelChoice
    from treec.files.settings import read_settings

    if options.offline:
        return None
    settings = read_settings(root)
    name = options.model or (system.model if system else None) or settings.model.name
    if name is None:
        return None
    base = options.api_base
    if base is None and settings.model.name in (
        None,
        name,
    ):  # a base is for one model
        base = settings.model.api_base
    limits = Limits(options.max_time, options.max_tokens, options.max_cost)
    for spec in (system.limits if system else None, settings.limits):
        if spec is not None:
            limits = limits.over(Limits(spec.time, spec.tokens, spec.cost))
    return ModelChoice(name, base, limits)


def models_of_nodes(view: View) -> list[str]:
    """The models that nodes name in their files, sorted."""
    from treec.files.prompts import Prompt

    prompts = (entry.model for entry in view.entries if isinstance(entry.model, Prompt))
    return sorted({prompt.model.name for prompt in prompts if prompt.model.name is not None})
