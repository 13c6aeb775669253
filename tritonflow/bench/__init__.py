"""Microbenchmarks: of every op, of kernels at real sizes, and of your own calls. `python -m tritonflow.bench --help`.

    import tritonflow as flow

    @flow.bench.case(n=[1 << 16, 1 << 20], BLOCK=[256, 1024])
    def doubled(n, BLOCK): ...                       # returns the call to be timed

`docs/benchmarks.md` is the manual.
"""

from tritonflow.bench.case import Case, Timed
from tritonflow.bench.function import case

__all__ = ["Case", "Timed", "case"]
