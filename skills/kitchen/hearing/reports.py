"""Reports of finished work: "the lettuce is washed", "I've got the salt", "all chopped".

A report says that a thing is finished, in its place, in hand or here. It contains no negation,
question or future, and hardly any other word.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.chunks import Chunk, names_of
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.exhaustion import used_up
from treec.skills.kitchen.hearing.outcomes import in_vessel, subtask_of_outcome
from treec.skills.kitchen.hearing.reasons import on_body
from treec.skills.kitchen.hearing.references import GONE, Ref, Refs
from treec.skills.kitchen.hearing.report_parts import (
    COMING,
    HAVING,
    after_subject,
    at_hand,
    has_turned_up,
    is_base,
    is_past,
    may_stand_in_report,
    names_action,
    normalize_arrival,
    normalize_did,
    normalize_others_work,
    normalize_presentation,
    place_of,
    where_back,
)
from treec.skills.kitchen.hearing.words import word_set

_AHEAD = word_set(
    "not no never without nothing neither nobody hardly if unless when until will would could can "
    "wish hope want should must need needs may might shall let's what who where why how which "
    "to_be going let or"
)
_MARKING = word_set("tick check cross mark consider count log chalk register record")
_PLAIN = word_set(
    "here there it that this been being all just safe safely right left at last hand hands fine "
    "table side pile bits pieces cubes rings slices strips dice place list yes ok nicely done "
    "front beautifully perfectly job whole sitting standing lying resting waiting looks look sits "
    "stands now up over arrived landed delivered come came gone went made its home way every "
    "single them was were finally leaf board counter work worktop already present accounted clean "
    "tiny small back away in out off by with good stir mix managed returned"
)
_DEGREE = word_set("very quite really pretty super totally completely absolutely fully perfectly")
_HABIT = word_set("always usually often sometimes soon shortly normally generally almost nearly")
_SUPPOSED = word_set("thought believed imagined expected assumed hoped wished pretend dreamt")
_MISHAP = word_set("dropped wrong spilled spilt missed broke broken knocked")
_PARTLY = re.compile(
    r"\b(?:out of|of|of the) (?:\d+|two|three|four|five|six|seven|eight|ten|twelve)\b"
)
_LABOUR = word_set("knife work prep prepping job part share bit task duty stage hard dirty")
_CUTTING = frozenset({"chop", "slice", "prepare", "wash", "peel", "grate", "mash"})
_BODY = word_set("hand hands fingers finger arms eyes face hair feet")
_SOON = (("running",), ("interrupted", "queued", "ready"), ("waiting",))


class Reports:
    """Finds the subtasks that a clause reports as done."""

    def __init__(self, refs: Refs) -> None:
        self._refs = refs
        self._user = refs.user
        self._before: tuple[str, ...] = ()

    def read(
        self, clause: Clause, before: tuple[str, ...] = (), *, told_before: bool = False
    ) -> HeardAct | None:
        """The report that a clause is; None if it reports no subtask.

        `before` are the things named earlier; `told_before`: the previous clause was a report, too.
        """
        self._before = before
        clause = clause.but([c for c in clause.chunks if c.key not in _DEGREE])
        clause = normalize_presentation(normalize_arrival(normalize_did(clause)))
        core = clause.core
        keys = [c.key for c in core]
        mishap = bool(_MISHAP & set(keys)) and place_of(clause) != "in"
        goes = len(core) > 2 and core[0].kind == "O" and core[1].key in ("goes", "go", "goes on")
        goes |= any(a in ("has", "have") and b == "to" for a, b in pairwise(keys))
        if not core or mishap or goes or _PARTLY.search(clause.words):
            return None  # "the mango goes in the bowl" says where it is to go
        if told_before and core[0].kind == "IT" and clause.has("DONE") and len(core) < 4:
            return None  # "… is in, that's done"
        if on_body(core):
            return None
        marking = bool(set(keys) & _MARKING)
        over = used_up(clause, self._refs) or subtask_of_outcome(clause, self._refs)
        if over is not None:
            return replace(act("done", clause, subtasks=[over]), sure=True)
        if clause.saying == "DONE" and not clause.asks and not clause.has("NEARLY"):
            return None if _HABIT & set(clause.words.split()) else self._bare(clause)
        if clause.asks or clause.has("NEARLY") or clause.has("TALE"):
            return None
        if clause.has("OTHERS"):
            if not normalize_others_work(clause):
                return None
            cut = clause.core[:-2] if clause.core[-1].kind == "OTHERS" else clause.core[1:]
            clause = clause.but(cut)
            core = clause.core
        if _SUPPOSED & set(keys):
            return None  # "I thought it was sliced"
        if _HABIT & set(clause.words.split()) or any(c.ref in ("more", "neither") for c in core):
            return None  # "there is none left"
        if core[0].kind == "DET" and core[1:2] and core[1].key in _BODY:
            return None  # "my hands are wet"
        if core and core[0].kind == "THEY" and any(is_base(c) and is_past(c) for c in core):
            return None  # "they put pepper on everything"
        if any(c.kind in _AHEAD for c in core) and not (
            marking and not any(c.kind in ("no", "not", "without") for c in core)
        ):
            return None
        has_copula = any(
            c.kind in ("is", "are", "'s", "has", "have", "was", "were") or is_past(c) for c in core
        )
        is_causative = core[0].kind in ("have", "let's", "let") and len(core) > 2
        if is_causative and core[1].kind in ("A", "SOMEONE", "ALL") and not clause.has("DONE"):
            return None  # "have the arm cut the onions"
        if clause.has("PLEASE") and not has_copula:
            return None  # "lettuce in the bowl, please"
        if any(
            c.key in ("hand", "hands")
            and core[i - 1].kind == "DET"
            and i > 1
            and core[i - 2].kind == "V"
            for i, c in enumerate(core)
        ):
            return None  # "I've moved my hand"
        verbless = len(core) == 2 and core[0].kind == "O" and core[1].kind == "in"
        if verbless and (clause.has("PLEASE") or clause.chunks[-1].kind == "FLOAT"):
            return None  # "cream in, please", "bananas in a tick"
        if any(c.of("WANT", "base") for c in core):
            return None
        named_whole = len(core) > 2 and core[-1].kind == "DONE" and core[-2].kind in ("is", "are")
        if any(
            c.kind == "V"
            and not may_stand_in_report(c)
            and not (i and core[i - 1].kind in ("is", "are"))
            for i, c in enumerate(core)
        ) and not (
            named_whole  # "slice the bananas is done"
            or marking
            or told_before
            or {"managed", "gave", "given", "made"} & set(keys)
            or any(c.of("FINISH") for c in core)
        ):
            return None
        loose = [
            c
            for c in core
            if (c.kind == "W" and c.key not in _PLAIN and c.key not in _MARKING)
            or c.key in ("trip", "run", "business")
        ]
        has_action = any((is_past(c) and not c.of("GO")) or c.of("FINISH") for c in core)
        loose = [c for c in loose if not (has_action and c.key in self._refs.dish)]
        finished = (
            any(c.kind == "DONE" for c in core)
            or (
                clause.chunks[-1].key in ("over", "through")
                and len(core) > 1
                and core[-1].kind in ("is", "are")
            )
        ) or any(
            c.of("FINISH", "past") or (c.of("FINISH") and core[i - 1].key in HAVING)
            for i, c in enumerate(core)
            if i
        )
        past = (
            any(is_base(c) and i and core[i - 1].kind in ("is", "are") for i, c in enumerate(core))
            or any(
                is_past(c) and (not is_base(c) or told_before or after_subject(core, i))
                for i, c in enumerate(core)
            )
            or ("managed" in keys and any(c.verb for c in core))
            or (core[0].kind == "O" and core[-1].key in ("clean", "dry") and len(core) < 4)
        )
        items = [c for c in core if c.kind == "O"]
        within = len(items) > 1 and place_of(clause) == "in"  # "is swimming in the pot now"
        if len(loose) > (1 if items and (finished or past or within) else 0):
            return None
        finished |= marking or (len(keys) == 3 and keys[1] == "did" and bool(items))
        just = {"already", "just"} & set(clause.words.split())
        if past and not finished and not just and self._is_ambiguous_past(core):
            return None
        past |= bool(just) and len(core) > 1 and core[0].kind == "SOMEONE" and is_past(core[1])
        past |= bool({"gave", "given"} & set(keys)) and any(c.verb and is_base(c) for c in core)
        if finished or past or marking or where_back(clause) or self._presents(clause, keys):
            return self._of(clause, items, finished, past)
        return None

    def _is_ambiguous_past(self, core: tuple[Chunk, ...]) -> bool:
        """ "I cut the bananas", if just that is proposed to the speaker: it may be a yes."""
        if len(core) < 2 or not (is_base(core[1]) and is_past(core[1])):
            return False
        if core[0].kind == "A" and [c.kind for c in core[2:]] == ["IT", "in"]:
            return self._refs.at(core[0].agents[0]) is None  # "arm put it in"
        if core[0].kind != "I" or core[1].key.startswith(("run", "come")):
            return core[0].kind == "I"  # "I run for the salmon": who has been there ran
        ids = self._refs.proposals(self._refs.read(core[1:])) or ()
        return any(p.id in ids and p.agent == self._user for p in self._refs.context.proposals)

    def _presents(self, clause: Clause, keys: list[str]) -> bool:
        """Whether a thing is said to be here, in its place or in hand."""
        core = clause.core
        if core[0].kind == "IT" and self._before and len(core) == 3:
            return core[1].kind == "is" and core[2].key in ("in", "here", "back", "away")
        if not any(c.kind == "O" for c in core):
            return False
        if set(keys) & COMING or has_turned_up(clause) or keys[0] == "here" or "returned" in keys:
            return True
        if core[0].kind == "O" and keys[-1] in ("have", "got") and core[1].kind in ("I", "WE", "A"):
            return True
        if core[0].kind == "IT" and core[-1].key in ("in", "back", "away", "out", "off", "here"):
            return any(c.kind == "is" for c in core)
        first = next(i for i, c in enumerate(core) if c.kind == "O")
        before = set(keys[:first])
        if before & HAVING:
            return core[0].kind in ("I", "WE", "A", "V", "have") and not before - HAVING - {
                "i", "we", "is", "all", core[0].key,
            }  # fmt: skip
        behind = core[first + 1 :]
        first -= first == 1 and core[0].kind == "ORD"  # "the last tomato went in"
        if first == 0 and [c.kind for c in behind] in (["was", "in"], ["were", "in"]):
            return True
        if (
            first == 0
            and behind
            and behind[0].kind in ("is", "are", "'s", "has", "have", "W", "in")
        ):
            return place_of(clause) != ""
        return False

    def _of(
        self, clause: Clause, named: list[Chunk], finished: bool, past: bool
    ) -> HeardAct | None:
        refs = self._refs
        tasks = frozenset[str]().union(
            *(refs.kitchen.tasks_of(c) for c in clause.core if names_action(c))
        )
        things = tuple(refs.resolve_names(t) for c in named for t in c.things)
        if (
            not things
            and tasks
            and self._before
            and any(c.kind in ("IT", "THEY") for c in clause.core)
        ):
            things = (self._before,)
        has_pronoun = any(c.key in ("it", "them", "those") for c in clause.core)
        some = bool({"it", "some"} & {c.key for c in clause.core})
        if not things and self._before and some and not tasks - {"get"}:
            things = (self._before,) if tasks or place_of(clause) else ()  # "salt? I found some"
        if things and self._before and has_pronoun and all(self._vessel(t) for t in things):
            things = (self._before, *things)  # "I put them in the pot"
        cut = next((i for i, c in enumerate(clause.core) if c.kind == "for" and i), None)
        if cut is not None and any(c in named for c in clause.core[:cut]):
            things = tuple(t for c in clause.core[:cut] if c.kind == "O" for t in c.things)
        if where_back(clause) or (has_turned_up(clause) and things):
            return self._say(clause, [self._placement(item, ("get",), ()) for item in things])
        where = place_of(clause)
        if not things:
            return self._bare(clause) if finished or tasks else None
        if (
            where == "here"
            and tasks & {"pour", "put away"}
            and (self._on_table(clause) or at_hand(clause))
        ):
            return self._say(clause, [self._placement(item, ("get",), ()) for item in things])
        first, *rest = things
        if (where == "in" and not tasks & {"prepare", "wash"}) or (where == "in" and not tasks):
            items = [t for t in things if not self._vessel(t)] or [first]
            return self._say(
                clause,
                [self._placement(item, ("pour", "stack", "spread"), things) for item in items],
            )
        if where == "cut up" and not tasks:
            sliced = frozenset({"chop", "slice"})
            return self._say(clause, [self._subtask_on(item, sliced) for item in things])
        if where == "back":
            return self._say(clause, [self._placement(item, ("put away",), ()) for item in things])
        if where in ("", "here") and tasks == {"put away"} and "out" in clause.words.split():
            tasks = frozenset({"get"})  # "took the yoghurt out of the fridge"
        is_hand_over = tasks == {"hand over"} and any(
            c.kind in ("I", "WE") for c in clause.core[1:]
        )
        if is_hand_over and clause.core[0].kind in ("A", "OTHERS", "THEY", "SOMEONE"):
            tasks = frozenset({"get"})  # "R2 has just handed me the cream"
        is_fetch = not tasks and (where == "here" or not finished)
        if is_fetch or (
            tasks
            and tasks <= {"get", "hand over", "put away", "pour", "stack"}
            and "get" in tasks
            and where in ("", "here")
        ):
            return self._say(clause, [self._placement(item, ("get",), ()) for item in things])
        if tasks:
            if (inside := in_vessel(tasks, things, refs)) is not None:
                return self._say(clause, [inside])
            return self._say(
                clause,
                [
                    self._subtask_on(item, tasks)
                    for item in things
                    if not (self._vessel(item) and len(things) > 1 and rest)
                ],
            )
        return self._say(clause, [self._ready(item) for item in things])

    def _say(self, clause: Clause, found: list[str | None]) -> HeardAct | None:
        ids = [i for i in dict.fromkeys(found) if i is not None]
        return act("done", clause, subtasks=ids) if ids else None

    def _bare(self, clause: Clause) -> HeardAct | None:
        """ "Done", "chopped": the speaker's current subtask, or the one that the verb fits."""
        core = clause.core
        dish = self._refs.dish
        plain = _PLAIN | dish | _LABOUR
        if any(c.kind in ("W", "THEY") and c.key not in plain for c in core):
            return None
        has_ordinal = any(c.ref in ("first", "second", "third") for c in core)
        if has_ordinal and core[0].kind in ("I", "WE", "THEY"):
            return None  # "we finished second"
        verbs = frozenset[str]().union(
            *(self._refs.kitchen.tasks_of(c) for c in core if names_action(c))
        )
        who = next((c.agents[0] for c in core if c.kind == "A"), self._user)
        if verbs:
            subtasks = self._refs.subtasks(Ref(tasks=(verbs,)), _SOON[:2])
            mine = [s for s in subtasks if s.agent == who] or [
                s for s in subtasks if who == self._user
            ]
            if len(mine) == 1 and mine[0].status in ("running", "queued", "interrupted", "ready"):
                return act("done", clause, subtasks=[mine[0].id])
            now = self._refs.at(who)
            meaning = self._refs.meanings[now.id] if now is not None else None
            if meaning is None or not (meaning.task in _CUTTING and verbs & _CUTTING):
                return None
        now = self._refs.at(who)
        return act("done", clause, subtasks=[now.id]) if now is not None else None

    def _on_table(self, clause: Clause) -> bool:
        """ "On the table" is where things are brought; on a shelf they are put away."""
        cut = next((i for i, c in enumerate(clause.core) if c.kind in ("on", "at")), None)
        behind = clause.core[cut + 1 :] if cut is not None else ()
        return any("table" in name for name in names_of(behind))

    def _vessel(self, names: tuple[str, ...]) -> bool:
        return any("Container" in self._refs.kitchen.type_of(n) for n in names)

    def _placement(
        self, item: tuple[str, ...], tasks: tuple[str, ...], within: tuple[tuple[str, ...], ...]
    ) -> str | None:
        """The open subtask of one of these tasks about a thing.

        Of several, the one with the vessel named next to it, then the speaker's current one.
        """
        subtasks = [
            (s, {value for _, value in meaning.args})
            for s in self._refs.context.subtasks
            if s.status not in GONE
            and (meaning := self._refs.meanings[s.id]) is not None
            and meaning.task in tasks
        ]
        subtasks = [(s, about) for s, about in subtasks if set(item) & about]
        vessels = [set(names) for names in within if self._vessel(names)]
        subtasks = [one for one in subtasks if all(v & one[1] for v in vessels)] or subtasks
        mine = [one for one in subtasks if (one[0].agent, one[0].status) == (self._user, "running")]
        subtasks = subtasks if len(subtasks) == 1 else mine
        return subtasks[0][0].id if len(subtasks) == 1 else None

    def _subtask_on(self, item: tuple[str, ...], tasks: frozenset[str]) -> str | None:
        for group in _SOON:
            found = self._refs.subtasks(Ref(things=(item,)), (group,))
            exact = [s.id for s in found if self._task(s.id) in tasks]
            kin = [s.id for s in found if self._task(s.id) in _CUTTING and tasks & _CUTTING]
            if len(exact or kin) == 1:
                return (exact or kin)[0]
        return None

    def _ready(self, item: tuple[str, ...]) -> str | None:
        """ "The onions are done": the current task with them, or the next possible one."""
        every = [
            s for s in self._refs.context.subtasks
            if (m := self._refs.meanings[s.id]) is not None
            and set(item) & {value for _, value in m.args}
        ]  # fmt: skip
        over = any(s.status == "done" for s in every)
        is_begun = any(s.status in ("running", "queued", "interrupted") for s in every)
        for group in _SOON[:2]:
            own = [s for s in every if s.status in group]
            if group == _SOON[0]:
                own = [s for s in own if s.agent == self._user] or own
            elif is_begun or over:  # a repeated report is not about work that has not started
                own = [s for s in own if s.status != "ready"] or ([] if over else own)
            if own:
                return own[0].id if len(own) == 1 else None
        return None

    def _task(self, subtask: str) -> str:
        meaning = self._refs.meanings[subtask]
        return meaning.task if meaning is not None else ""
