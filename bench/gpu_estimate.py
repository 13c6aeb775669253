"""How long an H200 would take for a launch, by its machine code. Needs no GPU; `bench/gpu_step.py` prints it for whole steps.

A launch takes the longest of what it moves and of what its busiest multiprocessor does, and 2 us for its beginning and end:

    bytes / 3.7 TB/s        programs there * iterations * clocks of an iteration + start of the programs that follow each other

An iteration of the loop that multiplies takes the longest of its matrix instructions (2048 multiply-adds a clock of halves), of all
its instructions (4 a clock) and of its exponentials (16 lanes a clock). Where it waits for what it has just loaded into registers,
a program does one after the other, with memory's latency; others on the same multiprocessor fill the gaps. Loops that multiply
nothing count by their bytes alone. How often attention runs its loops is counted, so products that are computed twice count twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

from tests.device.fake_cuda import H100
from tests.kernels.compile_sweep import Launched
from tests.kernels.gpu_code import Code, code_of
from tritonflow.kernels.product_tiles import LOADED, START

PROCESSORS, CLOCK = H100.processors, 1.58e9
MEMORY = 4.3e12  # bytes a second
BANDWIDTH, BETWEEN = MEMORY * 0.86, 2e-6
MULTIPLY_ADDS, LATENCY = 2048, 700  # a clock; clocks
SIZES = {"*bf16": 2, "*fp16": 2, "*fp32": 4, "*fp64": 8}  # of elements, in bytes; others have 1
REACHED = 0.9  # the share of its clocks in which a multiprocessor with enough to do multiplies


@dataclass(frozen=True)
class Loop:
    """Clocks of an iteration of a loop that multiplies, for one program on a multiprocessor.

    `end` counts those of what only a tile's end runs.
    """

    matrix: float
    instructions: float
    exponentials: float
    end: float
    waits: bool
    multiply_adds: float
    whole: bool = False  # no loop, but all the code of a program

    def clocks(self, together: int) -> float:
        """An iteration's share of a multiprocessor that so many programs share."""
        alone = LATENCY + self.instructions + self.matrix if self.waits else 0.0
        return max(self.matrix / REACHED, self.instructions, self.exponentials, alone / together)


