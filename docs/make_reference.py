"""Writes docs/reference/ from the code: kinds, nodes, names, actions, rules, commands.

``python docs/make_reference.py`` rewrites the pages; with ``--check`` it says which are stale and
ends with status 1. A test runs it with ``--check``.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import BaseModel

HERE = Path(__file__).parent
OUT = HERE / "reference"
MADE = "<!-- Made by docs/make_reference.py from the code: change the docstrings, not this page. -->\n"


def cell(text: str) -> str:
    """Text inside a table."""
    return " ".join(text.split()).replace("|", "\\|")


def type_words(schema: dict[str, Any]) -> str:
    """A field's type in the words of the schema."""
    description = schema.get("description", "")
    for word in ("expression", "text", "value", "type", "duration"):
        if description.lower().startswith((f"an {word}:", f"a {word}:")):
            return word
    if "anyOf" in schema:
        parts = [type_words(option) for option in schema["anyOf"]]
        return " or ".join(dict.fromkeys(part for part in parts if part != "null"))
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if schema.get("type") == "array":
        return f"list of {type_words(schema.get('items', {}))}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"name → {type_words(schema['additionalProperties'])}"
    if "enum" in schema or "const" in schema:
        return " or ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    return str(schema.get("type", "any"))


def fields(model: type[BaseModel]) -> Iterator[str]:
    """A table of a model's keys."""
    schema = model.model_json_schema(by_alias=True)
    required = set(schema.get("required", ()))
    yield "| key | is | default | what it says |"
    yield "|---|---|---|---|"
    for key, part in schema.get("properties", {}).items():
        default = "required" if key in required else _default(part)
        about = part.get("description", "")
        if about.lower().startswith(("an expression:", "a text:", "a value:", "a type:")):
            about = ""
        if about.lower().startswith("a duration:"):
            about = ""
        yield f"| `{key}` | {cell(type_words(part))} | {default} | {cell(about)} |"


def _default(part: dict[str, Any]) -> str:
    value = part.get("default")
    if value in (None, [], {}, ""):
        return ""
    return f"`{value}`" if not isinstance(value, dict) else ""


def kinds_page() -> str:
    """docs/reference/kinds.md."""
    from engine.files import fields as field_types
    from engine.files.kinds import MODELS

    lines = ["# The kinds of files", MADE, inspect.getdoc(field_types) or "", ""]
    shown: set[type] = set()
    for kind, model in MODELS.items():
        lines += [f"## {kind}", "", inspect.getdoc(model) or "", "", *fields(model), ""]
        for part in _parts(model):
            if part in shown or part.__module__ == "engine.files.nodes":
                continue
            shown.add(part)
            lines += [f"### {part.__name__}", "", inspect.getdoc(part) or "", "", *fields(part), ""]
    return "\n".join(lines)


