"""The extension of what hears and answers: nodes that read, rules, functions, statements."""

from __future__ import annotations

from treec.extensions import Command, Extension, Function, Rules, StatementKind


def _function(name: str, args: str, returns: str, about: str) -> Function:
    return Function(name, f"treec_hearing.functions:{name}", (args,), returns, about)


_IS = "{{ 'You are' if agent.person else agent ~ ' is' }}"
_HAS = "{{ 'You have' if agent.person else agent ~ ' has' }}"
_YOU = "{{ 'You' if agent.person else agent }}"
_FOR = "{{ 'For you' if agent.person else 'For ' ~ agent }}"
_WORDS = ": {{ subtask.words }}."
_NOW = "{{ items }}."
_WHY_NOT = (
    "{% if before %}first {{ before }}{% elif not able %}nobody here can do that"
    "{% elif failed %}it did not work{{ ': ' ~ subtask.told if subtask.told }}"
    "{% elif stopped %}{{ stopped }} was stopped{% else %}somebody must be told to{% endif %}."
)


def _claim(form: str, says: str, about: str = "", *, possible: bool = False) -> StatementKind:
    """A kind of statement, by its form: ``done(subtask, agent?)``."""
    name, _, rest = form.removesuffix(")").partition("(")
    fields = rest.split()
    needs = tuple(field for field in fields if not field.endswith("?"))
    may = tuple(field.removesuffix("?") for field in fields if field.endswith("?"))
    holds = f"treec_hearing.statement_checks:{name}"
    return StatementKind(name, holds, says, needs, may, about, possible)


