"""DAG-Plan's tables, judged anew."""
