"""What kernels over many tensors share: one launch, whatever the number of tensors.

Two int64 tables in device memory say what a launch works on. `tensors` has a row for each tensor: its size, then the addresses that
belong together (a parameter, its gradient, its states). `chunks` has a row for each program: the row of its tensor, and the element
at which its CHUNK elements begin. All tensors of a column have one dtype.
"""

import triton
import triton.language as tl

from .facts import DeviceFacts


@triton.jit
def chunk_of(tensors, chunks, WIDTH: tl.constexpr, ALIGNED: tl.constexpr = False):
    """(row of the tensor, its size, first element) of this program. ALIGNED: sizes are multiples of 8, for loads of 16 bytes."""
    pid = tl.program_id(0).to(tl.int64)
    row = tensors + tl.load(chunks + 2 * pid) * WIDTH
    size, first = tl.load(row), tl.load(chunks + 2 * pid + 1)
    if ALIGNED:
        size, first = tl.multiple_of(size, 8), tl.multiple_of(first, 8)
    return row, size, first


@triton.jit
def address(row, column: tl.constexpr, DTYPE: tl.constexpr, ALIGNED: tl.constexpr = False):
    """The pointer in a column of a row; ALIGNED ones are multiples of 16."""
    pointer = tl.load(row + column).to(tl.pointer_type(DTYPE))
    if ALIGNED:
        pointer = tl.multiple_of(pointer, 16)
    return pointer


@triton.jit
def put_addresses(addresses, table, rows):
    """table[rows[k]] = addresses[k]: what a graph writes there whose tensors lie elsewhere in every run. Grid: (1,)."""
    for k in tl.static_range(len(addresses)):
        tl.store(table + rows[k], addresses[k].to(tl.int64))


@triton.jit
def store(pointer, i, value, mask):
    tl.store(pointer + i, value.to(pointer.dtype.element_ty), mask=mask)


def config(facts: DeviceFacts) -> dict:
    """A chunk is what one program works on: long enough to make up for its two table rows.

    On a CPU a block's arrays are read one after the other, as their addresses do not tell that they are apart. In short blocks
    the processor reads all of them ahead: Adam over 10M parameters takes 0.57 of the time with 128 that it takes with 1024.
    """
    if facts.kind == "cpu":
        return {"constexprs": {"CHUNK": 8192, "BLOCK": 128}, "num_warps": 1, "num_stages": 1}
    return {"constexprs": {"CHUNK": 16384, "BLOCK": 1024}, "num_warps": 4, "num_stages": 1}


def chunk_rows(sizes: list[int], chunk: int) -> list[int]:
    """The rows of `chunks`, flat: (tensor, first element) of every program, in order."""
    return [value for tensor, size in enumerate(sizes) for start in range(0, size, chunk) for value in (tensor, start)]
