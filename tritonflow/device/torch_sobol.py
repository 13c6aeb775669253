"""The table of Sobol sequences' direction numbers that is compiled into torch: constants, which nothing else here has."""

from __future__ import annotations

from typing import Any

import numpy
import torch

MAX_BITS = 30
MAX_DIMENSION = 21201


def direction_numbers(dimension: int) -> numpy.ndarray[Any, numpy.dtype[numpy.int64]]:
    """The direction numbers of the first dimensions, of shape (dimension, MAX_BITS): column k is what bit k of a Gray code adds.

    Source: S. Joe and F. Y. Kuo, Constructing Sobol sequences with better two-dimensional projections, SIAM J. Sci. Comput. 30,
    2635-2654 (2008); the table new-joe-kuo-6.21201.
    """
    table = torch.zeros(dimension, MAX_BITS, dtype=torch.int64, device="cpu")
    torch._sobol_engine_initialize_state_(table, dimension)
    return table.numpy()
