"""What treec itself says to people; a system's `sentences` replace it.

A file's own texts come before both: `acknowledge` of an action, `otherwise` of a skill.
"""

from __future__ import annotations

from collections.abc import Mapping

from treec.files.view import View
from treec.source.template import TextTemplate

ACKNOWLEDGEMENTS: Mapping[str, str] = {
    "propose": "{{ 'Would you' if agent.person else 'Shall ' ~ agent }} {{ subtask.words }}?",
    "assign": (
        "{{ 'You' if agent.person else agent }} will "
        "{{ subtasks | map(attribute='words') | listed }}."
    ),
    "take_back": "For somebody else now: {{ subtasks | map(attribute='words') | listed }}.",
    "interrupt": "{{ agent }} has stopped.",
    "resume": "{{ agent }} goes on.",
}
"""High-level action → what is said when it is committed, a template of its arguments."""

REASONS: Mapping[str, str] = {
    "too_late": "it took too long",
    "unknown": "something went wrong with it",
    "not_ready": "{{ agent }} could not get ready for it",
    "goal_missed": "{{ agent }} has done it all, and it has not come out as it should",
    "refused": "{% if why %}{{ why }}{% else %}{{ 'I understood this: ' ~ heard ~ '. ' if heard }}"
    "{{ 'N' if heard else 'n' }}othing has changed; {{ right or 'please say it in other words' }}"
    "{% endif %}",
    "unheard": "I did not get: {{ words }}.",
    "not_at_rest": "{{ agent }} does not come to rest!",
    "forbidden": "{{ agent }} stops: {{ reason }}",
    "lost": "The connection to {{ name }} is lost!",
    "overdue": "{{ name }} has not answered for {{ seconds }} s!",
    "overruled": "I am getting nowhere like this, so I will follow my standard rules.",
}
"""Why a subtask failed, without a full stop; that words changed nothing; that a contract stops a
skill; which words nobody could read beside others; the alarms; and that rules decide, since a
model's answers led to nothing.

Templates of `agent`, the name of who had the subtask or is stopped, and `reason`; for `refused` of
`heard`, what was understood, `right`, what would be right, and `why`, what a contract tells; for
`unheard` of `words`; for alarms about environments and outside work, of `name` and `seconds`.
"""

CLAIMS: Mapping[str, str] = {
    "claim_done": "Done{{ ' by ' ~ ('you' if agent.person else agent) if agent }}: "
    "{{ subtask.words }}.",
    "claim_doing": "{{ 'You are' if agent.person else agent ~ ' is' }} at this: "
    "{{ subtask.words }}.",
    "claim_will": "{{ 'You' if agent.person else agent }} will {{ subtask.words }}.",
    "claim_left": "{{ ('For you' if agent.person else 'For ' ~ agent) ~ ' still' if agent "
    "else 'Still' }} to do: {{ subtask.words }}.",
    "claim_after": "First {{ after.words }}, then {{ subtask.words }}.",
    "claim_ready": "This can begin now: {{ subtask.words }}.",
    "claim_nobody_at": "Nobody is at this yet: {{ subtask.words }}.",
    "claim_failed": "This did not work: {{ subtask.words }}.",
    "claim_dropped": "This is dropped: {{ subtask.words }}.",
    "claim_idle": "{{ 'You have' if agent.person else agent ~ ' has' }} nothing to do.",
    "claim_stopped": "{{ agent }} was stopped, and waits for your word to go on.",
    "claim_not_stopped": "{{ agent }} was not stopped.",
    "claim_can": "{{ 'You' if agent.person else agent }} can {{ subtask.words }}.",
    "claim_cannot": "{{ 'You' if agent.person else agent }} cannot {{ subtask.words }}.",
    "claim_abilities": "{{ 'You' if agent.person else agent }} can {{ agent.can | join(', ') }}.",
    "claim_proposed": "My question is whether {{ 'you' if agent.person else agent }} should "
    "{{ subtask.words }}.",
    "claim_all_done": "Everything is done.",
    "claim_number_done": "{{ number }} of {{ total }} are done.",
    "claim_number_left": "{{ number }} of {{ total }} are still to be done.",
    "claim_recipe": "The recipe is {{ name }}.",
    "claim_has_recipe": "There is a recipe for {{ name }}.",
    "claim_nothing_chosen": "Nothing is chosen yet.",
}
"""What a model's claims of the work are said as (:mod:`treec.team.statements`).

Templates of `agent`, `subtask`, `after` (the earlier one), `number` and `total`, and `name`.
"""

