"""`set` in a loop that the loop forgets.

A name that `{% set %}` binds inside `{% for %}` lasts until the end of that turn of the loop, as in
Jinja: after it the name has the value from before the loop. A filter counts, sums or chooses.

Wrong:

    observation: |
      {% set busy = 0 %}
      {% for a in agents if a.current %}{% set busy = busy + 1 %}{% endfor %}
      {{ busy }} at work

Right:

    observation: |
      {{ agents | selectattr('current') | list | length }} at work
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.texts import diagnostics_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC215"


def check(view: View) -> Iterator[Diagnostic]:
    """Report names from before a loop that are set inside it."""
    return diagnostics_of(view, CODE)
