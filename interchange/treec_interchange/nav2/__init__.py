"""Nodes of Nav2: a recovery, a pipeline, a round robin."""
