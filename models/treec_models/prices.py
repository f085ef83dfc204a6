"""LiteLLM's list of prices and models, read without LiteLLM, which takes seconds to import."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

LIST = "model_prices_and_context_window_backup.json"


def token_cost(model: str, prompt: int, written: int) -> float | None:
    """What these tokens cost in US dollars; None for a model that the list lacks."""
    listed = _listed(model)
    of_input, of_output = listed.get("input_cost_per_token"), listed.get("output_cost_per_token")
    if not isinstance(of_input, int | float) or not isinstance(of_output, int | float):
        return None
    return float(prompt * of_input + written * of_output)


def needs_responses_interface(model: str) -> bool:
    """Whether OpenAI serves a model by its responses interface only."""
    return model.startswith("openai/") and _listed(model).get("mode") == "responses"


def _listed(model: str) -> dict[str, Any]:
    """What the list has of a model of OpenAI's; nothing if there is no list."""
    found = _read_list().get(model.removeprefix("openai/"))
    return found if isinstance(found, dict) else {}


@cache
def _read_list() -> dict[str, Any]:
    package = find_spec("litellm")
    folders = package.submodule_search_locations if package is not None else None
    try:
        return dict(json.loads(Path((folders or ["/"])[0], LIST).read_text("utf-8")))
    except (OSError, ValueError):
        return {}