STATEMENTS = (
    # one subtask
    _claim(
        "done(subtask agent?)",
        "Done{{ ' by ' ~ ('you' if agent.person else agent) if agent }}" + _WORDS,
    ),
    _claim("doing(agent subtask)", _IS + " {{ subtask.words | gerund }}."),
    _claim(
        "will(agent subtask)",
        _YOU + " will {{ subtask.words }}.",
        "the agent has it, now or before",
    ),
    _claim(
        "left(subtask agent?)",
        "{% if agent %}" + _FOR + " still{% else %}Still{% endif %} to do" + _WORDS,
    ),
    _claim(
        "after(subtask after)",
        "First {{ after.words }}, then {{ subtask.words }}.",
        "`after` comes first",
    ),
    _claim("ready(subtask)", "This can begin now" + _WORDS),
    _claim("nobody_at(subtask)", "Nobody is at this yet" + _WORDS),
    _claim("failed(subtask)", "This did not work" + _WORDS),
    _claim("dropped(subtask)", "This is dropped" + _WORDS),
    _claim(
        "proposed(agent subtask)",
        "My question is whether {{ 'you' if agent.person else agent }} should {{ subtask.words }}.",
    ),
    _claim("status(subtask)", _NOW, "how it stands"),
    _claim(
        "waits_for(subtask)",
        "First {{ before }}, then {{ subtask.words }}.",
        "says what comes before it",
    ),
    _claim(
        "why_not(subtask)",
        "{{ subtask.words }}: not now, " + _WHY_NOT,
        "says why it is not begun",
        possible=True,
    ),
    _claim("can(agent subtask)", _YOU + " can {{ subtask.words }}.", possible=True),
    _claim("cannot(agent subtask)", _YOU + " cannot {{ subtask.words }}.", possible=True),
    _claim(
        "who_can(subtask)",
        "{{ able or 'Nobody here' }} can {{ subtask.words }}.",
        "says who can do it",
        possible=True,
    ),
    # one agent
    _claim("idle(agent)", _HAS + " nothing to do."),
    _claim("stopped(agent)", "{{ agent }} was stopped, and waits for your word to go on."),
    _claim("not_stopped(agent)", "{{ agent }} was not stopped."),
    _claim("abilities(agent)", _NOW, "what it can do"),
    _claim("queue(agent)", _NOW, "what it does, and then in which order"),
    _claim(
        "did(agent)",
        "Done by {{ 'you' if agent.person else agent }}: {{ items }}.",
        "says what it has done",
    ),
    # all the work
    _claim("progress()", _NOW, "how much is done, and what is left"),
    _claim("everybody()", _NOW, "who is at what"),
    _claim("could_begin()", "This could begin: {{ items }}.", "says what nobody has yet"),
    _claim("waiting_for_yes()", "I am waiting for your answer: {{ items }}?", "says what it is"),
    _claim("all_done()", "Everything is done."),
    _claim("number_done(number)", "{{ number }} of {{ total }} are done."),
    _claim("number_left(number)", "{{ number }} of {{ total }} are still to be done."),
    _claim("nothing_chosen()", "Nothing is chosen yet."),
    # recipes
    _claim("recipe(name)", "The recipe is {{ name }}.", "it is the chosen one"),
    _claim("has_recipe(name)", "There is a recipe for {{ name }}."),
    _claim(
        "no_recipe(words)",
        'There is no recipe called "{{ words }}".',
        "`words`: the person's own for what they want",
    ),
    _claim("recipes()", "I know {{ count }} recipes: {{ items }}."),
    _claim("steps(name)", "{{ name }}: {{ items }}.", "says what there is to do for a recipe"),
    _claim("how_about(names)", "How about {{ choices }}?", "offers one to five recipes"),
    # facts
    _claim("where(thing)", _NOW, "where a thing or a robot is"),
    _claim("work_with(thing)", _NOW, "how the work with it stands"),
    _claim(
        "fact(fact names? value?)",
        "{{ told or fact_words }}.",
        "a fact of the things in `names`, or a name of the domain; `value`: if it is that",
    ),
    # questions and small talk, which claim nothing
    _claim("which(names)", "Which do you mean: {{ choices }}?", "two to five names"),
    _claim("who_should(subtask)", "Who should {{ subtask.words }}?", possible=True),
    _claim("go_on(agent)", "Shall {{ agent }} go on?"),
    _claim("tell_me(subtask)", "Tell me when this is done" + _WORDS, "a person has it"),
    _claim("what_next()", "What would you like to do?"),
    _claim("unclear()", "Sorry, I did not get that."),
    _claim("unknown()", "I do not know that."),
    _claim("unable()", "Sorry, I cannot do that."),
    _claim("hello()", "Hello!"),
    _claim("all_right()", "All right."),
    _claim("glad()", "Glad to hear it."),
    _claim("pity()", "That is a pity."),
    _claim("thanks()", "Thank you."),
    _claim("welcome()", "You are welcome."),
)
"""What each needs and may have, how it is said, and what it is for."""


EXTENSION = Extension(
    name="hearing",
    asks={"reading": "treec_hearing.node:Reading"},
    rules=(Rules("treec_hearing.check", ("reading", "hearing")),),
    functions=(
        _function("mentioned", "words", "list of text", "The agents and things named in words."),
        _function(
            "tasks_named", "words", "list of Task", "The tasks whose name or verb is in words."
        ),
        _function(
            "answer",
            "words",
            "text",
            "What the state answers to a question about the work, or to a greeting; '' if nothing.",
        ),
        _function(
            "not_understood",
            "words",
            "text",
            "What of words is not known, as a sentence: 'There is no kettle here.'",
        ),
        _function(
            "unknown_agents",
            "words",
            "list of text",
            "Names in words such as an agent may have, and none has: 'stop R3'.",
        ),
        _function(
            "unknown_things",
            "words",
            "list of text",
            "Objects of the words' requests that are not names of things: 'get the juice'.",
        ),
        _function(
            "unnamed_things",
            "words",
            "list of text",
            "Words for things where none is named that something is to be done with: "
            "'get the items'.",
        ),
        _function(
            "nearest_thing", "name", "text", "The thing with the nearest name; '' if none is near."
        ),
    ),
    statements=STATEMENTS,
    scorers={"npz": "treec_hearing.network:read_network"},
    commands={
        "hear": Command(
            "treec_hearing.hear:command", "Show what words are heard as, without a model.", "Models"
        )
    },
)
