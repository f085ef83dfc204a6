"""What a model would be asked, and what that would cost."""

from __future__ import annotations

import json

import pytest

from tests.support.library import WAREHOUSE
from treec.cli import main


@pytest.fixture
def prices(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dollar for each token of a prompt, ten for each of an answer."""
    monkeypatch.setattr(
        "treec_models.prices.token_cost",
        lambda model, prompt, written: prompt + 10 * written if model == "openai/dear" else None,
    )
    monkeypatch.setattr("treec_models.rule_answers.token_cost", lambda _, a, b: a + 10 * b)


def test_each_node_has_its_requests_tokens_and_cost(
    prices: None, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["cost", "-s", "direct_orders", "-m", "openai/dear", "-L", str(WAREHOUSE)]
    assert main([*words, "--output-format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["scenarios"], data["utterances"]) == (["direct_orders"], 3)
    nodes, total = data["nodes"], data["total"]
    assert {"Dispatch", "Operator_Talk"} <= {*nodes}
    assert nodes["Operator_Talk"]["asked"] == 3
    assert total["asked"] == sum(one["asked"] for one in nodes.values())
    assert total["input_tokens"] > 1000
    assert total["cost"] == total["input_tokens"] + 10 * total["output_tokens"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out.startswith("warehouse: 1 scenario, 3 utterances of people\n")
    assert out.splitlines()[-1].split()[:2] == ["an", "utterance"]


def test_a_model_without_a_price_is_refused(
    prices: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cost", "-m", "openai/unknown", "-L", str(WAREHOUSE)]) == 2
    assert "the price of 'openai/unknown' is not known" in capsys.readouterr().err


def test_no_price_is_needed_and_unknown_names_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cost", "-s", "direct_ordrs", "-L", str(WAREHOUSE)]) == 2
    assert "did you mean 'direct_orders'?" in capsys.readouterr().err
    assert main(["cost", "-s", "direct_orders", "-L", str(WAREHOUSE)]) == 0
    assert "$" not in capsys.readouterr().out
