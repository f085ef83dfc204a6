"""The kinds of files, each with its model; extensions declare them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from treec.extensions import ExtensionError, PlanForm, depends_on_extensions, registry
from treec.files.entry import AnyEntry
from treec.files.fields import Model
from treec.files.prompts import PlanFile
from treec.source.diagnostics import suggestion


class _Models(Mapping[str, type[Model]]):
    """Every kind with its model, imported on first use."""

    def __getitem__(self, kind: str) -> type[Model]:
        tables = registry()
        target = tables.kinds[kind].model
        model = tables.load(target)
        if not (isinstance(model, type) and issubclass(model, Model)):
            raise ExtensionError(
                f"{tables.owner(target)}: {target} is not a treec.files.fields.Model"
            )
        if kind not in model.model_fields:
            raise ExtensionError(f"{tables.owner(target)}: {target} has no field '{kind}'")
        return model

    def __contains__(self, kind: object) -> bool:
        return kind in registry().kinds

    def __iter__(self) -> Iterator[str]:
        return iter(registry().kinds)

    def __len__(self) -> int:
        return len(registry().kinds)


MODELS: Mapping[str, type[Model]] = _Models()
"""Every kind, in the order in which pages and schemas list them.

A model that cannot be used raises ExtensionError.
"""


class UnknownForm(ValueError):
    """A plan whose `answers` names no form; ``help`` says which there are."""

    def __init__(self, form: object) -> None:
        super().__init__(f"unknown form of plan '{form}'")
        self.help = suggestion(str(form), registry().plans, "forms of plans")


def model_of(kind: str, data: object) -> type[Model]:
    """The model of a file's data: of a plan, that of its form. Raises UnknownForm."""
    model = MODELS[kind]
    if not issubclass(model, PlanFile):
        return model
    form = data.get("answers", "graph") if isinstance(data, Mapping) else None
    forms = registry().plans
    if not isinstance(form, str) or form not in forms:
        raise UnknownForm(form)
    return _form_model(forms[form])


def models_of(kind: str) -> Sequence[type[Model]]:
    """All models of a kind: several for plans, one for each form."""
    if not issubclass(MODELS[kind], PlanFile):
        return (MODELS[kind],)
    return tuple(map(_form_model, registry().plans.values())) or (MODELS[kind],)


def _form_model(form: PlanForm) -> type[Model]:
    tables = registry()
    model = tables.load(form.model)
    if not (isinstance(model, type) and issubclass(model, PlanFile)):
        owner = tables.owner(form.model)
        raise ExtensionError(f"{owner}: {form.model} is not a treec.files.prompts.PlanFile")
    return model


def plan_form(entry: AnyEntry) -> PlanForm | None:
    """The form of a plan; None for files of other kinds."""
    return registry().plans[entry.model.answers] if isinstance(entry.model, PlanFile) else None


def recorded_kind(entry: AnyEntry) -> str:
    """The kind that requests and recordings of a file name.

    It is the former one, so that recordings of kinds that became forms of `plan` stay valid.
    """
    form = plan_form(entry)
    return form.was if form is not None and form.was else entry.kind


def asked_by_command(entry: AnyEntry) -> bool:
    """Whether a command asks for it, and no node of a tree."""
    form = plan_form(entry)
    return getattr(entry.model, "scores_cases", False) or (form is not None and form.by_command)


def prompts() -> tuple[str, ...]:
    """Return the kinds whose nodes ask, in reference order; their models subclass `Prompt`."""
    return tuple(kind.name for kind in registry().kinds.values() if kind.asks)


@lru_cache(maxsize=1)
def behaviours() -> tuple[str, ...]:
    """Return the kinds that a decision's option may name; they share one namespace."""
    found = [kind for kind in registry().kinds.values() if kind.behaviour]
    return tuple(kind.name for kind in sorted(found, key=lambda kind: kind.behaviour))


depends_on_extensions(behaviours.cache_clear)
