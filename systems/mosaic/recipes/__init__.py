"""`treec recipe import`: recipes from nested lists and web pages."""
