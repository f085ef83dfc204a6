"""Each rule of the core has a file that breaks it."""

from __future__ import annotations

from tests.check.test_fixtures import FIXTURES
from treec.check import load_rules
from treec.extensions import registry
from treec.source.rules import all_rules


def test_every_rule_has_a_fixture() -> None:
    added = {rule.code for rule, of in load_rules() if not of.__module__.startswith("treec.check.")}
    for page in registry().pages:  # about no files of a library
        added |= vars(registry().load(page))["CODES"]
    codes = {rule.code for rule in all_rules()} - added
    assert codes - {path.stem for path in FIXTURES} == set()
