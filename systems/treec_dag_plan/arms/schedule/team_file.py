"""Read a team file: arms, bodies and durations.

arms: {left: R1, right: R1, Ada: Ada}        # or a list of names: all of one body
times:
  grasp: 3s                                   # for everybody
  cut with: {Ada: 8s, left: no, right: 12s}   # by arm; no: cannot
  node_4: 20s                                 # a node's own
usual: 5s
"""

from __future__ import annotations

from pathlib import Path

from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.durations import parse_duration
from treec.source.text import SourceFile
from treec.source.yaml import Mapping, Scalar, Sequence, YamlNode, read_documents, read_file
from treec_dag_plan.arms.layout_rules import TEAM
from treec_dag_plan.arms.schedule.team import ArmTeam

KEYS = ("team", "about", "arms", "times", "usual")
MOST_ARMS = 16


def read_team(source: Path | str) -> tuple[ArmTeam | None, list[Diagnostic]]:
    """Read a team from a file or a text; None with findings if it has errors."""
    if isinstance(source, Path):
        file, found = read_file(source, source.as_posix())
        if file is None:
            return None, found
    else:
        file = SourceFile("team.yaml", source)
    documents, found = read_documents(file)
    if found:
        return None, found
    if len(documents) != 1 or not isinstance(documents[0].root, Mapping):
        return None, [TEAM.at(file.span(0), "a team is one mapping with arms and times")]
    reader = _TeamReader()
    team = reader.team(documents[0].root)
    return (None if reader.found else team), sorted(reader.found)


class _TeamReader:
    def __init__(self) -> None:
        self.found: list[Diagnostic] = []

    def wrong(self, node: YamlNode, message: str, help: str | None = None) -> None:
        self.found.append(TEAM.at(node.span, message, help))

    def team(self, root: Mapping) -> ArmTeam:
        for key, _ in root.entries:
            if key.text not in KEYS:
                help = suggestion(key.text, KEYS, "known keys")
                self.wrong(key, f"unknown key '{key.text}'", help)
        body = self.arms(root)
        usual = root.get("usual")
        seconds = 1.0 if usual is None else self.duration(usual)
        if seconds is None and usual is not None:
            self.wrong(usual, "'usual' is a duration, such as 5s")
        times: dict[str, dict[str, float | None]] = {}
        given = root.get("times")
        if given is not None and not isinstance(given, Mapping):
            self.wrong(given, "'times' is a mapping from a command or a node to a duration")
        elif given is not None:
            for key, value in given.entries:
                times[key.text] = self.times(value, tuple(body))
        return ArmTeam(tuple(body), body, times, seconds or 1.0)

    def arms(self, root: Mapping) -> dict[str, str]:
        node = root.get("arms")
        if node is None:
            self.wrong(root, "'arms' is missing", "write arms: [left, right]")
            return {}
        if isinstance(node, Mapping):
            found = {}
            for key, value in node.entries:
                if not isinstance(value, Scalar) or not value.text:
                    self.wrong(value, f"the body of {key.text} is a name")
                else:
                    found[key.text] = value.text
        elif isinstance(node, Sequence) and all(isinstance(item, Scalar) for item in node.items):
            names = [item.text for item in node.items if isinstance(item, Scalar)]
            found = dict.fromkeys(names, "")
            if len(found) < len(names):
                self.wrong(node, "two arms have the same name")
        else:
            self.wrong(node, "'arms' is a list of names, or a mapping from each to its body")
            return {}
        if not 0 < len(found) <= MOST_ARMS:
            self.wrong(node, f"a team has from one to {MOST_ARMS} arms")
        return found

    def times(self, node: YamlNode, arms: tuple[str, ...]) -> dict[str, float | None]:
        if not isinstance(node, Mapping):
            return {"": self.duration(node)}
        found: dict[str, float | None] = {}
        for key, value in node.entries:
            if key.text not in arms:
                help = suggestion(key.text, arms, "arms")
                self.wrong(key, f"unknown arm '{key.text}'", help)
            found[key.text] = self.duration(value)
        return found

    def duration(self, node: YamlNode) -> float | None:
        """Return seconds; None for `no`, or after a finding."""
        value = node.value if isinstance(node, Scalar) else None
        if value is False or value == "no":
            return None
        try:
            seconds = parse_duration(value if isinstance(value, str | int | float) else "")
        except ValueError as error:
            self.wrong(node, str(error))
            return None
        if seconds <= 0:
            self.wrong(node, "a node takes more than no time")
        return seconds