def _parts(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for info in model.model_fields.values():
        for found in _models_in(info.annotation):
            yield found
            yield from _parts(found)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        return
    for part in getattr(annotation, "__args__", ()):
        yield from _models_in(part)


def nodes_page() -> str:
    """docs/reference/nodes.md."""
    from engine.files.nodes import MODIFIERS, NODE_MODELS, NodeBase

    modules = {
        "parallel": ("parallel", "parallel_never"),
        "if": ("if_",),
        "set": ("set_",),
        "ask": ("decide",),
        "do": ("act",),
    }
    lines = ["# Nodes", MADE]
    lines += [
        "A node is a mapping with one key that says its type, that type's companions, and any",
        "modifiers; a bare list is a sequence. `tree` puts another tree in its place: it has no",
        "status of its own.",
        "",
        "## Keys that every node may carry",
        "",
        "Modifiers are always applied in this order, from the outside in: "
        + ", ".join(f"`{name}`" for name in MODIFIERS)
        + ". For another order, put a one-child list between.",
        "",
    ]
    base = NodeBase.model_fields
    lines += ["| key | what it says |", "|---|---|"]
    for name, info in base.items():
        lines.append(f"| `{info.alias or name}` | {cell(info.description or '')} |")
    lines.append("")
    for key, model in NODE_MODELS.items():
        lines += [f"## `{key}`", "", inspect.getdoc(model) or "", ""]
        own = [n for n in model.model_fields if n not in base]
        body = next((m for n in own for m in _models_in(model.model_fields[n].annotation)), None)
        if body is not None and body.__module__ == "engine.files.nodes":
            if not issubclass(body, NodeBase):
                lines += [*fields(body), ""]
        for module in modules.get(key, (key,)):
            doc = _module_doc(f"engine.nodes.{module}")
            if doc:
                lines += [doc, ""]
    lines += ["# Modifiers", ""]
    for name in MODIFIERS:
        doc = _module_doc(f"engine.nodes.{'while_' if name == 'while' else name}")
        if doc:
            lines += [f"## `{name}`", "", doc, ""]
    lines += ["## `then: repeat`", "", _module_doc("engine.nodes.then_repeat"), ""]
    lines += ["# Node classes of other packages", "", _module_doc("engine.nodes.python"), ""]
    return "\n".join(lines)


def _module_doc(name: str) -> str:
    try:
        return inspect.getdoc(import_module(name)) or ""
    except ModuleNotFoundError:
        return ""


def names_page() -> str:
    """docs/reference/names.md."""
    from engine.source.registry import FILTERS, TESTS
    from engine.team.names import FUNCTIONS, NAMES, SPECIALS

    lines = ["# Names and functions in expressions and texts", MADE]
    lines += [
        "Beside these: the domain's state and derived names, its facts as functions, the things of",
        "the scene by their names, and what is bound where the expression stands.",
        "",
        "| name | type | what it is |",
        "|---|---|---|",
    ]
    lines += [f"| `{n}` | {cell(str(i.type))} | {cell(i.about)} |" for n, i in NAMES.items()]
    lines += ["", "| function | gives | what it tells |", "|---|---|---|"]
    for name, info in FUNCTIONS.items():
        lines.append(
            f"| `{name}({', '.join(info.args)})` | {cell(str(info.returns))} | {cell(info.about)} |"
        )
    lines += [f"| `{name}(fact(…))` | | {cell(about)} |" for name, about in SPECIALS.items()]
    lines += ["", "## Filters", "", ", ".join(f"`{name}`" for name in sorted(FILTERS)), ""]
    lines += ["## Tests", "", ", ".join(f"`{name}`" for name in sorted(TESTS)), ""]
    return "\n".join(lines)


def actions_page() -> str:
    """docs/reference/actions.md."""
    from engine.team.actions import action_names, find_action

    lines = ["# High-level actions", MADE]
    lines += ["What an action file's `do` and `may` name; judged by contracts, committed as one.", ""]
    for name in action_names():
        action = find_action(name)
        assert action is not None
        lines += [f"## {action.signature}", "", action.about, ""]
        if action.parameters:
            lines += ["| argument | type | default |", "|---|---|---|"]
            for p in action.parameters:
                default = "required" if p.required else f"`{p.default}`".replace("None", "none")
                lines.append(f"| `{p.name}` | {cell(str(p.type))} | {default} |")
            lines.append("")
    return "\n".join(lines)


def rules_page() -> str:
    """docs/reference/rules.md."""
    from engine.check import load_rules
    from engine.source.rules import all_rules

    load_rules()
    lines = ["# What `treec check` finds", MADE]
    for rule in all_rules():
        lines += [f"## {rule.code}: {rule.title}", "", f"*{rule.severity}*", "", rule.about, ""]
    return "\n".join(lines)


def commands_page() -> str:
    """docs/reference/commands.md."""
    import contextlib
    import io

    from engine.cli import main
    from engine.cli.app import app

    lines = ["# Commands", MADE]
    for command in app.registered_commands:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            main([str(command.name), "--help"])
        text = "\n".join(line.rstrip() for line in out.getvalue().strip().splitlines())
        lines += [f"## treec {command.name}", "", "```text", text, "```", ""]
    return "\n".join(lines)


PAGES = {
    "kinds.md": kinds_page,
    "nodes.md": nodes_page,
    "names.md": names_page,
    "actions.md": actions_page,
    "rules.md": rules_page,
    "commands.md": commands_page,
}


def main(argv: list[str]) -> int:
    """Write or check the pages."""
    import os

    os.environ["COLUMNS"] = "100"
    os.environ["TERM"] = "dumb"
    stale = []
    OUT.mkdir(exist_ok=True)
    for name, make in PAGES.items():
        text = make().rstrip() + "\n"
        path = OUT / name
        if not path.is_file() or path.read_text("utf-8") != text:
            stale.append(name)
            if "--check" not in argv:
                path.write_text(text, "utf-8")
    if "--check" in argv:
        for name in stale:
            print(f"docs/reference/{name} is stale: run 'python docs/make_reference.py'")
        return 1 if stale else 0
    print(f"{len(PAGES)} pages, {len(stale)} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
