"""State of a team of robots and people: subtasks, proposals, the conversation."""
