"""The model of a run: chosen by options, else the system's, else the library's, and opened."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

from treec.ask.asker import OpenedModel
from treec.ask.limits import Limits
from treec.ask.transport import decision_model_name
from treec.files.prompts import Prompt
from treec.files.settings import ModelSpec, SettingsError, model_section, read_settings
from treec.files.systems import SystemFile
from treec.files.view import View
from treec.source.errors import TreecError
from treec.world.spec import ModelOptions
from treec_asking.open_model import CannotAsk, ModelChoice, RequestSettings, open_model

_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


def open_chosen(
    root: Path, system: SystemFile | None, options: ModelOptions, view: View | None
) -> OpenedModel | None:
    """The tool `model`: see ``treec.api.open_model.open_model``. Raises TreecError."""
    try:
        choice = choose_model(root, system, options)
        if choice is None:
            return None
        others = [] if view is None else models_of_nodes(view)
        transport = open_model(choice, others)
    except (SettingsError, CannotAsk) as error:
        raise TreecError(str(error)) from None
    return OpenedModel(choice.name, transport, tuple(sorted({choice.name, *others})))


def choose_model(
    root: Path, system: SystemFile | None, options: ModelOptions
) -> ModelChoice | None:
    """The model of the options, else the system's, else the library's; None if there is none.

    Raises SettingsError.
    """
    if options.offline:
        return None
    settings = read_settings(root)
    named = options.model or (system.model if system else None) or settings.model.name
    given = (
        dict(options.model_settings) if named is None else {"name": named, **options.model_settings}
    )
    if options.api_base is not None:
        given["api_base"] = options.api_base
    section = model_section(settings.model, given)
    if_named = section.name is None
    if section.name is None:
        if section.decisions is None:
            return None
        section = section.model_copy(update={"name": _choice(section.decisions, typed=True).name})
    limits = Limits(options.max_time, options.max_tokens, options.max_cost)
    for spec in (system.limits if system else None, settings.limits):
        if spec is not None:
            limits = limits.over(Limits(spec.time, spec.tokens, spec.cost))
    fallback = None if section.fallback is None else _choice(section.fallback)
    timeout = section.timeout if "timeout" in options.model_settings else None
    asked = None if section.decisions is None else _choice(section.decisions, typed=True)
    choice = _choice(section)
    if asked is not None and asked.name == choice.name and choice.api_base is None:
        choice = asked
    return replace(
        choice,
        limits=limits,
        fallback=fallback,
        timeout=timeout,
        decisions=asked,
        if_named=if_named,
    )


def _choice(spec: ModelSpec, *, typed: bool = False) -> ModelChoice:
    """Raises SettingsError."""
    if spec.name is None:
        raise SettingsError("a model to fall back on needs a name: fallback = 'ollama/llama3.1'")
    headers = {}
    for header, value in spec.headers.items():
        variables = set(_VARIABLE.findall(value))
        missing = next((name for name in sorted(variables) if name not in os.environ), None)
        if missing is not None:
            raise SettingsError(f"the header {header} needs {missing} in the environment")
        headers[header] = _VARIABLE.sub(lambda match: os.environ[match[1]], value)
    settings = RequestSettings(
        spec.max_tokens, spec.seed, spec.reasoning_effort, headers, spec.extra_body
    )
    name = decision_model_name(spec.name) if typed else spec.name
    return ModelChoice(name, spec.api_base, settings=settings)


def models_of_nodes(view: View) -> list[str]:
    """The models that nodes name in their files, sorted."""
    prompts = [entry.model for entry in view.entries if isinstance(entry.model, Prompt)]
    listed = [spec for prompt in prompts for spec in prompt.answerers]
    typed = {decision_model_name(one.decision_model) for one in listed if one.decision_model}
    named = {*(prompt.model.name for prompt in prompts), *(one.model for one in listed)}
    return sorted(typed | {name for name in named if name is not None})
