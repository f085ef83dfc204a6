"""Skills that are learned: rewards as files, training, and judging what was learned."""
