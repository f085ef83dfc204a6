"""Task graphs: read from lists, linked by what their subtasks mean, judged."""
