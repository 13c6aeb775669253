"""The one template of all pointwise ops: outputs = FN(*inputs).

`xs` holds pointers and run-time scalars in the order of FN's arguments, `outs` the output pointers. FN returns one value or a
tuple. Copies, casts, fills and broadcasts are the same kernels with FN = identity and other strides.

Values are computed in COMPUTE (bool computes as int8) and cast to each output's type. If COMPUTE is None, FN gets each value in its
own type.

An entry of `xs` may be a generator's (state,) or (state, first counter). It stands for random words, one for each element of a
tensor. They are drawn where they are read, and the element's offset is its number.

- `flat`: all operands contiguous and of one shape, one index.
- `strided`: the collapsed shape (size_0, ..., size_{R-1}) as a matrix. The last size is along the columns. The others are
  decomposed from the row's number, once for each row. Strides count elements, one tuple for each operand.
- `whole_rows`: the same with all columns in one tile, for functions that reduce rows.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .dtypes import own_dtype
from .facts import DeviceFacts
from .functions.memory import cast, load
from .functions.random import words
from .index_math import mixed_radix


@triton.jit
def read(x, offsets, mask, COMPUTE: tl.constexpr):
    """The operand's values: loaded if it is a pointer, as it is if it is a scalar, drawn if it is a generator's state."""
    value = x
    if not isinstance(value, tl.tensor):
        return words(value, offsets)
    elif value.dtype.is_ptr():
        return load(value + offsets, mask, own_dtype(value.dtype.element_ty) if COMPUTE is None else COMPUTE)
    elif COMPUTE is None:
        return value
    else:
        return value.to(COMPUTE)


@triton.jit
def write(out, offsets, value, mask, CACHE: tl.constexpr):
    """Store a result, cast to the output's type."""
    pointer = out + offsets
    result = value
    tl.store(pointer, cast(result, pointer.dtype.element_ty), mask=mask, cache_modifier=CACHE)


@triton.jit
def write_all(outs, offsets, results, mask, CACHE: tl.constexpr):
    """A value, or a tuple of them, to as many outputs, all at the same offsets."""
    if len(outs) == 1:
        write(outs[0], offsets, results, mask, CACHE)
    else:
        for j in tl.static_range(len(outs)):
            write(outs[j], offsets, results[j], mask, CACHE)


@triton.jit
def flat(xs, outs, n, FN: tl.constexpr, COMPUTE: tl.constexpr, BLOCK: tl.constexpr, CACHE: tl.constexpr):
    offsets = tl.program_id(0).to(n.dtype) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    values = ()
    for j in tl.static_range(len(xs)):
        values = values + (read(xs[j], offsets, mask, COMPUTE),)
    write_all(outs, offsets, FN(*values), mask, CACHE)


@triton.jit
def _offset(row, col, sizes, strides, TILE: tl.constexpr):
    """Offsets of a tile, or of one element of each row."""
    offset = mixed_radix(row, sizes, strides, 1)[:, None]
    return offset + (col * strides[len(sizes) - 1])[None, :] if TILE else offset


@triton.jit
def _read_tile(x, row, col, sizes, strides, inside, mask, COMPUTE: tl.constexpr, BY_ROW: tl.constexpr):
    """A tile of an operand. BY_ROW: one that is the same along the columns is loaded once for a row (`inside`)."""
    if not BY_ROW or not isinstance(x, tl.tensor) or isinstance(strides[len(sizes) - 1], tl.tensor):
        return read(x, _offset(row, col, sizes, strides, True), mask, COMPUTE)
    elif strides[len(sizes) - 1] == 0 and x.dtype.is_ptr():
        return tl.broadcast_to(read(x, _offset(row, col, sizes, strides, False), inside[:, None], COMPUTE), mask.shape)
    else:
        return read(x, _offset(row, col, sizes, strides, True), mask, COMPUTE)


@triton.jit
def strided(
    xs,
    outs,
    rows,
    sizes,
    x_strides,
    out_strides,
    FN: tl.constexpr,
    COMPUTE: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
    CACHE: tl.constexpr,
    BY_ROW: tl.constexpr,
):
    """BY_ROW: an operand that is the same along the columns is loaded once for a row of the tile."""
    cols = sizes[len(sizes) - 1]
    blocks = tl.cdiv(cols, COLS)
    program = tl.program_id(0).to(cols.dtype)
    row = program // blocks * ROWS + tl.arange(0, ROWS)
    col = program % blocks * COLS + tl.arange(0, COLS)
    mask = (row < rows)[:, None] & (col < cols)[None, :]
    values = ()
    for j in tl.static_range(len(xs)):
        values = values + (_read_tile(xs[j], row, col, sizes, x_strides[j], row < rows, mask, COMPUTE, BY_ROW),)
    results = FN(*values)
    for j in tl.static_range(len(outs)):
        offset = _offset(row, col, sizes, out_strides[j], True)
        if len(outs) == 1:
            write(outs[0], offset, results, mask, CACHE)
        else:
            write(outs[j], offset, results[j], mask, CACHE)


