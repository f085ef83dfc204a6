"""`treec recipe import`: recipes from lists of subtasks and web pages."""