ANSWERS: Mapping[str, str] = {
    "hello": "Hello!",
    "very_well": "Very well, thank you.",
    "welcome": "You are welcome.",
    "goodbye": "Goodbye!",
    "thing_at": "{% if place %}{{ thing }} {{ 'are' if many else 'is' }} at {{ place }}.{% else %}"
    "I do not know where {{ thing }} {{ 'are' if many else 'is' }}.{% endif %}",
    "thing_held": "{{ 'You have' if agent.person else agent ~ ' has' }} {{ thing }}.",
    "things_at": "At {{ place }}: {{ names or 'nothing' }}.",
    "things": "{{ number }}: {{ names }}.",
    "yes": "Yes. {{ answer }}",
    "agent_at": "{{ 'You are' if agent.person else agent ~ ' is' }} at {{ place }}.",
    "fact": "{{ thing }}'s {{ fact }}: {{ value or 'unknown' }}.",
    "no_time": "I cannot say how long that takes.",
    "abilities": "{{ 'You' if agent.person else agent }} can {{ can or 'do anything' }}.",
    "can": "{{ 'Yes' if is_able else 'No' }}, {{ 'you' if agent.person else agent }} "
    "{{ 'can' if is_able else 'cannot' }} do that"
    "{{ ', but ' ~ able ~ ' can' if able and not is_able }}.",
    "able": "{{ able or 'nobody here' }} can do that.",
    "busy": "{{ 'You are' if agent.person else agent ~ ' is' }} {{ subtask.words | gerund }}"
    "{{ ', and will then ' ~ left if left }}.",
    "stopped": "{{ 'You were' if agent.person else agent ~ ' was' }} stopped"
    "{{ ', and still has to ' ~ left if left }}.",
    "waits": "{{ 'You' if agent.person else agent }} will {{ left }}.",
    "because": "{{ 'You are' if agent.person else agent ~ ' is' }} {{ subtask.words | gerund }}"
    "{{ ' so that we can ' ~ after if after else ', as we agreed' }}.",
    "failed": "This did not work: {{ subtask.words }}{{ ' (' ~ reason ~ ')' if reason }}.",
    "nothing_failed": "Nothing has gone wrong that I know of.",
    "proposed": "{{ 'You' if agent.person else agent }} could {{ subtask.words }}, if you say yes.",
    "nothing_asked": "I have not asked anything.",
    "introduction": "I speak for {{ names }}.",
    "nothing_planned": "Nothing is planned yet.",
    "progress": "{{ number or 'None' }} of {{ total }} {{ 'is' if number < 2 else 'are' }} done"
    "{{ ' yet' if not number }}.{{ ' Still to do: ' ~ left ~ '.' if left }}"
    "{{ ' Waiting for your yes: ' ~ asked ~ '.' if asked }}",
    "no_thing": "There {{ 'are' if many else 'is' }} no {{ thing }} here"
    "{{ '; do you mean ' ~ near ~ '?' if near else '.' }}",
    "no_agent": "Nobody here is called {{ name }}.",
    "which": "{{ 'Which ' ~ thing ~ '? Say what they are called.' if many "
    "else 'What exactly? Say what it is called.' }}",
    "not_understood": "Sorry, I did not get that.",
}
"""What is answered without a model (:mod:`treec.team.answers`).

Templates of `agent`, `subtask`, `thing` and `place` with their articles, `names`, `many` (whether
there are several of the thing), `left` and `after` (work in words), and what else stands there. The
first letter becomes a capital.
"""

SENTENCES = (*REASONS, *CLAIMS, *ANSWERS)


def sentence(view: View, name: str) -> TextTemplate | None:
    """The system's sentence of that name, else treec's own; None if there is none."""
    replaced = view.system.model.sentences if view.system is not None else {}
    text = replaced.get(name, {**ACKNOWLEDGEMENTS, **REASONS, **CLAIMS, **ANSWERS}.get(name))
    return None if text is None else TextTemplate.parse(text)
