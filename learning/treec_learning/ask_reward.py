"""A reward from a model, or from DAG-Plan's table (section 3.3): primitives, combined.

What the model writes is data: it is checked as any reward file is, and a faulty answer is asked for
again with what was found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from pydantic import ValidationError

from treec.ask.transport import Message, Request, Transport
from treec_asking.extract import NoObject, find_object
from treec_learning.files import RewardFile
from treec_learning.names import ABOUT, ARGUMENTS
from treec_learning.shipped import reward_file
from treec_learning.term_faults import term_faults

TRIES = 3
"""Answers that a model may give."""
PHRASES: tuple[tuple[str, str], ...] = (
    ("put <pot> into <sink>", "put_pot_into_sink"),
    ("put <pot> onto <stove>", "put_pot_onto_stove"),
    ("put <object> into <target>", "put_into"),
    ("put <object> onto <target>", "put_onto"),
    ("pour <object> into <target>", "pour"),
    ("cut <target> with <knife>", "cut"),
    ("switch on <target>", "switch_on"),
    ("switch off <target>", "switch_off"),
    ("open <target>", "open"),
    ("close <target>", "close"),
    ("grasp <target>", "grasp"),
)
"""Sub-tasks of DAG-Plan's Table 6 and their rewards; the first two are of these things alone."""
_ONLY = {"put_pot_into_sink": ("pot", "sink"), "put_pot_onto_stove": ("pot", "stove")}
_TERM: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "primitive": {"type": "string", "enum": sorted(ARGUMENTS)},
        "of": {"type": "array", "items": {"type": ["string", "number"]}},
        "weight": {"type": "number", "minimum": 0},
        "success": {"type": ["number", "null"]},
    },
    "required": ["primitive", "of", "weight", "success"],
    "additionalProperties": False,
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "about": {"type": "string"},
        "args": {"type": "object", "additionalProperties": {"type": "string"}},
        "right": {"type": "array", "items": _TERM, "minItems": 1},
        "left": {"type": "array", "items": _TERM},
    },
    "required": ["about", "args", "right", "left"],
    "additionalProperties": False,
}
"""The JSON Schema of an answer."""


class NoReward(ValueError):
    """There is no reward for a sub-task; the message says why."""


@dataclass(frozen=True)
class WrittenReward:
    """A reward for a sub-task, who wrote it, and why answers before it were refused."""

    reward: RewardFile
    by: str
    refused: tuple[str, ...] = ()


def known_reward(subtask: str) -> RewardFile:
    """Return the reward of DAG-Plan's Table 6 for a sub-task. Raises NoReward."""
    words = " ".join(subtask.lower().split())
    for phrase, name in PHRASES:
        pattern = re.sub(r"<(\w+)>", lambda m: rf"<?(?P<{m[1]}>[^<>]+?)>?", phrase)
        match = re.fullmatch(pattern, words)
        if match and tuple(match.groupdict().values()) == _ONLY.get(
            name, tuple(match.groupdict().values())
        ):
            return reward_file(name)
    listed = ", ".join(phrase for phrase, _ in PHRASES)
    raise NoReward(f"no reward is known for '{subtask}': {listed}; or specify a --model")


async def ask_for_reward(
    subtask: str,
    transport: Transport,
    graph: str = "",
    tell: Callable[[str], None] = lambda text: None,
) -> WrittenReward:
    """Ask a model for the reward of a sub-task, at most three times. Raises NoReward.

    ``graph`` is the text of the task graph that it is a part of. Raises TransportError.
    """
    messages = [Message("system", _prompt()), Message("user", _question(subtask, graph))]
    refused: list[str] = []
    for attempt in range(1, TRIES + 1):
        answer = await transport.ask(
            Request("Reward", "reward", tuple(messages), SCHEMA, {"subtask": subtask}, attempt)
        )
        try:
            reward = read_answer(subtask, answer.text)
        except NoReward as error:
            refused.append(str(error))
            tell(f"answer {attempt} was refused: {error}")
            again = f"That cannot be used: {error}. Answer again, with the JSON alone."
            messages += [Message("assistant", answer.text), Message("user", again)]
            continue
        return WrittenReward(reward, answer.by, tuple(refused))
    raise NoReward(f"{TRIES} answers were refused, the last one because {refused[-1]}")


def read_answer(subtask: str, text: str) -> RewardFile:
    """Read a model's answer. Raises NoReward if it is not a valid reward."""
    try:
        data = find_object(text)
    except NoObject as error:
        raise NoReward(f"the answer cannot be read: {error}") from None
    try:
        reward = RewardFile.model_validate({"reward": name_of(subtask), **data})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise NoReward(f"{place}: {first['msg']}") from None
    for fault in term_faults(reward):
        if fault.severity == "error":
            place = ".".join(map(str, fault.place))
            help = f" ({fault.help})" if fault.help else ""
            raise NoReward(f"{place}: {fault.message}{help}")
    return reward


def name_of(subtask: str) -> str:
    """Return a name for the reward of a sub-task: its words."""
    return "_".join(re.findall(r"[a-z0-9]+", subtask.lower()))[:60] or "reward"


def to_file(reward: RewardFile) -> dict[str, Any]:
    """Return a reward as the plain data of its file, without what is as it is by default."""
    return reward.model_dump(exclude_defaults=True)


def _prompt() -> str:
    text = files("treec_learning").joinpath("prompts", "reward.jinja").read_text("utf-8")
    environment = Environment(undefined=StrictUndefined, autoescape=False)
    return environment.from_string(text).render(arguments=ARGUMENTS, about=ABOUT)


def _question(subtask: str, graph: str) -> str:
    asked = f'The sub-task: "{subtask}"'
    if not graph:
        return asked
    return f"The task graph that it is a part of:\n{json.dumps(graph)}\n\n{asked}"
