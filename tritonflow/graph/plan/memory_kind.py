"""The kinds of memory that the kernels of a graph take arguments from."""

from __future__ import annotations

from enum import Enum


class MemoryKind(Enum):
    """Where an argument of a kernel lies. The values are how a schedule on disk spells them."""

    ARENA = "arena"  # the one block that holds the intermediate values
    INPUT = "input"  # the memory of an input, with another address in every run
    OUTPUT = "output"  # the memory of an output, new in every run
    STATE = "state"  # the memory of a state
    FOLDED = "folded"  # the block of values that no run computes as long as the states that they come from are not written
    TABLE = "table"  # the step's table of addresses
    ERROR_WORD = "word"  # the step's error word
    SCALAR = "scalar"  # a run-time scalar, which lies in no memory: each run is given it
