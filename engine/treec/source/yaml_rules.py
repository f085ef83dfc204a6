"""The rules of YAML files: what is not allowed in a file, and what to write instead."""

from __future__ import annotations

from treec.source.rules import register

UNREADABLE = register(
    "TC001",
    "Unreadable file",
    """The file is not there, is not a plain file, or may not be read by this user.

    Wrong: `get.task.yaml` is a link to a file that was moved away.

    Right: `get.task.yaml` is a file that you can open.
    """,
)
ENCODING = register(
    "TC002",
    "File that is not UTF-8",
    """Files are UTF-8. The place is that of the first byte that is not.

    Wrong: a file saved as Latin-1 or UTF-16 by an older editor.

    Right: the same file saved as UTF-8. On most systems this converts it:

        iconv -f LATIN1 -t UTF-8 old.task.yaml > get.task.yaml
    """,
)
SYNTAX = register(
    "TC003",
    "YAML syntax error",
    """YAML's own syntax is broken. Documents above the place are still checked. `treec.toml`, which
    is TOML, is held to its own syntax in the same way.

    Wrong:

        about: Two things: fetch and carry
        when: 'crate' in queue

    Right:

        about: "Two things: fetch and carry"
        when: "'crate' in queue"
    """,
)
DUPLICATE_KEY = register(
    "TC004",
    "Duplicate key in a mapping",
    """YAML readers keep the last of two equal keys and say nothing. Here it is an error.

    Wrong:

        args: {item: Item}
        args: {place: Place}

    Right:

        args: {item: Item, place: Place}
    """,
)
TAG = register(
    "TC005",
    "YAML tag",
    """Tags such as `!!python/object` make YAML build things. Files here hold plain data. An
    exclamation mark at the start of a value is a tag, not a negation. Only YAML's own tags of plain
    data are read, such as `!!int "3"`, which programs write.

    Wrong:

        when: !done

    Right:

        when: not done
    """,
)
MERGE_KEY = register(
    "TC006",
    "Merge key",
    """The merge key `<<` is not part of YAML 1.2, and hides where a value comes from. `treec check
    --fix` writes out the keys that it brings.

    Wrong:

        R2:
          <<: *robot
          near: table

    Right:

        R2:
          can: [get, put away]
          near: table
    """,
)
ALIAS = register(
    "TC007",
    "Anchor or alias",
    """Anchors (`&name`) and aliases (`*name`) make one thing stand in two places, can refer to
    themselves, and can unfold a small file into billions of values. `treec check --fix` writes
    them out.

    Wrong:

        first: &tools [pick, place]
        second: *tools

    Right:

        first: [pick, place]
        second: [pick, place]

    A value that begins with `*` or `&` and is meant as text is quoted.
    """,
)
TOO_DEEP = register(
    "TC008",
    "Lists and mappings nested too deeply",
    """At most 64 lists and mappings may stand inside one another.

    Wrong: a tree of a hundred levels written into one file.

    Right: its parts in trees of their own, reached with `tree: NAME`.
    """,
)
TOO_LARGE = register(
    "TC009",
    "File too large",
    """A file may have at most 1,000,000 bytes and 50,000 values, a scene or tree 24 times as much;
    a number may have 300 characters.

    Wrong: a log or a table of measurements in a file that people are to read.

    Right: one file for each behaviour.
    """,
)
FOLDED_TEMPLATE = register(
    "TC010",
    "Template in folded text",
    """In a block that begins with `>`, and in plain and quoted text of several lines, YAML joins
    lines, so that the lines of a template are lost. A block that begins with `|` keeps them. Lines
    that are full, as programs write a long text, are no lines of the template.

    Wrong:

        instructions: >
          Choose one of
          {{ options | join(', ') }}.

    Right:

        instructions: |
          Choose one of
          {{ options | join(', ') }}.
    """,
)
TRAP = register(
    "TC011",
    "YAML that does not mean what it seems to",
    """The file is YAML, but surely not what was meant: a comma inside the parentheses of an
    expression ends an item of `[…]` or `{…}`; braces that are not quoted are a mapping; a key
    that is not text is not a name; a number loses the zeros that it begins with.

    Wrong:

        before: [near(agent, item), hand_empty(agent)]
        tell: {{ action }}
        cases: {1: first}
        place: 02142

    Right:

        before:
          - near(agent, item)
          - hand_empty(agent)
        tell: "{{ action }}"
        cases: {"1": first}
        place: "02142"
    """,
)
