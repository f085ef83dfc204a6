"""Recipes as task graphs: what subtasks mean, links between them, findings."""
