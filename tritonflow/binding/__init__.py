"""From what a user passes to what a function takes: signatures, arguments and torch's ways to call, and tensors of other data."""
