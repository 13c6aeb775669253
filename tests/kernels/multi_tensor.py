"""Launches of kernels over many tensors, whose addresses are in tables."""

import torch
import triton.language as tl

from tests.kernels.harness import Constant, Scalar, kernels, run
from tritonflow import triton_cpu

TRITON = {torch.float32: tl.float32, torch.float64: tl.float64, torch.float16: tl.float16, torch.bfloat16: tl.bfloat16}
CHUNK = {"CHUNK": 1024, "BLOCK": 256}
ABSENT = Constant(None)


class Tables:
    """The tables of one launch over columns of tensors; the first column tells the sizes."""

    def __init__(self, *columns, width):
        self.columns = columns  # alive as long as kernels find them by address
        for tensor in [t for column in columns for t in column]:
            triton_cpu.allocations.add(tensor, tensor.data_ptr(), tensor.nbytes)
        rows = [[ts[0].numel(), *(t.data_ptr() for t in ts), *[0] * (width - 1 - len(ts))] for ts in zip(*columns)]
        self.tensors = torch.tensor(rows, dtype=torch.int64)
        chunks = kernels("multi_tensor").chunk_rows([r[0] for r in rows], CHUNK["CHUNK"])
        self.chunks = torch.tensor(chunks, dtype=torch.int64)
        self.programs = len(chunks) // 2
        self.dtypes = [c[0].dtype for c in columns]
        self.scalar = "fp64" if self.dtypes[0] == torch.float64 else "fp32"

    def args(self, before, scalars, kind=None):
        """The arguments: what comes before the tables, the tables, scalars."""
        return (*before, self.tensors, self.chunks, *(Scalar(s, kind or self.scalar) for s in scalars))

    def run(self, backend, kernel, before=(), scalars=(), kind=None, **constexprs):
        run(backend, kernel, (self.programs,), self.args(before, scalars, kind), {**constexprs, **CHUNK})
