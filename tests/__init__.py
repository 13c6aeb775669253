"""The tests. What they share is imported from here, so that no name of theirs is a top-level module of other programs."""
