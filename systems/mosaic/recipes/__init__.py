"""Recipes from lists and web pages: what `treec recipe import` reads and writes."""
