"""The model that a run asks: which it is, and how a package that can ask it opens it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from treec.ask.limits import NO_LIMITS, Limits
from treec.ask.transport import Transport
from treec.companions import missing_help
from treec.extensions import ExtensionError, registry
from treec.foreign import BadReport, kind_of

ANY = "any"
"""The provider under which an extension opens the models of all others."""


class CannotAsk(Exception):
    """The model cannot be asked as things stand, and what would help."""


@dataclass(frozen=True, slots=True)
class RequestSettings:
    """What is sent with each request, as the provider's interface names it."""

    max_tokens: int | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    extra_body: Mapping[str, object] = field(default_factory=dict)

    def parameters(self) -> dict[str, object]:
        """Those that are parameters of the interface, as far as they are set."""
        names = ("max_tokens", "seed", "reasoning_effort")
        found = ((name, getattr(self, name)) for name in names)
        return {name: value for name, value in found if value is not None}


NO_SETTINGS = RequestSettings()
"""The provider's own."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which model, `provider/name`; where, if not at its provider's; how much a run may spend.

    ``fallback`` is asked where this one does not answer, ``decisions`` is the decision model that
    nodes ask beside it. ``timeout``: how many seconds an answer may take, whatever the request
    says. ``if_named``: only those ask it whose files name it.
    """

    name: str
    api_base: str | None = None
    limits: Limits = NO_LIMITS
    settings: RequestSettings = NO_SETTINGS
    fallback: ModelChoice | None = None
    decisions: ModelChoice | None = None
    timeout: float | None = None
    if_named: bool = False


Open = Callable[[ModelChoice, Iterable[str]], Transport]


def open_model(choice: ModelChoice, others: Iterable[str] = ()) -> Transport:
    """A model that runs in asyncio, by the extension of its provider. Raises CannotAsk.

    ``others`` are the models that nodes name for themselves: what keeps one from being asked is
    said when its node asks.
    """
    tables = registry()
    target = tables.models.get(choice.name.partition("/")[0]) or tables.models.get(ANY)
    if target is None:
        help = missing_help("models", ANY) or "no installed package asks models"
        raise CannotAsk(f"the model '{choice.name}' cannot be asked: {help}")
    try:
        opens = cast("Open", tables.load(target))

        def open_it() -> Transport:
            made = opens(choice, others)
            if not callable(getattr(made, "ask", None)):
                raise BadReport(f"it gave {kind_of(made)}, not a Transport")
            return made

        return tables.call(target, open_it, CannotAsk)
    except ExtensionError as error:
        raise CannotAsk(f"the model '{choice.name}' cannot be asked: {error}") from error