@triton.jit
def whole_rows(
    xs,
    outs,
    rows,
    sizes,
    x_strides,
    out_strides,
    FN: tl.constexpr,
    X_TILES: tl.constexpr,
    OUT_TILES: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """outputs = FN(mask, number of columns, *inputs), which may reduce along the columns: a tile has whole rows.

    The first X_TILES inputs and OUT_TILES outputs have an element at each position, the others one for a row.
    """
    cols = sizes[len(sizes) - 1]
    row = tl.program_id(0).to(cols.dtype) * ROWS + tl.arange(0, ROWS)
    col = tl.arange(0, COLS)
    inside = (row < rows)[:, None]
    mask = inside & (col < cols)[None, :]
    values = (mask, cols)
    for j in tl.static_range(len(xs)):
        offset = _offset(row, col, sizes, x_strides[j], j < X_TILES)
        values = values + (read(xs[j], offset, mask if j < X_TILES else inside, None),)
    results = FN(*values)
    for j in tl.static_range(len(outs)):
        offset = _offset(row, col, sizes, out_strides[j], j < OUT_TILES)
        where = mask if j < OUT_TILES else inside
        if len(outs) == 1:
            write(outs[0], offset, results, where, "")
        else:
            write(outs[j], offset, results[j], where, "")


STREAM = 24 << 20


def cache_modifier(facts: DeviceFacts, nbytes: int) -> str:
    """How results are stored where `nbytes` are read and written: past the caches if these are too small for them.

    A CPU then does not read a line before it overwrites it: add of 16M elements on one thread 8.5 -> 6.2 ms. From 16 MB on
    this pays even if the next op reads the result (relu, then add, of 3M elements: 2.4 -> 1.7 ms); below it costs.
    """
    return ".cs" if facts.kind == "cpu" and nbytes >= STREAM else ""


# Functions, some in one dtype, of which a thread of a GPU has registers for few elements: how many a program of 4 warps takes.
HEAVY = {
    "gammainc": 128, "gammaincc": 128, "airy_ai": 128, "zeta": 128, "bessel_j0": 256, "bessel_j1": 256, "bessel_y0": 256,
    "bessel_y1": 256, "sinc_slope": 512, "acos_backward_input fp64": 256,
}  # fmt: skip


def flat_config(facts: DeviceFacts, function: str, compute: str) -> dict:
    """`config` of `flat` for a function that computes in a dtype: numbers of 8 bytes take two registers of a GPU."""
    found, few = config(facts)["flat"], _few(facts, function, compute)
    if few:
        return {"BLOCK": few, "num_warps": 4}
    return {**found, "num_warps": 8} if compute == "fp64" and facts.kind == "gpu" else found


def strided_config(
    facts: DeviceFacts, function: str, compute: str, rows: int, cols: int, across: bool, itemsize: int
) -> dict:
    """`config` of `strided` for a function that computes in a dtype."""
    found, few = config(facts, rows, cols, across, itemsize)["strided"], _few(facts, function, compute)
    while few and found["ROWS"] * found["COLS"] > few:
        side = "ROWS" if found["ROWS"] > 1 else "COLS"
        found[side] //= 2
    return found


def _few(facts: DeviceFacts, function: str, compute: str) -> int:
    """How many elements a program has if that is fewer than usual, or 0."""
    return 0 if facts.kind == "cpu" else HEAVY.get(function) or HEAVY.get(f"{function} {compute}", 0)


def config(facts: DeviceFacts, rows: int = 1, cols: int = 0, across: bool = False, itemsize: int = 4) -> dict:
    """Block sizes: `flat` uses BLOCK, `strided` and `whole_rows` ROWS and COLS for a collapsed shape (rows, cols).

    1024 elements to a program suit GPUs and also CPUs, where a ragged last program costs as much as a full one. Where an
    operand's memory runs `across` the columns, as in a transposed copy, tiles are square: what a row of the tile
    brings into the cache the next rows use (1024 x 1024 on a CPU: 12 ms with flat tiles, 2 ms with square ones), and
    on a CPU the larger the better, as far as they fit its first cache (2048 x 2048: 8.7 ms with 32 x 32, 5.5 with 64 x 64). On a
    GPU a row of the tile should be 128 bytes, a line of its cache, of elements of `itemsize`.
    """
    side = 64 if facts.kind == "cpu" or itemsize <= 2 else 32
    tile = side * side if across else 1024
    columns = min(next_power_of_2(max(cols, 1)), side if across else tile)
    return {
        "flat": {"BLOCK": tile, "num_warps": 4},
        "strided": {
            "ROWS": min(tile // columns, next_power_of_2(max(rows, 1))),
            "COLS": columns,
            "num_warps": 4,
        },
        "rows": {
            "ROWS": min(max(tile // next_power_of_2(max(cols, 1)), 1), next_power_of_2(max(rows, 1))),
            "COLS": next_power_of_2(max(cols, 1)),
            "num_warps": 4 if cols <= 4096 else 8,
        },
    }
