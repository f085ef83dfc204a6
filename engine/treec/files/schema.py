"""JSON Schemas of the kinds for editors, selected by the ending of a file's name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from treec.files.kinds import MODELS, models_of
from treec.files.nodes import NODES, NodeBase, PythonNode, node_specs

FOLDER = ".treec/schemas"
SETTINGS = ".vscode/settings.json"
EXTENSIONS = ".vscode/extensions.json"


def schema_of(kind: str) -> dict[str, Any]:
    """Return the schema of a kind, for yaml-language-server.

    The server validates each document of a file by itself.
    """
    schema = _either([model.model_json_schema(by_alias=True) for model in models_of(kind)])
    _add_nodes(schema)
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", **schema}
    schema["title"] = f"treec {kind}"
    _plain_unions(schema)
    text = json.dumps(schema).replace("#/$defs/", "#/definitions/")
    found: dict[str, Any] = json.loads(text)
    if "$defs" in found:
        found["definitions"] = found.pop("$defs")
    return found


def _either(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of what one of these allows."""
    if len(schemas) == 1:
        return schemas[0]
    parts: dict[str, Any] = {}
    for schema in schemas:
        parts |= schema.pop("$defs", {})
    return {"anyOf": schemas, "$defs": parts}


def _add_nodes(schema: dict[str, Any]) -> None:
    """Replace the placeholder in pydantic's schema by all types of nodes."""
    defs = schema.get("$defs", {})
    if NODES not in defs.get("Node", {}).get("oneOf", ()):
        return
    names = []
    models: list[type[NodeBase]] = [*(spec.model for spec in node_specs()), PythonNode]
    for model in models:
        own = model.model_json_schema(by_alias=True)
        for name, part in own.pop("$defs", {}).items():
            defs.setdefault(name, part)
        if "$ref" not in own:
            defs[model.__name__] = own
        names.append(model.__name__)
    choices = defs["Node"]["oneOf"]
    at = choices.index(NODES)
    choices[at : at + 1] = [{"$ref": f"#/$defs/{name}"} for name in names]


def _plain_unions(part: Any) -> None:
    """Use anyOf throughout: the language server does not support discriminators."""
    if isinstance(part, dict):
        part.pop("discriminator", None)
        if "oneOf" in part:
            part["anyOf"] = part.pop("oneOf")
        for value in part.values():
            _plain_unions(value)
    elif isinstance(part, list):
        for value in part:
            _plain_unions(value)


def editor_settings() -> Mapping[str, Any]:
    """Return the settings by which Visual Studio Code selects the schema of a file."""
    return {
        "yaml.schemas": {f"./{FOLDER}/{kind}.schema.json": f"**/*.{kind}.yaml" for kind in MODELS},
        "yaml.validate": True,
        "yaml.completion": True,
        "yaml.hover": True,
    }


def write_schemas(root: Path) -> list[Path]:
    """Write all schemas and the editor's settings below a library's root; return their paths.

    Other settings of the editor are kept. Raises ValueError if they cannot be parsed.
    """
    written: list[Path] = []
    folder = root / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for kind in MODELS:
        path = folder / f"{kind}.schema.json"
        path.write_text(json.dumps(schema_of(kind), indent=1, ensure_ascii=False) + "\n", "utf-8")
        written.append(path)
    for name, ours in (
        (SETTINGS, editor_settings()),
        (EXTENSIONS, {"recommendations": ["redhat.vscode-yaml"]}),
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_merge_settings(path, ours), "utf-8")
        written.append(path)
    return written


def _merge_settings(path: Path, ours: Mapping[str, Any]) -> str:
    settings: dict[str, Any] = {}
    if path.is_file():
        try:
            settings = json.loads(path.read_text("utf-8"))
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{path} is not plain JSON and was not changed: {error}") from None
        if not isinstance(settings, dict):
            raise ValueError(f"{path} does not contain a JSON object and was not changed")
    for key, value in ours.items():
        if isinstance(value, Mapping):
            theirs = settings.get(key)
            kept = {
                schema: files
                for schema, files in (theirs.items() if isinstance(theirs, dict) else ())
                if FOLDER not in schema
            }
            settings[key] = {**kept, **value}
        elif isinstance(value, list):
            settings[key] = list(dict.fromkeys([*settings.get(key, []), *value]))
        else:
            settings.setdefault(key, value)
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"
