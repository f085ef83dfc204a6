"""Diagnostics of a list of subtasks, before it becomes a recipe."""

from __future__ import annotations

from treec.source.rules import register

NO_LIST = register(
    "TC521",
    "no list of subtasks",
    """`treec recipe import` reads a list whose items begin with -, *, + or a number. In a longer
    text the list stands under the heading `# Subtasks:`; without that heading there must be one
    list only, of at most 1,000 items and 50 levels.

    Wrong:

        fetch crate, then load crate onto cart

    Right:

        - fetch crate
        - load crate onto cart, after: [fetch crate]
    """,
)

BETWEEN_LEVELS = register(
    "TC522",
    "an item between two levels of its list",
    """Indentation says what comes after what. An item that stands deeper than one level above it,
    and less deep than the next, is read as the sibling of the deeper one.

    Wrong:

        - fetch crate
            - load crate onto cart
          - scan cart

    Right:

        - fetch crate
            - load crate onto cart
            - scan cart
    """,
    "warning",
)

LEFT_OUT = register(
    "TC523",
    "a line in a list that is not an item",
    """A line without a bullet or a number belongs to the item above it when it directly follows
    and is indented further. Other lines in the middle of a list are left out, and so are items
    without words.

    Wrong:

        - fetch crate
        load crate onto cart
        - scan cart

    Right:

        - fetch crate
        - load crate onto cart
        - scan cart
    """,
    "warning",
)

WRONG_AFTER = register(
    "TC529",
    "an `after` that cannot hold",
    """`after` names other items of the list, in their words; items that repeat have a number,
    `scan cart (2)`. Items cannot wait for each other.

    Wrong:

        - fetch crate
        - load crate onto cart, after: [fetch the crates]

    Right:

        - fetch crate
        - load crate onto cart, after: [fetch crate]
    """,
)

SENTENCES = register(
    "TC536",
    "a list of sentences instead of subtasks",
    """The instructions of a cookbook are sentences, each with several things to do. They are kept
    as they are: a person does each of them, in their order, and no robot takes part. A model splits
    a page's instructions into subtasks (`treec recipe import PAGE --model …`).

    Wrong:

        1. Fetch the crate, load it onto the cart, and then scan the cart. Take care of the corners.

    Right:

        - fetch crate
        - load crate onto cart, after: [fetch crate]
        - scan cart, after: [load crate onto cart]
    """,
    "warning",
)

CODES = frozenset(rule.code for rule in (NO_LIST, BETWEEN_LEVELS, LEFT_OUT, WRONG_AFTER, SENTENCES))
