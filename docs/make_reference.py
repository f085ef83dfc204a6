"""Writes docs/reference/ from the code: kinds, nodes, names, actions, rules, commands, events, API.

``python docs/make_reference.py`` writes the pages, which are not committed;
tests/docs/test_pages.py follows the links to them.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from treec.extensions import registry
from treec.world.events import Event, UnknownEvent, event_classes, event_fields
from treec_editor.reference import (
    KeyRow,
    argument_rows,
    doc,
    function_rows,
    is_own_part,
    key_rows,
    models_in,
    modifiers,
    name_rows,
    node_rows,
    parts_of,
)

HERE = Path(__file__).parent
OUT = HERE / "reference"
MADE = (
    "<!-- Made by docs/make_reference.py from the code: change the docstrings, not this page. -->\n"
)


def cell(text: str) -> str:
    """Text inside a table."""
    return " ".join(text.split()).replace("|", "\\|")


def table(rows: Iterable[KeyRow]) -> Iterator[str]:
    """A table of keys and what they say."""
    found = list(rows)
    if found:
        yield "| key | is | default | what it says |"
        yield "|---|---|---|---|"
    for key, words, default, about in found:
        yield f"| `{key}` | {cell(words)} | {default} | {cell(about)} |"
    yield ""


def kinds_page() -> str:
    """docs/reference/kinds.md."""
    from treec.files import fields as field_types
    from treec.files.kinds import MODELS, models_of

    lines = ["# The kinds of files", MADE, doc(field_types), ""]
    lines += [
        "A file's name ends in its kind (`get.task.yaml`), and its first key says kind and name.",
        "A file may hold several documents with `---` between. An unknown key is an error.",
        "",
        ", ".join(f"[{kind}](#{kind})" for kind in MODELS) + ".",
        "",
    ]
    shown: set[type] = set()
    for kind in MODELS:
        models = models_of(kind)
        lines += [f"## {kind}", ""]
        if len(models) > 1:
            lines += [doc(MODELS[kind]), ""]
        for model in models:
            if len(models) > 1:
                lines += [f"### {kind}: {model.model_fields['answers'].annotation.__args__[0]}", ""]
            lines += [doc(model), "", *table(key_rows(model, kind))]
            for part in parts_of(model):
                if part in shown or not is_own_part(part):
                    continue
                shown.add(part)
                lines += [f"### {part.__name__}", "", doc(part), "", *table(key_rows(part))]
    return "\n".join(lines)


def nodes_page() -> str:
    """docs/reference/nodes.md."""
    from treec.files.nodes import MODIFIERS, NodeBase, node_specs
    from treec.nodes import python, then_repeat

    base = NodeBase.model_fields
    specs = list(node_specs())
    lines = ["# Nodes", MADE]
    lines += [
        "A node is a mapping with one key that says its type, that type's companions, and any",
        "modifiers; a bare list is a sequence. Each type is one module, from which this page is",
        "made ([how](../extending.md#node-types)); what it does at every tick is held by the tests",
        "of the same name in `tests/nodes/` and by the golden traces in `tests/data/bt_vectors`.",
        "",
        "Nodes: " + ", ".join(f"[{spec.key}](#{spec.key})" for spec in specs) + ".",
        "Modifiers: " + ", ".join(f"[{key}](#{key}-modifier)" for key in MODIFIERS) + ".",
        "",
        "## Keys that every node may carry",
        "",
        "Modifiers are always applied in this order, from the outside in: "
        + ", ".join(f"`{name}`" for name in MODIFIERS)
        + ". For another order, put a one-child list between.",
        "",
        *table(key_rows(NodeBase)),
    ]
    for spec in specs:
        lines += [f"## {spec.key}", "", doc(spec.model), "", *table(node_rows(spec.model))]
        lines += [doc(import_module(spec.model.__module__)), ""]
    for name, module in modifiers().items():
        lines += [f"## {name} (modifier)", "", doc(module), ""]
    bodies = (m for info in base.values() for m in models_in(info.rebuild_annotation()))
    for body in dict.fromkeys(bodies):
        lines += [f"## {body.__name__}", "", doc(body), "", *table(key_rows(body))]
    lines += ["## then: repeat", "", doc(then_repeat), ""]
    lines += ["## Node classes of other packages", "", doc(python), ""]
    return "\n".join(lines)


def names_page() -> str:
    """docs/reference/names.md."""
    from treec.source.registry import FILTERS, TESTS

    lines = ["# Names and functions in expressions and texts", MADE]
    lines += [
        "Beside these: the domain's state and derived names, its facts as functions, the things of",
        "the scene by their names, and what is bound where the expression stands.",
        "",
        "| name | type | what it is |",
        "|---|---|---|",
    ]
    lines += [f"| `{row.key}` | {cell(row.words)} | {cell(row.about)} |" for row in name_rows()]
    lines += ["", "| function | gives | what it tells |", "|---|---|---|"]
    lines += [f"| `{row.key}` | {cell(row.words)} | {cell(row.about)} |" for row in function_rows()]
    lines += ["", "## Filters", "", ", ".join(f"`{name}`" for name in sorted(FILTERS)), ""]
    lines += ["## Tests", "", ", ".join(f"`{name}`" for name in sorted(TESTS)), ""]
    return "\n".join(lines)


def actions_page() -> str:
    """docs/reference/actions.md."""
    from treec.team.actions import action_names, find_action

    lines = ["# High-level actions", MADE]
    lines += [
        "What an action file's `do` and `may` name; judged by contracts, committed as one.",
        "",
    ]
    for name in action_names():
        action = find_action(name)
        assert action is not None
        lines += [f"## {action.signature}", "", action.about, ""]
        if action.parameters:
            lines += ["| argument | type | default |", "|---|---|---|"]
            for key, words, default, _ in argument_rows(action):
                lines.append(f"| `{key}` | {cell(words)} | {default} |")
            lines.append("")
    lines += ["## What a model says", "", "| claim | is said | for |", "|---|---|---|"]
    lines += [
        f"| `{kind.signature}` | {cell(kind.says)} | {cell(kind.about)} |"
        for kind in registry().statements.values()
    ]
    return "\n".join((*lines, ""))


def rules_page() -> str:
    """docs/reference/rules.md."""
    from treec.check import load_rules
    from treec.source.rules import all_rules

    load_rules()
    lines = ["# What `treec check` finds", MADE]
    lines += ["`treec explain ID` prints one of these; `treec explain all` lists them.", ""]
    for rule in all_rules():
        kind = "" if rule.severity == "error" else f"*A {rule.severity}.*"
        lines += [f"## {rule.code}: {rule.title}", "", *([kind, ""] if kind else [])]
        lines += [rule.about.replace("``", "`"), ""]
    return "\n".join(lines)


def trials_page() -> str:
    """docs/reference/trials.md."""
    from treec_testing.report import TRIALS

    lines = ["# What `treec check --deep` tries", MADE]
    lines += ["`treec explain ID` prints one of these. [How to pass them](../own_code.md).", ""]
    for kind in ("worker", "parser", "node class", "environment"):
        lines += [f"## {kind.capitalize()}{'es' if kind.endswith('s') else 's'}", ""]
        for trial in TRIALS.values():
            if trial.kind == kind:
                lines += [f"### {trial.id}: {trial.tried}", "", trial.right, ""]
                lines += ["```", trial.example, "```", ""]
    return "\n".join(lines)


EXIT_STATUS = """\
| exit status | means |
|---|---|
| 0 | all is right |
| 1 | something was found: problems in files, a run that failed, a difference |
| 2 | the command could not run: a wrong argument, a file or a package that is missing |
| 70 | a bug in treec, whose traceback is printed: please report it |
| 130 | stopped by Ctrl-C; 128 and the signal's number for other signals |
| 141 | nobody reads the output any more, as in `treec … \\| head` |
"""


def commands_page() -> str:
    """docs/reference/commands.md."""
    from contextlib import redirect_stdout, suppress
    from io import StringIO

    from typer.main import get_command

    from treec.cli.application import application

    command_line = get_command(application())  # once: for each call it takes a sixth of a second
    lines = ["# Commands", MADE]
    lines += [EXIT_STATUS]
    names: list[list[str]] = []
    for name, command in command_line.commands.items():  # type: ignore[attr-defined]
        names += [[name, inner] for inner in getattr(command, "commands", ())] or [[name]]
    for words in names:
        with redirect_stdout(StringIO()) as printed, suppress(SystemExit):
            command_line.main(args=[*words, "--help"], prog_name="treec", terminal_width=80)
        text = "\n".join(line.rstrip() for line in printed.getvalue().strip().splitlines())
        lines += [f"## treec {' '.join(words)}", "", "```text", text, "```", ""]
    return "\n".join(lines)


EVENT_TYPES = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "true or false",
    object: "any data",
    Any: "any data",
    Event: "event",
}


def event_type(hint: Any) -> str:
    """The type of an event's field in words."""
    origin, args = get_origin(hint), get_args(hint)
    if hint in EVENT_TYPES:
        return EVENT_TYPES[hint]
    if origin in (Union, UnionType):
        return " or ".join(event_type(one) for one in args if one is not NoneType)
    if origin is tuple:
        return f"list of {event_type(args[0])}"
    if args:
        return f"name → {event_type(args[1])}"
    inner = ", ".join(f"{one.key}: {event_type(one.type)}" for one in event_fields(hint))
    return f"{{{inner}}}"


