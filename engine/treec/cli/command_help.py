"""The help of a command: what an option takes in a word, and a long list of options in groups."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

MANY = 15
"""Options of a command that has them in groups."""
GROUPS = {
    "What runs": "--scenario --task --scene --env --system --seed --jitter --resume",
    "What is said": "--dialogue --chat --voice --voice-in --voice-out",
    "Time": "--speed --fast --heartbeat",
    "Models": "--model --api-base --offline --max-cost --max-tokens --max-time --model-set",
    "Faults and debugging": "--inject --step --pause-at --approve --values --watch --monitor",
    "Senses and memory": "--see --film --memories --embedder",
}
OTHERS = "Options"
_TYPES = {"str": "TEXT", "int": "NUMBER", "float": "NUMBER", "Path": "PATH", "path": "PATH"}
_SHOWN = re.compile(r"<(?:list\[)?([^<>\]]+?)(?: range)?\]?>")


class HelpfulCommand(TyperCommand):
    """A command that says TEXT, NUMBER, PATH or the choices where typer shows a Python type."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then options."""
        arguments: list[tuple[str, str]] = []
        groups: dict[str, list[tuple[str, str]]] = {name: [] for name in (*GROUPS, OTHERS)}
        params = [(it, it.get_help_record(ctx)) for it in self.get_params(ctx)]
        many = len(params) > MANY
        for param, record in params:
            if record is None:
                continue
            name, about = record
            if param.param_type_name == "argument":
                arguments.append((_SHOWN.sub("", name).strip(), about))
            else:
                option = _SHOWN.sub(lambda it: _TYPES.get(it[1], it[1]), name)
                groups[_group(param.opts) if many else OTHERS].append((option, about))
        for title, rows in {"Arguments": arguments, **groups}.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _group(names: list[str]) -> str:
    found = (title for title, of in GROUPS.items() if any(name in of.split() for name in names))
    return next(found, OTHERS)
