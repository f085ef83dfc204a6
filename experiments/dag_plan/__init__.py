"""DAG-Plan's evaluation: Tables 2 and 3 of the paper."""
