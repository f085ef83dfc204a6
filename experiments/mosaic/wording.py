"""Turn the simulated user's intents into utterances, drawn from tables of phrases."""

from __future__ import annotations

import random
from collections.abc import Sequence

from experiments.mosaic import phrases
from experiments.mosaic.grammar import (
    gerund,
    is_or_are,
    listed,
    participle,
    past,
    plain_object,
    split,
)
from experiments.mosaic.intents import Intent, Json
from experiments.mosaic.kitchen import Kitchen
from experiments.mosaic.plan import Interaction
from treec.team.entities import Proposal, Subtask


class IntentPhraser:
    """Phrases intents; one random generator serves a whole run."""

    def __init__(self, kitchen: Kitchen, rng: random.Random) -> None:
        self.kitchen = kitchen
        self.rng = rng

    def choose(self, recipe: str, table: Sequence[str] = phrases.CHOOSE) -> Intent:
        """Name the wanted recipe."""
        text = self._fill(table, recipe=recipe)
        return Intent(text, [{"do": "choose", "recipe": recipe}])

    def take(self, recipe: str, named: Sequence[str], interaction: Interaction) -> Intent:
        """Answer a list of recipes that the assistant has just named."""
        if list(named) == [recipe]:
            table: Sequence[str] = phrases.TAKE_ONLY
        elif recipe in named and self.rng.random() < 0.25:
            table = phrases.TAKE_ORDINAL
        else:
            table = phrases.TAKE_ONE_OF if recipe in named else phrases.TAKE_OTHER
        ordinal = ""
        if table is phrases.TAKE_ORDINAL:
            place = list(named).index(recipe)
            ordinal = phrases.ORDINALS[place] if place < len(phrases.ORDINALS) else ""
            table = table if ordinal else phrases.TAKE_ONE_OF
        text = self._fill(table, recipe=recipe, ordinal=ordinal)
        acts = [{"do": "choose", "recipe": recipe}]
        return Intent(text, acts, interaction.mode, interaction.id)

    def open(self, interaction: Interaction) -> Intent:
        """Express a vague wish (A) or ask for an unknown dish (B)."""
        thing = interaction.thing
        if interaction.mode == "B":
            text = self._fill(phrases.UNKNOWN_DISH, dish=thing)
            return Intent(text, [{"do": "choose_unknown", "dish": thing}], "B", interaction.id)
        table = {
            "kind": phrases.DESCRIBE_KIND,
            "ingredient": phrases.DESCRIBE_INGREDIENT,
            "nothing": phrases.DESCRIBE_NOTHING,
        }[interaction.how]
        act = {"do": "describe", "words": thing, "fitting": list(interaction.fitting)}
        return Intent(self._fill(table, thing=thing), [act], "A", interaction.id)

    def accept(self, proposals: Sequence[Proposal]) -> Intent:
        """Accept all of the proposals."""
        act = {"do": "accept", "proposals": [_offer(p) for p in proposals]}
        return Intent(self._yes(proposals), [act])

    def _yes(self, proposals: Sequence[Proposal]) -> str:
        if any(proposal.drop for proposal in proposals):
            alone = len(proposals) == 1
            return self._fill(phrases.ACCEPT_DROP if alone else phrases.ACCEPT_ALL)
        if len(proposals) == 1:
            agent, do = proposals[0].agent, proposals[0].subtask.words
            table: Sequence[str] = phrases.ACCEPT_SELF if agent.person else phrases.ACCEPT_ROBOT
            table = table if self.rng.random() < 0.4 else phrases.ACCEPT
            return self._fill(table, agent=agent.name, do=do)
        if self.rng.random() < 0.25:
            parts = [
                self._fill(
                    (phrases.ACCEPT_EACH_SELF if p.agent.person else phrases.ACCEPT_EACH_ROBOT,),
                    agent=p.agent.name,
                    do=p.subtask.words,
                )
                for p in proposals
            ]
            return f"Yes, {listed(parts)}."
        both = len(proposals) == 2 and self.rng.random() < 0.4
        return self._fill(phrases.ACCEPT_BOTH if both else phrases.ACCEPT_ALL)

    def done(self, subtask: Subtask, alone: bool) -> Intent:
        """Report the user's subtask as done; ``alone``: it is their only one."""
        thing = plain_object(subtask.words)
        tables: list[Sequence[str]] = [phrases.DONE]
        if thing:
            tables.append(phrases.DONE_THING)
        if alone:
            tables.append(phrases.DONE_BARE)
        verb, rest = split(subtask.words)
        text = self._fill(
            self.rng.choice(tables),
            did=f"{participle(verb)} {rest}".strip(),
            doing=f"{gerund(verb)} {rest}".strip(),
            once=f"{past(verb)} {rest}".strip(),
            past=participle(verb),
            thing=thing or "",
            Thing=(thing or "").capitalize(),
            be=is_or_are(thing or ""),
        )
        return Intent(text, [{"do": "done", "subtasks": [subtask.id]}])

    def refuse(self, proposal: Proposal, interaction: Interaction, alone: bool) -> Intent:
        """Ask for another agent; ``alone``: no other proposal is open."""
        agent = str(interaction.agent)
        person = self.kitchen.team[agent].person
        bare = alone and self.rng.random() < 0.5
        table: Sequence[str]
        if person:
            table = phrases.REFUSE_SELF_BARE if bare else phrases.REFUSE_SELF
        else:
            table = phrases.REFUSE_ROBOT_BARE if bare else phrases.REFUSE_ROBOT
        if proposal.agent.person:
            table = [phrase for phrase in table if "{other}" not in phrase]
        do = self._synonym(proposal.subtask.words)
        text = self._fill(table, agent=agent, other=proposal.agent.name, do=do)
        acts = [
            {"do": "decline", "proposals": [_offer(proposal)]},
            self._request(proposal.subtask, agent),
        ]
        return Intent(text, acts, "C", interaction.id)

    def settle(self, subtask: Subtask, agent: str, alone: bool) -> Intent:
        """Give in and name an able agent; ``alone``: no proposal is open."""
        if self.kitchen.team[agent].person:
            table: Sequence[str] = phrases.SETTLE_SELF if alone else phrases.SETTLE_SELF_APART
        else:
            table = phrases.SETTLE if alone else phrases.SETTLE_APART
        text = self._fill(table, agent=agent, do=subtask.words)
        return Intent(text, [self._request(subtask, agent)])

    def extra(self, interaction: Interaction) -> Intent:
        """Ask for work that is not in the recipe."""
        table = phrases.EXTRA_NAMED if interaction.agent else phrases.EXTRA
        do = self._synonym(interaction.words)
        act = {
            "do": "request",
            "agent": interaction.agent,
            "subtask": None,
            "task": interaction.task,
            "args": dict(interaction.args),
            "words": interaction.words,
        }
        text = self._fill(table, agent=interaction.agent or "", do=do)
        return Intent(text, [act], "D", interaction.id)

    def interrupt(self, interaction: Interaction, alone: bool) -> Intent:
        """Stop a robot; ``alone``: no other one is at work."""
        agent = str(interaction.agent)
        bare = alone and self.rng.random() < 0.5
        text = self._fill(phrases.INTERRUPT_BARE if bare else phrases.INTERRUPT, agent=agent)
        act = {"do": "stop", "agent": None if bare else agent}
        return Intent(text, [act], "E", interaction.id)

    def go_on(self, interaction: Interaction, alone: bool) -> Intent:
        """Let whoever was stopped go on; ``alone``: that is one robot."""
        agent = str(interaction.agent) if alone else None
        text = self._fill(phrases.GO_ON if alone else phrases.GO_ON_ALL, agent=agent or "")
        return Intent(text, [{"do": "resume", "agent": agent}], "E", interaction.id)

    def nudge(self) -> Intent:
        """Ask what is left."""
        return Intent(self._fill(phrases.NUDGE), [{"do": "ask", "about": "what is left"}])

    def both(self, first: Intent, second: Intent) -> Intent:
        """Join two intents in one utterance."""
        text = f"{first.text} {second.text}"
        return Intent(text, [*first.acts, *second.acts], first.mode, first.interaction)

    def _request(self, subtask: Subtask, agent: str) -> Json:
        return {
            "do": "request",
            "agent": agent,
            "subtask": subtask.id,
            "task": subtask.task,
            "args": dict(subtask.args),
            "words": subtask.words,
        }

    def _synonym(self, words: str) -> str:
        verb, rest = split(words)
        chosen = self.rng.choice(phrases.SYNONYMS.get(verb, (verb,)))
        return f"{chosen} {rest}".strip()

    def _fill(self, table: Sequence[str], **gaps: str) -> str:
        text = self.rng.choice(table).format(**gaps)
        return text[:1].upper() + text[1:]


def _offer(proposal: Proposal) -> Json:
    offer: Json = {"id": proposal.id, "agent": proposal.agent.name, "subtask": proposal.subtask.id}
    return {**offer, "drop": True} if proposal.drop else offer
