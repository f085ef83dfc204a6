"""Results that the paper reports for this test (MOSAIC, appendix H, Table 9; Figure 11)."""

from __future__ import annotations

PASS_RATES = {
    "paper: Tree": {"easy": (90.0, 5.35), "hard": (94.0, 2.30)},
    "paper: One-Prompt": {"easy": (100.0, 0.0), "hard": (60.0, 9.04)},
}
"""Table 9: average success rate in per cent, with the ± values of the table."""

VIOLATIONS = (
    "paper (Figure 11, whose bars the text does not give as numbers): "
    "Tree makes 80.4 % fewer violations than One-Prompt on Easy, 22.0 % fewer on Hard"
)

TURNS = 34
"""Average number of chats per run (appendix H)."""
