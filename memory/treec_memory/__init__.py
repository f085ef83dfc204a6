"""Memory of what was asked and what was done: pairs of texts, and the nearest of them to a text."""
