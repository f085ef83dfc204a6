"""MOSAIC: a cook and two robots share out a recipe by talking."""
