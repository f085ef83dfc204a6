"""Answers as the rules would give them, some of which are wrong."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treec.ask.transport import Request
from treec_asking.asking import AskingNode
from treec_models.fingerprint import request_fingerprint
from treec_models.rule_answers import RuleAnswers


@dataclass
class ErringAnswers(RuleAnswers):
    """A share of the answers, drawn by the seed and the request, ``errs``."""

    errs: float = 0.0
    seed: int = 0

    def answer(self, request: Request, node: AskingNode[Any]) -> dict[str, Any] | None:
        """The answer of the rules, or another option, no action, or no act."""
        data = super().answer(request, node)
        rng = random.Random(f"{self.seed} {request_fingerprint(request)}")
        wrong = data is not None and rng.random() < self.errs
        return err(data, request.schema, rng) if data is not None and wrong else data


def err(data: dict[str, Any], schema: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """A wrong answer instead of this one, of the form that is asked for."""
    if "choose" not in data:
        return {name: [] for name in data}
    options = schema["properties"]["choose"]["enum"]
    others = [option for option in options if option != data["choose"]]
    return {"choose": rng.choice(others or options)}
