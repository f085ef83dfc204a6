"""Task graphs: reading them from lists, what their subtasks mean, what links them, what is wrong."""
