"""Who answers, side by side."""