def journal_page() -> str:
    """docs/reference/journal.md."""
    found = {kind: event_classes()[kind] for kind in sorted(shipped_kinds())}
    lines = ["# Events in a journal", MADE]
    lines += [
        "A journal is a file `journal.jsonl` with a line of JSON for each record:",
        "",
        "| key | is |",
        "|---|---|",
        "| `n` | its number, from 1 |",
        "| `t` | seconds since the run began; 6 digits after the point |",
        "| `kind` | which event it is; the events are listed below |",
        "| `by` | who caused it: the path of a node, a person, `run`, `scene`, … |",
        "| `data` | the fields of the event, sorted by name |",
        "| `v` | the version of the event; absent for version 1, which all events below have |",
        "",
        "Check sums of the lines are in `journal.jsonl.sums` beside it, each with the record's",
        "number; ` +` after one means that the batch goes on with the next record.",
        "",
        "A field that is not required is left out when it has no value. An event that treec cannot",
        "read (an unknown kind, a newer version, data that do not fit) is kept as an",
        "`UnknownEvent`; such a run can be looked at, but not resumed. `treec schema journal`",
        "prints a JSON Schema of a line, with the events of all installed extensions.",
        "",
        ", ".join(f"[{kind}](#{kind.replace('.', '')})" for kind in found) + ".",
        "",
    ]
    for kind, cls in found.items():
        lines += [f"## {kind}", "", f"`{cls.__module__}:{cls.__name__}`", "", doc(cls), ""]
        if cls.change is not Event.change:
            lines += [f"*What it changes:* {cell(doc(cls.change))}", ""]
        rows = event_fields(cls)
        if rows:
            lines += ["| field | is | |", "|---|---|---|"]
            for one in rows:
                needed = "required" if one.required else ""
                lines.append(f"| `{one.key}` | {cell(event_type(one.type))} | {needed} |")
            lines.append("")
    return "\n".join(lines)


