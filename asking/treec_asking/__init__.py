"""Nodes that ask: decisions, actions, programs; their questions, prompts, answers and rules."""
