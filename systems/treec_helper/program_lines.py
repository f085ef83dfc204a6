"""A program as lines that can be edited thing by thing: left out, copied, added, put elsewhere.

Only plain programs are edited: a thing has one line that names it, and each step is a line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from treec_helper.mentions import COFFEE, WATER, words

_MADE = re.compile(r'^(\w+) = InteractionObject\(\s*(?:object_class\s*=\s*)?["\'](\w+)["\'](.*)\)')
_WORD = re.compile(r"[A-Za-z_]\w*")
_STRING = re.compile(r'"[^"]*"|\'[^\']*\'')


@dataclass
class ProgramLines:
    """The lines of a program, without comments."""

    lines: list[str]

    @classmethod
    def of(cls, program: str) -> ProgramLines:
        """The lines of a program."""
        lines = (line.split("#")[0].rstrip() for line in program.splitlines())
        return cls([line for line in lines if line.strip()])

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    # What there is

    @property
    def kinds(self) -> dict[str, str]:
        """The class of each variable that names a thing."""
        made = (_MADE.match(line) for line in self.lines)
        return {match[1]: match[2] for match in made if match}

    def uses(self, line: str) -> set[str]:
        """The variables in a line."""
        return set(_WORD.findall(_STRING.sub("", line))) & self.kinds.keys()

    def steps(self, name: str) -> list[str]:
        """The lines with a variable, but for the one that makes it."""
        return [x for x in self.lines if name in self.uses(x) and not x.startswith(f"{name} = ")]

    @property
    def target(self) -> str | None:
        """What most things are put on or into."""
        tools, kinds = words()["tools"], self.kinds
        found: dict[str, int] = {}
        for line in self.lines:
            match = re.search(r"\.(?:place|pickup_and_place|pour)\((\w+)\)", line)
            if match and match[1] in kinds and kinds[match[1]] not in tools:
                found[match[1]] = found.get(match[1], 0) + 1
        return max(found, key=lambda name: found[name], default=None)

    def items(self) -> dict[str, list[str]]:
        """The variables that the program is about, by class: no tools, wholes, holders."""
        kinds, target = self.kinds, self.target
        machines = [name for name, kind in kinds.items() if kind == "CoffeeMachine"]
        found: dict[str, list[str]] = {}
        for name, kind in kinds.items():
            steps = "\n".join(self.steps(name))
            is_whole = f"{name}.slice(" in steps
            if kind in words()["tools"] or is_whole or name == target:
                continue
            if any(f"{name}.place({m})" in steps or f"place({m})" in steps for m in machines):
                kind = COFFEE
            elif f"{name}.fill_up(" in steps and f"{name}.pour(" not in steps:
                kind = WATER
            found.setdefault(kind, []).append(name)
        return found

    # Edits

    def leave_out(self, name: str) -> None:
        """Leave out every line with a thing, and what was only needed for it."""
        before = self.lines
        self.lines = [line for line in before if name not in self.uses(line)]
        self._prune()

    def _prune(self) -> None:
        kinds = self.kinds
        slices = {
            kind for kind in kinds.values() if kind.endswith("Sliced") or kind == "EggCracked"
        }
        for name, kind in kinds.items():
            steps = self.steps(name)
            cut = f"{name}.slice()" in steps
            whole = (
                cut
                and f"{kind}Sliced" not in slices
                and not (kind == "Egg" and "EggCracked" in slices)
            )
            others = {other for line in steps for other in self.uses(line)} - {name}
            tool = kind in words()["tools"] and not others and not self._is_cutting(kind)
            if whole or tool:
                self.lines = [line for line in self.lines if name not in self.uses(line)]

    def _is_cutting(self, kind: str) -> bool:
        return kind.endswith("Knife") and any(".slice()" in line for line in self.lines)

    def copy(self, name: str) -> None:
        """Do for another thing of its class what is done for one, right after it."""
        places = [n for n, line in enumerate(self.lines) if name in self.uses(line)]
        first, last = places[0], places[-1]
        tools = {n for n, kind in self.kinds.items() if kind in words()["tools"]}
        while last + 1 < len(self.lines) and self._is_switch(self.lines[last + 1], tools):
            last += 1
        new = self._free(name)
        block = [
            re.sub(rf"\b{name}\b", new, line)
            for line in self.lines[first : last + 1]
            if name in self.uses(line) or self._is_switch(line, tools)
        ]
        self.lines[last + 1 : last + 1] = block

    def _is_switch(self, line: str, tools: set[str]) -> bool:
        used = self.uses(line)
        return bool(used) and used <= tools and ".toggle_" in line

    def add(self, kind: str, *, cooked: bool = False) -> None:
        """Do for a thing of a class what is done for the others: put it there, or wash it."""
        target, kinds = self.target, self.kinds
        put = f".pickup_and_place({target})" if target else ".put_down()"
        if kind == COFFEE:
            mug, machine, sink = map(self._free, ("mug", "machine", "sink"))
            self.lines += [
                f'{mug} = InteractionObject("Mug")',
                f"{mug}.clean()",
                f'{sink} = InteractionObject("SinkBasin")',
                f"{mug}.pour({sink})",
                f'{machine} = InteractionObject("CoffeeMachine")',
                f"{mug}.place({machine})",
                f"{machine}.toggle_on()",
                f"{machine}.toggle_off()",
            ]
            return
        if kind == WATER:
            cup = self._free("cup")
            self.lines += [f'{cup} = InteractionObject("Cup")', f"{cup}.fill_up()"]
            self.lines += [f"{cup}.put_down()"]
            return
        whole = "Egg" if kind == "EggCracked" else kind.removesuffix("Sliced")
        name = self._free(kind.removesuffix("Sliced").lower())
        if whole == kind:
            clean = not target and any(".clean()" in line for line in self.lines)
            block = [f'{name} = InteractionObject("{kind}")']
            block += [f"{name}.clean()"] if clean else []
            self._insert([*block, name + put], target)
            return
        of = next((n for n, k in kinds.items() if k == whole), None)
        if of is None:
            of, name = name, f"{name}_slice"
            self.lines += [f'{of} = InteractionObject("{whole}")', f"{of}.slice()"]
        self.lines.append(f'{name} = InteractionObject("{kind}", parent_object = {of})')
        self.lines += [f"{name}.toast()"] if kind == "BreadSliced" else []
        self.lines += [f"{name}.cook()"] if cooked else []
        self.lines.append(name + put)

    def _insert(self, block: list[str], target: str | None) -> None:
        """Insert lines after the last that puts something on or into a target, or at the end."""
        puts = [n for n, x in enumerate(self.lines) if target and f"({target})" in x]
        after = puts[-1] + 1 if puts else len(self.lines)
        self.lines[after:after] = block

    def put_elsewhere(self, kind: str) -> None:
        """Put things on or into another thing than the program does."""
        target = self.target
        if target is None or self.kinds[target] == kind:
            return
        kept = [line for line in self.lines if not line.strip().startswith(f"{target}.")]
        made = f'{target} = InteractionObject("{kind}")'
        self.lines = [made if line.startswith(f"{target} = ") else line for line in kept]

    def _free(self, name: str) -> str:
        stem = re.sub(r"\d+$", "", name)
        number, names = 1, self.kinds
        while f"{stem}{number}" in names or f"{stem}{number}_slice" in names:
            number += 1
        return f"{stem}{number}"


def count_to(program: ProgramLines, names: Sequence[str], count: int) -> None:
    """Leave things of a class out, the last first, or copy the last, until there are so many."""
    for name in reversed(names[count:]):
        program.leave_out(name)
    for _ in range(count - len(names)):
        program.copy(names[-1])