def shipped_kinds() -> set[str]:
    """The events that treec declares itself; tests and extensions may declare others."""
    return {
        kind
        for kind, cls in event_classes().items()
        if cls.__module__.startswith("treec.") and cls is not UnknownEvent
    }


def api_page() -> str:
    """docs/reference/api.md: what `import treec` gives, with signatures."""
    import treec

    lines = ["# Names of the Python API", MADE]
    lines += [treec.__doc__.strip().replace("``", "`") if treec.__doc__ else "", ""]
    for name in treec.__all__:
        thing = getattr(treec, name)
        lines += [f"## {name}", "", *_signature(name, thing), doc(thing), ""]
        if inspect.isclass(thing):
            lines += _members(thing)
    return "\n".join(lines)


def _signature(name: str, thing: object) -> list[str]:
    if not callable(thing):
        return [f"`{name} = {thing!r}`", ""]
    try:
        words = name + _arguments(thing)
    except ValueError:  # an exception's
        words = name
    return ["```python", words, "```", ""]


def _arguments(thing: Callable[..., object]) -> str:
    words = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(thing)))
    return re.sub(r"^\(self(, )?", "(", words)


def _members(cls: type) -> Iterator[str]:
    """The public methods and properties that a class of treec says something about."""
    for name, member in inspect.getmembers(cls):
        value = member.func if isinstance(member, cached_property) else member
        about = inspect.getdoc(value)
        owner = getattr(getattr(value, "fget", value), "__module__", "")
        if name.startswith("_") or not about or not str(owner).startswith("treec"):
            continue
        words = name if isinstance(member, property | cached_property) else ""
        words = words or name + _arguments(member)
        yield f"- `{words}`: {cell(doc(value))}"
    yield ""


PAGES = {
    "api.md": api_page,
    "kinds.md": kinds_page,
    "nodes.md": nodes_page,
    "names.md": names_page,
    "actions.md": actions_page,
    "rules.md": rules_page,
    "trials.md": trials_page,
    "commands.md": commands_page,
    "journal.md": journal_page,
}


def main() -> None:
    """Write the pages."""
    os.environ["COLUMNS"] = "100"
    os.environ["TERM"] = "dumb"
    OUT.mkdir(exist_ok=True)
    for name, make in PAGES.items():
        (OUT / name).write_text(make().rstrip() + "\n", "utf-8")
    print(f"{OUT}: {len(PAGES)} pages")


if __name__ == "__main__":
    main()
