"""What any team of robots and people keeps track of: work, proposals, the conversation."""
