"""Rules about files of nodes that ask: options, choices, actions, kinds of acts."""
