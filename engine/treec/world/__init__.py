"""Facts and typed state, events, the journal, the clock and the inbox."""
