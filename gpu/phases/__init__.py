"""The phases of a run: each a function of the run and of the time when it ends."""
