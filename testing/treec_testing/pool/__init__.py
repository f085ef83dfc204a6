"""Many calls of one function, spread over processes of this machine or over Ray's.

Every command with `--jobs` and `--on` goes through :func:`treec_testing.pool.spread.spread`. What a
call gives depends on its item alone, never on where it ran: seeds are parts of items.
"""
