"""Commands of learning."""
