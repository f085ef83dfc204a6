"""The effects, conditions and repairs of skills, with their positions in the files."""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import Loc, Where, all_entries, entries
from treec.files.bindings import Binding
from treec.files.entry import AnyEntry
from treec.files.tasks import SkillFile
from treec.files.view import View
from treec.frozen import frozen
from treec.program.effects import CallSpec, EffectError, EffectSpec, parse_effect, parse_repair
from treec.source.errors import SourceError
from treec.source.text import Span
from treec.source.yaml import Scalar


@frozen
class SkillText:
    """A text of a skill's file and its place; ``key`` if it is a mapping's key."""

    entry: AnyEntry
    loc: Loc
    text: str
    key: bool = False

    @property
    def where(self) -> Where:
        """Its identity among all texts."""
        return (self.entry.path, self.entry.name, self.loc, self.key)

    def span(self, offset: int = 0, length: int | None = None) -> Span:
        """The span of a part of the text, by default of all of it."""
        length = len(self.text) - offset if length is None else length
        if not self.key:
            return self.entry.span_in(self.loc, offset, length)
        key = self.entry.at(*self.loc, key=True)
        return key.at(offset, length) if isinstance(key, Scalar) else key.span

    def effect(self) -> EffectSpec | EffectError | None:
        """Parse the text as an effect; return it or the error, None if it is not an expression."""
        try:
            return parse_effect(self.text)
        except EffectError as error:
            return error
        except SourceError:
            return None

    def repair(self) -> CallSpec | EffectError | None:
        """Parse the text as a repair; return it or the error, None if it is not an expression."""
        try:
            return parse_repair(self.text)
        except EffectError as error:
            return error
        except SourceError:
            return None


def effects(view: View) -> Iterator[SkillText]:
    """Yield the effects of skills: of `at_start` and `after`, and of mappings in `runs`."""
    for entry in all_entries(view, "skill"):
        skill: SkillFile = entry.model
        for key, texts in (("at_start", skill.at_start), ("after", skill.after)):
            for index, text in enumerate(texts):
                yield SkillText(entry, (key, index), text)
        for environment, bound in skill.runs.items():
            for key in bound.effects if isinstance(bound, Binding) else ():
                for index, text in enumerate(getattr(bound, key)):
                    yield SkillText(entry, ("runs", environment, key, index), text)


def conditions(view: View) -> Iterator[tuple[SkillText, SkillText | None]]:
    """Yield the preconditions of skills, each with its repair."""
    for entry in entries(view, "skill"):
        skill: SkillFile = entry.model
        for index, (condition, repair) in enumerate(skill.preconditions):
            loc: Loc = ("before", index)
            behind = None if repair is None else SkillText(entry, (*loc, condition), repair)
            yield SkillText(entry, loc, condition, behind is not None), behind


def repairs(view: View) -> Iterator[SkillText]:
    """Yield the repairs of skills: those of `before`, and `if_unmet`."""
    yield from (repair for _, repair in conditions(view) if repair is not None)
    for entry in entries(view, "skill"):
        skill: SkillFile = entry.model
        if skill.if_unmet is not None:
            yield SkillText(entry, ("if_unmet",), skill.if_unmet)