class Kernel:
    """The code of a kernel for sm_90 and what is read off it."""

    def __init__(self, code: Code) -> None:
        self.code = code

    @property
    def is_straight(self) -> bool:
        """Whether it multiplies without a loop."""
        return len(self.loops) == 1 and self.loops[0].whole

    @cached_property
    def loops(self) -> list[Loop]:
        """The innermost loops that multiply; the whole code where it multiplies without a loop."""
        if self._inner:
            return [self._loop(s) for s in self._inner]
        text = self.code.text
        return [replace(self._loop(slice(0, len(text))), whole=True)] if any(map(_multiply_adds, text)) else []

    @cached_property
    def _inner(self) -> list[slice]:
        multiplying = [s for s in self.code.loops if any(_multiply_adds(line) for line in self.code.text[s])]
        return [s for s in multiplying if not any(s != t and s.start <= t.start and t.stop <= s.stop for t in multiplying)]

    def _loop(self, where: slice) -> Loop:
        lines = self.code.text[where]
        end = _end_of_tile(lines)
        later = sum(s.stop - s.start for s in self._inner if s.start >= where.stop)
        behind = len(self.code.text) - where.stop - later if not end else len(end)
        repeated = [line for k, line in enumerate(lines) if k not in end]
        warps = self.code.warps
        adds = sum(_multiply_adds(line) * (warps / 4 if "GMMA" in line else warps) for line in repeated)
        older = 1.6 if any("HMMA" in line for line in repeated) else 1.0  # what warps multiply alone, at 62 % of the units' rate
        exponentials = 8 * sum("MUFU" in line for line in repeated)
        waits = any(re.search(r"\bLDG\.", line) for line in repeated)
        clocks = [n * warps / 4 for n in (len(repeated), exponentials, behind)]
        return Loop(older * adds / MULTIPLY_ADDS, clocks[0], clocks[1], clocks[2], waits, adds)

    def seconds(self, launched: Launched, flops: float, nbytes: float) -> float:
        """The estimate of a launch of so many operations."""
        moving = nbytes / BANDWIDTH
        if not self.loops or not flops:
            return moving + BETWEEN
        programs = prod(launched.grid)
        tiles = _tiles_of_a_program(launched)
        busiest = -(-programs // PROCESSORS) * -(-int(tiles * programs) // programs)
        together = min(busiest, max(self.code.programs, 1))
        adds = sum(loop.multiply_adds for loop in self.loops)
        iterations = 1.0 if self.is_straight else _iterations(launched) or flops / 2 / (programs * tiles) / adds
        times = blocks_of_attention(launched) or (iterations,) * len(self.loops)
        loaded = _loaded(launched) / LOADED
        steps = sum(n * max(loop.clocks(together), loaded) for n, loop in zip(times, self.loops))
        end = max(loop.end for loop in self.loops)
        if together == 1:  # nothing else multiplies meanwhile
            clocks = busiest * (steps + end) + (START if tiles == 1 else 0) * busiest + START
        else:
            issued = sum(n * loop.instructions for n, loop in zip(times, self.loops)) + end
            clocks = busiest * max(steps, issued) + START * -(-busiest // together)
        return max(moving, clocks / CLOCK) + BETWEEN


def blocks_of_attention(launched: Launched) -> tuple[float, ...]:
    """How often a program of attention without a mask runs each of its loops, on average; () of other kernels.

    The kernels for rows have whole blocks before those that the diagonal or the end cuts, that for columns has the diagonal first.
    """
    name, blocks = launched.request.name, launched.request.constexprs
    if name not in ("attention.forward", "attention_gradients.query_gradient", "attention_gradients.key_gradients"):
        return ()
    m, n = launched.sizes[1:3]
    rows, columns, causal = blocks["BLOCK_M"], blocks["BLOCK_N"], blocks["CAUSAL"]
    counts = []
    if name == "attention_gradients.key_gradients":
        for first in range(0, n, columns):
            low = first // rows * rows if causal else 0
            whole = min(-(-(first + columns) // rows) * rows, m) if causal else 0
            counts.append((-(-(whole - low) // rows), -(-(m - whole) // rows))[0 if causal else 1 :])
    else:
        edge = min(columns, 64) if name == "attention.forward" else columns
        for first in range(0, m, rows):
            end = min(n, first + rows) if causal else n
            whole = min(n, first + 1 if causal else n) // columns
            counts.append((whole, -(-(end - whole * columns) // edge)))
    return tuple([sum(c) / len(counts) for c in zip(*counts)])


def moved(launched: Launched) -> float:
    """Bytes that a launch moves which makes a copy, or adds up parts: what a plan does in workspaces."""
    request = launched.request
    blocks, name = request.constexprs, request.fn.__name__
    if name == "reduce_splits":  # sums of float32, written before and read
        splits, elements = launched.sizes[:2]
        return 2 * 4.0 * splits * elements
    if name == "add_parts":
        tiles, steps = _tiles_and_steps(launched, "TILE")
        return 2 * 4.0 * (tiles + tiles * steps / launched.sizes[3]) * blocks["TILE_M"] * blocks["TILE_N"]
    if name == "padded_last":
        x, y, *_ = request.signature.values()
        sizes = named_sizes(launched)
        rows, width = launched.grid[0], sizes["width"]
        seen = launched.grid[0] // sizes["rows"] * sizes["channels"] * prod(sizes["image"])
        return float(seen * SIZES[x] + rows * width * blocks["PIXEL"] * SIZES[y])
    if name == "strided":
        (x,), (y,) = [kind for kind in request.signature.values() if isinstance(kind, tuple)][:2]
        return float(prod(launched.grid) * blocks["ROWS"] * blocks["COLS"] * (SIZES.get(x, 1) + SIZES.get(y, 1)))
    return 0.0


def named_sizes(launched: Launched) -> dict[str, Any]:
    """The sizes of a launch, constants among them, by the names of the kernel's parameters: numbers, and tuples of them."""
    given = iter(launched.sizes)
    constants = launched.request.constexprs

    def value(kind: Any, place: Any) -> Any:
        if isinstance(kind, tuple):
            return tuple([value(each, (*place, k)) for k, each in enumerate(kind)])
        return constants.get(place) if kind == "constexpr" else None if kind.startswith("*") else next(given, None)

    return {name: value(kind, (k,)) for k, (name, kind) in enumerate(launched.request.signature.items())}


def _iterations(launched: Launched) -> float | None:
    """How often a program of a convolution runs its loop, the elements of tiles among them that no result has; None for others."""
    request, sizes = launched.request, named_sizes(launched)
    blocks, name = request.constexprs, request.name
    if name == "conv.forward":
        taps, channels = prod(sizes["kernel"]), sizes["in_channels"]
        runs = (1, channels * taps) if blocks["FLAT"] else (taps, channels)
        return float(runs[0] * -(-runs[1] // blocks["BLOCK_K"]))
    if name == "conv.weight_gradient" and blocks["BLOCK_W"] == 0:
        return float(-(-sizes["images_per_split"] * prod(sizes["out"]) // blocks["BLOCK_K"]))
    return None


def _loaded(launched: Launched) -> float:
    """Bytes that a step of a product of matrices loads."""
    blocks, request = launched.request.constexprs, launched.request
    if not request.fn.__module__.rpartition(".")[2].startswith("matmul") or "BLOCK_K" not in blocks:
        return 0.0
    size = SIZES.get(next(iter(request.signature.values())), 1)
    return float((blocks["BLOCK_M"] + blocks["BLOCK_N"]) * blocks["BLOCK_K"] * size)


def _tiles_of_a_program(launched: Launched) -> float:
    """How many tiles, or parts of them, a program computes that computes one after the other; 1 of others."""
    name = launched.request.fn.__name__
    if name == "matmul_stream_k":
        return 1.0 + -(-launched.sizes[3] // _tiles_and_steps(launched)[1])
    return _tiles_and_steps(launched)[0] / prod(launched.grid) if name == "matmul_persistent" else 1.0


def _tiles_and_steps(launched: Launched, block: str = "BLOCK") -> tuple[int, int]:
    """The tiles of a product, and the steps of each."""
    blocks = launched.request.constexprs
    m, n, k = (-(-size // blocks[f"{block}_{d}"]) for d, size in zip("MNK", launched.sizes))
    return m * n, k


def _multiply_adds(line: str) -> float:
    """Of a matrix instruction, by a warp or by the four of a group."""
    if found := re.search(r"[HQ]GMMA\.(\d+)x(\d+)x(\d+)", line):
        return prod(map(int, found.groups())) * (0.5 if "QGMMA" in line else 2.0 if "TF32" in line else 1.0)
    if found := re.search(r"HMMA\.(16)(8)(16|8)", line):
        return prod(map(int, found.groups()))
    return 0.0


def _end_of_tile(lines: tuple[str, ...]) -> set[int]:
    """Which lines of a loop only the last iteration of a tile runs: from its last product to the last store to memory."""
    stores = [k for k, line in enumerate(lines) if re.search(r"\bSTG\b|\bSTG\.|UTMASTG", line)]
    if not stores:
        return set()
    products = [k for k, line in enumerate(lines) if _multiply_adds(line)]
    behind = max([k for k in products if k < stores[0]], default=-1)
    return set(range(behind + 1, stores[-1] + 1))


_kernels: dict[str, Kernel] = {}


def kernel_of(launched: Launched, arch: int = 90) -> Kernel:
    """The kernel of a launch, compiled once."""
    request = launched.request
    key = f"{request} {request.signature} {request.attrs}"
    if key not in _kernels:
        _kernels[key] = Kernel(code_of(request.compile(arch), arch))
    return _kernels[key]
