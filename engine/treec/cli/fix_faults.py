"""Rewrites the faults and events of scenarios as they were written formerly, for `check --fix`.

    faults:
      - {skill: pick, args: {item: kettle}, reason: slipped}
    happens:
      - {when: hot(kettle), after: 2s, out: R1}
      - {after: 30s, back: R1}

becomes

    faults:
      - fail pick(item=kettle): slipped
      - 2s after hot(kettle): out R1
      - then 30s: back R1
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from treec.source.text import SourceFile
from treec.source.yaml import Mapping as Node
from treec.source.yaml import plain, read_documents

KEYS = ("faults", "happens")


def with_fault_lines(path: str, text: str) -> str:
    """The text of a file of scenarios, with a line for each fault and each event."""
    if "\r\n" in text:
        return with_fault_lines(path, text.replace("\r\n", "\n")).replace("\n", "\r\n")
    edits: list[tuple[int, int, str]] = []
    documents, problems = read_documents(SourceFile(path, text))
    if problems:
        return text
    for document in documents:
        root, data = document.root, plain(document.root) if document.root is not None else None
        if not isinstance(root, Node) or not isinstance(data, dict) or not _is_former(data):
            continue
        lines = [*_faults(data.get("faults") or []), *_events(data.get("happens") or [])]
        new = "\n".join(["faults:", *map(_item, lines)])
        for key, value in root.entries:
            if key.value in KEYS:
                begin = text.rfind("\n", 0, key.start) + 1
                end = begin + len(text[begin : value.end].rstrip())
                end = text.find("\n", end)
                edits.append((begin, len(text) if end < 0 else end, new))
                new = ""
    for begin, end, new in sorted(edits, reverse=True):
        text = text[:begin] + new + text[end if new else end + 1 :]
    return text


def _is_former(data: Mapping[str, Any]) -> bool:
    faults = data.get("faults")
    old = [one for one in faults if isinstance(one, dict) and "skill" in one] if faults else []
    return isinstance(data.get("happens"), list) or bool(old)


def _faults(faults: list[Any]) -> Iterator[str]:
    for fault in faults:
        if not isinstance(fault, dict) or "skill" not in fault:
            yield str(fault)
            continue
        args = ", ".join(f"{name}={value}" for name, value in (fault.get("args") or {}).items())
        how = [f"({args})" if args else ""]
        if "times" in fault and fault["times"] != 1:
            how.append(" always" if fault["times"] is None else f" x{fault['times']}")
        how += [f" chance {fault['chance'] * 100:g}%"] if fault.get("chance", 1) != 1 else []
        how += [f" at {fault['at'] * 100:g}%"] if fault.get("at", 1) != 1 else []
        yield f"fail {fault['skill']}{''.join(how)}: {fault.get('reason', 'it fails')}"


def _events(events: list[Any]) -> Iterator[str]:
    """The lines of events, each of which waits for the one before it."""
    then = ""
    for event in events:
        when, after = event.get("when"), event.get("after")
        if when is not None:
            time = f"{after} after {when}" if after else f"when {when}"
        else:
            time = str(after or "0s")
        reason = f": {event['reason']}" if event.get("reason") else ""
        facts = ", ".join(map(str, event.get("facts") or []))
        for word, what in (("out", event.get("out")), ("back", event.get("back")), ("set", facts)):
            if what:
                yield f"{then}{time}: {word} {what}{reason}"
                then, time = "then ", "0s"


def _item(line: str) -> str:
    """The line as an item of a list, in the plainest way that YAML reads as it is."""
    when, _, what = line.partition(": ")
    items = [f"  - {line}"]
    if re.match(r"\d|then |when ", line):
        items.append(f"  - {when}:\n      {what}")
    for item in items:
        documents, problems = read_documents(SourceFile("fault", f"{item}\n"))
        if not problems and documents and _joined(plain(documents[0].root)[0]) == line:
            return item
    return f"  - {json.dumps(line, ensure_ascii=False)}"


def _joined(value: Any) -> str | None:
    if isinstance(value, dict) and len(value) == 1:
        ((key, inner),) = value.items()
        return f"{key}: {_joined(inner)}"
    return value if isinstance(value, str) else None
