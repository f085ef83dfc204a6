"""A hand at its target, without physics: where policies of DAG-Plan's sub-tasks are trained."""
