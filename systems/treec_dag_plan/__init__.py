"""DAG-Plan: task graphs for several arms, asked for, checked, scheduled and done."""
