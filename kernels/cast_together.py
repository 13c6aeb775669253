"""Casts of several tensors in one launch, where each is too small to fill a GPU or to make up for a launch."""

import triton
import triton.language as tl


@triton.jit
def cast_together(xs, ys, sizes, firsts, BLOCK: tl.constexpr):
    """ys[k] = xs[k], in the dtype of ys[k]. Grid: (blocks of all tensors,); those of tensor k begin at firsts[k]."""
    for k in tl.static_range(len(xs)):
        block = tl.program_id(0) - firsts[k]
        if (block >= 0) & (block < tl.cdiv(sizes[k], BLOCK)):
            i = block.to(sizes[k].dtype) * BLOCK + tl.arange(0, BLOCK)
            mask = i < sizes[k]
            tl.store(ys[k] + i, tl.load(xs[k] + i, mask=mask).to(ys[k].dtype.element_ty), mask=mask)
