"""What treec itself says to people; a system's `sentences` replace it.

A file's own texts come before both: `acknowledge` of an action, `otherwise` of a skill.
"""

from __future__ import annotations

from collections.abc import Mapping

from treec.extensions import registry
from treec.files.view import View
from treec.source.template import TextTemplate

LONGEST = 400
"""Characters of a message."""
MOST = 6
"""Claims of one message, and names in one claim."""
LONGEST_QUOTE = 40

FIELDS = ("agent", "subtask", "after", "number", "name", "names", "thing", "fact", "value", "words")
"""What a statement may have beside its kind."""

ACKNOWLEDGEMENTS: Mapping[str, str] = {
    "propose": "{{ 'Would you' if agent.person else 'Shall ' ~ agent }} {{ subtask.words }}?",
    "assign": (
        "{{ 'You' if agent.person else agent }} will "
        "{{ subtasks | map(attribute='words') | listed }}"
        "{{ ', once this is done: ' ~ before if before }}."
    ),
    "take_back": "For somebody else now: {{ subtasks | map(attribute='words') | listed }}.",
    "interrupt": "{{ agent }} has stopped.",
    "resume": "{{ agent }} goes on.",
}
"""High-level action → what is said when it is committed, a template of its arguments; for `assign`
also of `before`, the work for which it waits."""

REASONS: Mapping[str, str] = {
    "too_late": "it took too long",
    "unknown": "something went wrong with it",
    "not_ready": "{{ agent }} could not get ready for it",
    "goal_missed": "{{ agent }} has done it all, and it has not come out as it should",
    "refused": "{% if why %}{{ why }}{% else %}{{ 'I understood this: ' ~ heard ~ '. ' if heard }}"
    "{{ 'N' if heard else 'n' }}othing has changed; {{ right or 'please say it in other words' }}"
    "{% endif %}",
    "unheard": "I did not get: {{ words }}.",
    "in_order": "First {{ first | listed }}, then {{ then }}.",
    "no_rule": "I cannot take this as a rule: {{ words }}. "
    "Rules are contracts, which stand in files; talk makes none.",
    "not_now": "I take orders for now only, not for later: {{ words }}. "
    "Say it again when it is time.",
    "not_begun": "Since you said stop, I have not begun: {{ words }}.",
    "not_at_rest": "{{ agent }} does not come to rest!",
    "forbidden": "{{ agent }} stops: {{ reason }}",
    "lost": "The connection to {{ name }} is lost!",
    "back": "The connection to {{ name }} is there again.",
    "overdue": "{{ name }} has not answered for {{ seconds }} s!",
    "gone": "The {{ name }} is not at the {{ place }} any more.",
    "moved": "The {{ name }} is not at the {{ place }} any more: it is at the {{ now }}.",
    "overruled": "I am getting nowhere like this, so I will follow my standard rules.",
}
"""Why a subtask failed, without a full stop; that words changed nothing; that a contract stops a
skill; which words nobody could read beside others, which forbid something for good, and which are
for another time, what waits for what, and which words a stop took back; the alarms; and that rules
decide, since a model's answers led to nothing.

Templates of `agent`, the name of who had the subtask or is stopped, and `reason`; for `refused` of
`heard`, what was understood, `right`, what would be right, and `why`, what a contract tells; for
`unheard`, `no_rule`, `not_now` and `not_begun` of `words`, for `in_order` of the words of subtasks,
`first` and `then`; for alarms about environments and outside work, of `name` and `seconds`; for
what cameras find `gone` or `moved`, of `name`, `place` and `now`.
"""


def claims() -> dict[str, str]:
    """What a model's statements are said as, by sentence (:mod:`treec_asking.statements`)."""
    return {f"claim_{name}": kind.says for name, kind in registry().statements.items()}


ANSWERS: Mapping[str, str] = {
    "hello": "Hello!",
    "very_well": "Very well, thank you.",
    "welcome": "You are welcome.",
    "goodbye": "Goodbye!",
    "all_right": "All right.",
    "thing_at": "{% if place %}{{ thing }} {{ 'are' if many else 'is' }} at {{ place }}.{% else %}"
    "I do not know where {{ thing }} {{ 'are' if many else 'is' }}.{% endif %}",
    "thing_held": "{{ 'You have' if agent.person else agent ~ ' has' }} {{ thing }}.",
    "things_at": "At {{ place }}: {{ names or 'nothing' }}.",
    "things": "{{ number }}: {{ names }}.",
    "yes": "Yes. {{ answer }}",
    "no": "No. {{ answer }}",
    "agent_at": "{{ 'You are' if agent.person else agent ~ ' is' }} at {{ place }}.",
    "fact": "{{ thing }}'s {{ fact }}: {{ value or 'nothing that I know of' }}.",
    "so": "Yes, as far as I know.",
    "not_so": "Not as far as I know.",
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
    "nothing_said": "I have not said anything yet.",
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
    "which_of": "Which {{ thing }}: {{ things }}?",
    "which_done": "What is done? Say which work you mean.",
    "portion": "{{ verb }} {{ amount }}{{ '' if counted else ' of the' if "
    "['half', 'third', 'quarter', 'rest'] | select('in', amount) | list else ' of' }} {{ thing }}",
    "subtask": "{{ words }}{{ ' at ' ~ at if at }}{{ ' for ' ~ time if time }}"
    "{{ ' (' ~ note ~ ')' if note }}{{ ', if you like' if optional }}",
    "not_understood": "Sorry, I did not get that.",
}
"""What is answered without a model (:mod:`treec_hearing.answers`).

Templates of `agent`, `subtask`, `thing` and `place` with their articles, `names`, `many` (of the
thing), `left` and `after` (work in words), and what stands there. The first letter is a capital.
"""


def sentence_names() -> tuple[str, ...]:
    """The names of sentences that a system may replace, beside its actions."""
    return (*REASONS, *claims(), *ANSWERS)


def sentence(view: View, name: str) -> TextTemplate | None:
    """The system's sentence of that name, else treec's own; None if there is none."""
    replaced = view.system.model.sentences if view.system is not None else {}
    own = ANSWERS.get(name) or REASONS.get(name) or ACKNOWLEDGEMENTS.get(name)
    text = replaced[name] if name in replaced else own or claims().get(name)
    return None if text is None else TextTemplate.parse(text)


def misfit(given: object) -> str | None:
    """What is wrong with the form of a claim; None if nothing is."""
    from treec.source.diagnostics import unknown  # read where something is wrong

    kinds = registry().statements
    if not isinstance(given, Mapping) or "is" not in given:
        return f"a claim is {{is: KIND, …}}, not {given!r}"[:LONGEST]
    kind = kinds.get(str(given["is"]))
    if kind is None:
        return unknown("kind of claim", str(given["is"])[:LONGEST_QUOTE], kinds)
    fields = [name for name in given if name != "is" and given[name] is not None]
    for name in kind.needs:
        if name not in fields:
            return f"'{kind.name}' needs '{name}'"
    for name in fields:
        if name not in (*kind.needs, *kind.may):
            return f"unknown field '{str(name)[:LONGEST_QUOTE]}' of {kind.signature}"
    return None
