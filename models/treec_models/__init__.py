"""Asks models: OpenAI's interface by a client of its own, all others through LiteLLM."""
