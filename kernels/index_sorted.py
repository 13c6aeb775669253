"""Writes by index in parallel: positions sorted by what they write to.

The *target* of a position is the offset in `out` that it writes to, as a multiple of `unit`. Its *key* is the target above the
position, in `bits` bits, so that keys are distinct. In order of keys, the positions of a target follow each other, the first
one first: a *run*. A program adds the values of a run in turn and writes once: the bits are those of `index.put` to
float32 numbers, which are rounded once where `out` is of a half type.

`sort_tiles` makes keys and sorts tiles of them; `merge_tiles` merges tiles. `add_runs` gives each lane STEPS neighbouring keys,
whose values are loaded before the first is added. A run belongs to the lane that it begins in. A run that fills an aligned
chunk of LONG keys belongs to `add_long_runs` instead: few columns to a program, many loads at once.

Where sums go to zeros, `add_to_all` writes every target once, those without positions as well, so that nobody writes zeros before.
It has lanes for targets, which find their runs by bisection.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .facts import DeviceFacts
from .functions.memory import cast
from .index import wrapped
from .index_math import mixed_radix
from .merge import merged_rank

NOWHERE: tl.constexpr = tl.constexpr(1 << 62)  # above the key of every position that writes
STEPS, LONG = 8, 256
WAYS = 16  # sorted tiles that a merge takes on a GPU: 16384 positions have one


@triton.jit
def sort_tiles(
    indices,
    keys,
    err,
    n,
    bits,
    sizes,
    index_strides,
    out_strides,
    limits,
    steps,
    WRAP: tl.constexpr,
    TILE: tl.constexpr,
):
    """Keys of the positions, each tile of TILE in order, in lists of n. Bad indices are reported, and write nowhere."""
    tiles = tl.cdiv(n, TILE)
    program = tl.program_id(0).to(n.dtype)
    start = program // tiles * n
    i = program % tiles * TILE + tl.arange(0, TILE)
    inside = i < n
    position = start + i
    target = mixed_radix(position, sizes, out_strides).to(tl.int64)
    use = inside
    for k in tl.static_range(len(indices)):
        index = tl.load(indices[k] + mixed_radix(position, sizes, index_strides[k]), mask=inside, other=0)
        at, good = wrapped(index, limits[k], inside, err, WRAP)
        target += at.to(tl.int64) * steps[k]
        use = use & good
    key = tl.where(use, target << bits, NOWHERE) + position
    last = NOWHERE + NOWHERE - 1  # behind every key, as padding
    tl.store(keys + position, tl.sort(tl.where(inside, key, last)), mask=inside)


@triton.jit
def merge_tiles(keys, out, n, length, bisections, WAYS: tl.constexpr, BLOCK: tl.constexpr):
    """Merges each WAYS neighbouring tiles of `length` sorted keys, in lists of n: a key's rank is the number of smaller ones."""
    blocks = tl.cdiv(n, BLOCK)
    program = tl.program_id(0).to(n.dtype)
    start = program // blocks * n
    i = program % blocks * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    key = tl.load(keys + (start + i), mask=inside, other=0)
    rank = merged_rank(keys + start, key, i, inside, n, length, bisections, WAYS)
    tl.store(out + (start + i // length // WAYS * WAYS * length + rank), key, mask=inside)


@triton.jit
def put_last(
    value,
    keys,
    out,
    n,
    cols,
    bits,
    unit,
    sizes,
    col_sizes,
    value_strides,
    col_value_strides,
    col_out_strides,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """out[target] = the value of the last position of its run, for n sorted keys."""
    blocks = tl.cdiv(cols, COLS)
    program = tl.program_id(0).to(cols.dtype)
    col = (program % blocks * COLS + tl.arange(0, COLS))[None, :]
    i = (program // blocks * ROWS + tl.arange(0, ROWS))[:, None]
    key = tl.load(keys + i, mask=i < n, other=NOWHERE)
    following = tl.load(keys + (i + 1), mask=i + 1 < n, other=NOWHERE)
    use = (key < NOWHERE) & (key >> bits != following >> bits) & (col < cols)
    position, target = _split(key, bits, unit, n)
    new = tl.load(
        value + (mixed_radix(position, sizes, value_strides) + mixed_radix(col, col_sizes, col_value_strides)), mask=use
    )
    tl.store(out + (target + mixed_radix(col, col_sizes, col_out_strides)), new, mask=use)


@triton.jit
def _split(key, bits, unit, n):
    """(the position, the offset of its target) of a key"""
    position = key - (key >> bits << bits)
    return position.to(n.dtype), (key >> bits).to(n.dtype) * unit


@triton.jit
def _values(source, keys, use, inside, bits, sizes, value_strides, n):
    """What the positions of a tuple of keys write, for those in use. No addition lies between the loads."""
    found = ()
    for j in tl.static_range(len(keys)):
        position, _ = _split(keys[j], bits, 1, n)
        found = found + (tl.load(source + mixed_radix(position, sizes, value_strides), mask=use[j] & inside, other=0),)
    return found


@triton.jit
def _added(total, new, FN: tl.constexpr, COMPUTE: tl.constexpr, DTYPE: tl.constexpr):
    """The total of a run with one more value. Whole numbers wrap as in memory; half types are rounded at the end of the run."""
    total = FN(total, new.to(COMPUTE))
    return total if DTYPE.is_floating() else cast(total, DTYPE).to(COMPUTE)


@triton.jit
def add_runs(
    value,
    keys,
    out,
    n,
    cols,
    bits,
    unit,
    sizes,
    col_sizes,
    value_strides,
    col_value_strides,
    col_out_strides,
    FN: tl.constexpr,
    COMPUTE: tl.constexpr,
    ZEROS: tl.constexpr,
    STEPS: tl.constexpr,
    LONG: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """out[target] = FN(out[target], values of its run in order), for n sorted keys. ZEROS: `out` is all zeros, and is not read."""
    DTYPE: tl.constexpr = out.dtype.element_ty
    blocks = tl.cdiv(cols, COLS)
    program = tl.program_id(0).to(cols.dtype)
    col = (program % blocks * COLS + tl.arange(0, COLS))[None, :]
    inside = col < cols
    source = value + mixed_radix(col, col_sizes, col_value_strides)
    to = out + mixed_radix(col, col_sizes, col_out_strides)
    i = ((program // blocks * ROWS + tl.arange(0, ROWS)) * STEPS)[:, None]

    # What the lane's keys say: which begin a run, which belong to a run that began here.
    before = tl.load(keys + (i - 1), mask=(i > 0) & (i < n), other=-1) >> bits
    begun = i < 0
    first = i
    mine, begins, own = (), (), ()
    for j in tl.static_range(STEPS):
        key = tl.load(keys + (i + j), mask=i + j < n, other=NOWHERE)
        begin = key >> bits != before
        begun = begun | begin
        first = tl.where(begin, i + j, first)
        before = key >> bits
        mine, begins, own = mine + (key,), begins + (begin,), own + (begun & (key < NOWHERE),)

    # Every load before the first addition.
    new = _values(source, mine, own, inside, bits, sizes, value_strides, n)
    old = ()
    if not ZEROS:
        for j in tl.static_range(STEPS):
            _, target = _split(mine[j], bits, unit, n)
            old = old + (tl.load(to + target, mask=own[j] & begins[j] & inside, other=0),)
    total = tl.zeros((ROWS, COLS), COMPUTE)
    for j in tl.static_range(STEPS):
        if j > 0:
            _, target = _split(mine[j - 1], bits, unit, n)
            tl.store(to + target, cast(total, DTYPE), mask=own[j - 1] & begins[j] & inside)
        start = tl.zeros_like(total) if ZEROS else old[j].to(COMPUTE)
        total = _added(tl.where(begins[j], start, total), new[j], FN, COMPUTE, DTYPE)

    # The last run may go on behind the lane's keys.
    chunk = tl.cdiv(first, LONG) * LONG + LONG - 1
    filled = tl.load(keys + chunk, mask=own[STEPS - 1] & (chunk < n), other=-1) >> bits == before
    open = own[STEPS - 1] & ~filled
    i += STEPS
    more = open & (tl.load(keys + i, mask=i < n, other=NOWHERE) >> bits == before)
    while tl.max(more.to(tl.int32)) > 0:
        mine, own = (), ()
        for j in tl.static_range(STEPS):
            key = tl.load(keys + (i + j), mask=more & (i + j < n), other=NOWHERE)
            mine, own = mine + (key,), own + (more & (key >> bits == before),)
        new = _values(source, mine, own, inside, bits, sizes, value_strides, n)
        for j in tl.static_range(STEPS):
            total = tl.where(own[j], _added(total, new[j], FN, COMPUTE, DTYPE), total)
        i += STEPS
        more = own[STEPS - 1] & (tl.load(keys + i, mask=i < n, other=NOWHERE) >> bits == before)
    target = before.to(n.dtype) * unit
    tl.store(to + target, cast(total, DTYPE), mask=open & inside)


@triton.jit
def _first_from(keys, wanted, low, high, bisections):
    """The number of the first of the sorted keys low .. high-1 that is at least `wanted`; `high` if there is none."""
    for _ in range(bisections):
        middle = (low + high) // 2
        search = low < high
        smaller = tl.load(keys + middle, mask=search, other=0) < wanted
        low = tl.where(search & smaller, middle + 1, low)
        high = tl.where(search & ~smaller, middle, high)
    return low


@triton.jit
def add_to_all(
    value,
    keys,
    out,
    n,
    targets,
    cols,
    bits,
    unit,
    bisections,
    parts,
    sizes,
    col_sizes,
    value_strides,
    col_value_strides,
    col_out_strides,
    FN: tl.constexpr,
    COMPUTE: tl.constexpr,
    STEPS: tl.constexpr,
    LONG: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """out[target] = FN of 0 and the values of its run in order, for every target, by n sorted keys; no long runs are written.

    Grid: (ceil(targets / ROWS) * parts,). A program has each `parts`-th block of columns.
    """
    DTYPE: tl.constexpr = out.dtype.element_ty
    program = tl.program_id(0).to(cols.dtype)
    target = program // parts * ROWS + tl.arange(0, ROWS)
    wanted = (target[:, None] + tl.arange(0, 2)[None, :]).to(tl.int64) << bits
    low = tl.zeros((ROWS, 2), n.dtype)
    start, end = tl.split(_first_from(keys, wanted, low, low + n, bisections))
    filled = (tl.cdiv(start, LONG) + 1) * LONG <= end  # a whole chunk
    mine = ((target < targets) & ~filled)[:, None]
    start, end = start[:, None], tl.where(filled, start, end)[:, None]
    longest = tl.max(end - start)
    for block in range(program % parts * COLS, cols, parts * COLS):
        col = (block + tl.arange(0, COLS))[None, :]
        inside = mine & (col < cols)
        source = value + mixed_radix(col, col_sizes, col_value_strides)
        total = tl.zeros((ROWS, COLS), COMPUTE)
        for done in range(0, longest, STEPS):
            i = start + done
            found, own = (), ()
            for j in tl.static_range(STEPS):
                here = mine & (i + j < end)
                found, own = found + (tl.load(keys + (i + j), mask=here, other=0),), own + (here,)
            new = _values(source, found, own, inside, bits, sizes, value_strides, n)
            for j in tl.static_range(STEPS):
                total = tl.where(own[j], _added(total, new[j], FN, COMPUTE, DTYPE), total)
        to = out + (target[:, None] * unit + mixed_radix(col, col_sizes, col_out_strides))
        tl.store(to, cast(total, DTYPE), mask=inside)


@triton.jit
def _add_keys(
    total,
    source,
    keys,
    start,
    end,
    inside,
    bits,
    sizes,
    value_strides,
    n,
    FN: tl.constexpr,
    COMPUTE: tl.constexpr,
    DTYPE: tl.constexpr,
    STEPS: tl.constexpr,
):
    """The total with the values of keys start .. end-1, a multiple of STEPS, added."""
    for i in range(start, end, STEPS):
        mine, use = (), ()
        for j in tl.static_range(STEPS):
            mine, use = mine + (tl.load(keys + (i + j)),), use + (True,)
        new = _values(source, mine, use, inside, bits, sizes, value_strides, n)
        for j in tl.static_range(STEPS):
            total = _added(total, new[j], FN, COMPUTE, DTYPE)
    return total


@triton.jit
def add_long_runs(
    value,
    keys,
    out,
    n,
    cols,
    bits,
    unit,
    sizes,
    col_sizes,
    value_strides,
    col_value_strides,
    col_out_strides,
    bisections,
    FN: tl.constexpr,
    COMPUTE: tl.constexpr,
    ZEROS: tl.constexpr,
    STEPS: tl.constexpr,
    LONG: tl.constexpr,
    COLS: tl.constexpr,
):
    """`add_runs` for runs that fill a chunk of LONG keys, in lists of n; ZEROS: to zeros, which are not read.

    A program has the run that fills a chunk and not the chunk before, and COLS columns.
    """
    DTYPE: tl.constexpr = out.dtype.element_ty
    blocks = tl.cdiv(cols, COLS)
    program = tl.program_id(0).to(n.dtype)
    chunk = program // blocks * LONG
    key = tl.load(keys + chunk)
    target = key >> bits
    last = tl.load(keys + (chunk + LONG - 1)) >> bits
    before = tl.load(keys + (chunk - LONG), mask=chunk > 0, other=-1) >> bits
    if (target == last) & (target != before) & (key < NOWHERE):
        col = (program % blocks).to(cols.dtype) * COLS + tl.arange(0, COLS)
        inside = col < cols
        source = value + mixed_radix(col, col_sizes, col_value_strides)
        to = out + (target.to(n.dtype) * unit + mixed_radix(col, col_sizes, col_out_strides))
        position, _ = _split(key, bits, unit, n)
        first = position // n * n
        start = _first_from(keys, target << bits, tl.maximum(chunk - LONG, first), chunk, bisections)
        end = _first_from(keys, (target + 1) << bits, chunk + LONG, first + n, bisections)
        if ZEROS:
            total = tl.zeros((COLS,), COMPUTE)
        else:
            total = tl.load(to, mask=inside, other=0).to(COMPUTE)
        for k in tl.static_range(len(STEPS)):
            whole = start + (end - start) // STEPS[k] * STEPS[k]
            total = _add_keys(
                total, source, keys, start, whole, inside, bits, sizes, value_strides, n, FN, COMPUTE, DTYPE, STEPS[k]
            )
            start = whole
        tl.store(to, cast(total, DTYPE), mask=inside)


def _to_all(facts: DeviceFacts, targets: int, cols: int, itemsize: int) -> dict:
    """Blocks of `add_to_all`: a thread has 16 elements, 16 bytes of each of its targets; fewer where targets are few."""
    width = min(next_power_of_2(cols), 512 // itemsize)
    high = max(min(2048 // width, next_power_of_2(targets // (4 * facts.processors))), 1)
    return {"ROWS": high, "COLS": width, "num_warps": max(min(high * width // 128, 4), 1)}


def column_parts(facts: DeviceFacts, targets: int, cols: int, rows: int, width: int) -> int:
    """Among how many programs of `add_to_all` the columns of a target are divided: enough for all multiprocessors."""
    programs = -(-targets // rows)
    return max(min(-(-cols // width), 8 * facts.processors // programs), 1)


def config(facts: DeviceFacts, n: int, lists: int, cols: int, itemsize: int, targets: int = 1) -> dict:
    """Blocks for lists of n positions over `cols` columns of so many bytes an element; `targets` there are.

    A thread loads 16 bytes at once where there are so many; there are programs for every multiprocessor. On a CPU a program has
    one key and the run that begins there, however long: such kernels are compiled in a short time.
    """
    if facts.kind == "cpu":
        return {
            "sort_tiles": {"TILE": 32, "num_warps": 1},
            "merge_tiles": {"WAYS": 8, "BLOCK": 128, "num_warps": 1},
            "add_runs": {
                "STEPS": 1,
                "LONG": 1 << 30,
                "ROWS": 1,
                "COLS": min(next_power_of_2(cols), 256),
                "num_warps": 1,
            },
        }
    tile = min(next_power_of_2(n), 1024)
    width = min(next_power_of_2(cols), 2048 // itemsize)
    rows = 128 * min(width, 16 // itemsize) // width
    few = min(rows, next_power_of_2(n * lists // (STEPS * facts.processors)))
    narrow = min(max(next_power_of_2(cols // (2 * facts.processors)), 8), 32, width)
    return {
        "sort_tiles": {"TILE": tile, "num_warps": max(tile // 128, 1)},
        "merge_tiles": {"WAYS": WAYS, "BLOCK": 128, "num_warps": 4},
        "put_last": {"ROWS": rows, "COLS": width, "num_warps": 4},
        "add_runs": {
            "STEPS": STEPS,
            "LONG": LONG,
            "ROWS": few,
            "COLS": width,
            "num_warps": max(min(few * width // 32, 4), 1),
        },
        "add_to_all": {"STEPS": 4, "LONG": LONG, **_to_all(facts, targets, cols, itemsize)},
        "add_long_runs": {"STEPS": (64, 8, 1), "COLS": narrow, "num_warps": 1},
    }
