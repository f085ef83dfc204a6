"""Rules about what a model is shown: its examples, and the state in its observation."""
