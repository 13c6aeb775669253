"""Merging of sorted keys: what the sort of a GPU and the writes by index share."""

import triton
import triton.language as tl


@triton.jit
def merged_rank(keys, key, i, inside, n, length, bisections, WAYS: tl.constexpr):
    """Of key i in runs of `length` sorted keys: its rank among those of each WAYS neighbouring runs.

    The n keys are distinct. The rank is the number of smaller ones, which are counted by bisection in each run.
    """
    first = i // length // WAYS * WAYS * length
    run = first[:, None] + (tl.arange(0, WAYS) * length)[None, :]
    low = tl.zeros_like(run)
    high = tl.minimum(tl.maximum(n - run, 0), length)
    for _ in range(bisections):
        middle = (low + high) // 2
        search = (low < high) & inside[:, None]
        smaller = tl.load(keys + (run + middle), mask=search, other=0) < key[:, None]
        low = tl.where(search & smaller, middle + 1, low)
        high = tl.where(search & ~smaller, middle, high)
    return tl.sum(low, 1)
