"""Units that the CPU at hand may lack: the same LLVM IR, with calls of functions of this file instead of their instructions.

Tiles are those of Intel's manual (AMX): what `ldtilecfg` configures, rows at a distance, and sums in its order. One thread
computes, as there is one file of tiles.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch

from tests.triton_cpu.support import flat, type_of
from tritonflow import triton_compat
from tritonflow.triton_cpu import jit
from tritonflow.triton_cpu.arguments import flatten
from tritonflow.triton_cpu.compile import Asm
from tritonflow.triton_cpu.launch import ENTRY
from tritonflow.triton_cpu.target import Target, resolve

_NAMES = {f"llvm.x86.{name}": f"emulated_{name}" for name in (
    "ldtilecfg", "tilerelease", "tileloadd64", "tilestored64", "tdpbf16ps", "tdpbssd", "avx512bf16.dpbf16ps.512",
    "avx512.vpdpbusd.512",
)}  # fmt: skip
_ARGUMENTS = {
    "ldtilecfg": "p", "tilerelease": "", "tileloadd64": "bpl", "tilestored64": "bpl", "tdpbf16ps": "bbb", "tdpbssd": "bbb",
}  # fmt: skip
_TYPES = {"b": ctypes.c_int8, "p": ctypes.c_void_p, "l": ctypes.c_int64}


@dataclass
class Tiles:
    """The registers, and how often each instruction ran."""

    rows: list[int] = field(default_factory=lambda: [0] * 8)
    bytes_of_row: list[int] = field(default_factory=lambda: [0] * 8)
    data: np.ndarray = field(default_factory=lambda: np.zeros((8, 16, 64), np.uint8))
    runs: dict[str, int] = field(default_factory=dict)

    def callback(self, name: str) -> Any:
        """An instruction as a C function, which counts its runs."""
        run: Callable[..., None] = getattr(self, name)

        def counted(*values: Any) -> None:
            self.runs[name] = self.runs.get(name, 0) + 1
            run(*values)

        return ctypes.CFUNCTYPE(None, *(_TYPES[a] for a in _ARGUMENTS[name]))(counted)

    def ldtilecfg(self, pointer: int) -> None:
        config = ctypes.string_at(pointer, 64)
        assert config[0] == 1 and not config[1], "palette 1, from row 0 on"
        self.bytes_of_row = [int.from_bytes(config[16 + 2 * t : 18 + 2 * t], "little") for t in range(8)]
        self.rows = list(config[48:56])
        self.data[:] = 0

    def tilerelease(self) -> None:
        self.rows = [0] * 8

    def _row(self, register: int, pointer: int, stride: int, row: int) -> Any:
        return (ctypes.c_uint8 * self.bytes_of_row[register]).from_address(pointer + row * stride)

    def tileloadd64(self, register: int, pointer: int, stride: int) -> None:
        assert self.rows[register], "a tile that is not configured"
        for row in range(self.rows[register]):
            self.data[register, row, : self.bytes_of_row[register]] = self._row(register, pointer, stride, row)

    def tilestored64(self, register: int, pointer: int, stride: int) -> None:
        assert self.rows[register], "a tile that is not configured"
        for row in range(self.rows[register]):
            self._row(register, pointer, stride, row)[:] = self.data[register, row, : self.bytes_of_row[register]].tolist()

    def _operands(self, c: int, a: int, b: int, dtype: Any, sums: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sums (16, 16), A (16, k), and B (k, 16), whose tile has elements along k beside each other."""
        assert self.rows[c] == self.rows[a] == self.rows[b] == 16
        group = 4 // np.dtype(dtype).itemsize
        right = self.data[b].view(dtype).reshape(16, 16, group).transpose(0, 2, 1).reshape(16 * group, 16)
        return self.data[c].view(sums), self.data[a].view(dtype), right

    def tdpbf16ps(self, c: int, a: int, b: int) -> None:
        """Two sums over the tiles, of even and of odd k, are added to each other, and then to C; denormal numbers are 0."""
        total, left, right = self._operands(c, a, b, np.uint16, np.float32)
        sums = [np.zeros((16, 16), np.float32) for _ in range(2)]
        with np.errstate(all="ignore"):
            x, y = (_flushed((operand.astype(np.uint32) << 16).view(np.float32)).astype(np.float64) for operand in (left, right))
            for k in range(32):  # a product is exact in float64: a sum is rounded once, to float32
                sums[k % 2] = _flushed((sums[k % 2] + x[:, k : k + 1] * y[k : k + 1]).astype(np.float32))
            total[:] = _flushed(_flushed(total) + _flushed(sums[0] + sums[1]))

    def tdpbssd(self, c: int, a: int, b: int) -> None:
        """Modulo 2^32."""
        total, left, right = self._operands(c, a, b, np.int8, np.int32)
        total += left.astype(np.int32) @ right.astype(np.int32)


def _flushed(x: np.ndarray) -> np.ndarray:
    """Denormal numbers are zeros of their sign."""
    return np.where(np.abs(x) < np.finfo(np.float32).tiny, np.copysign(np.float32(0), x), x)


# Pairs of bf16 and quads of bytes, as operations on vectors.
_PAIRS = """
define internal <16 x float> @emulated_avx512bf16.dpbf16ps.512(<16 x float> %c, <16 x i32> %a, <16 x i32> %b) #0 {
  %a0i = shl <16 x i32> %a, splat (i32 16)
  %b0i = shl <16 x i32> %b, splat (i32 16)
  %a1i = and <16 x i32> %a, splat (i32 -65536)
  %b1i = and <16 x i32> %b, splat (i32 -65536)
  %a0 = bitcast <16 x i32> %a0i to <16 x float>
  %b0 = bitcast <16 x i32> %b0i to <16 x float>
  %a1 = bitcast <16 x i32> %a1i to <16 x float>
  %b1 = bitcast <16 x i32> %b1i to <16 x float>
  %odd = fmul <16 x float> %a1, %b1
  %one = fadd <16 x float> %c, %odd
  %even = fmul <16 x float> %a0, %b0
  %both = fadd <16 x float> %one, %even
  ret <16 x float> %both
}
"""
_QUADS = """
define internal <16 x i32> @emulated_avx512.vpdpbusd.512(<16 x i32> %s0, <16 x i32> %a, <16 x i32> %b) #0 {
"""
for _i in range(4):
    _QUADS += f"""
  %xs{_i} = lshr <16 x i32> %a, splat (i32 {8 * _i})
  %x{_i} = and <16 x i32> %xs{_i}, splat (i32 255)
  %ys{_i} = shl <16 x i32> %b, splat (i32 {24 - 8 * _i})
  %y{_i} = ashr <16 x i32> %ys{_i}, splat (i32 24)
  %p{_i} = mul <16 x i32> %x{_i}, %y{_i}
  %s{_i + 1} = add <16 x i32> %s{_i}, %p{_i}
"""
_QUADS += "  ret <16 x i32> %s4\n}\n"
_DEFINED = {"emulated_avx512bf16.dpbf16ps.512": _PAIRS, "emulated_avx512.vpdpbusd.512": _QUADS}


def unit_target(**has: bool) -> Target:
    """The CPU at hand, as if its vectors had 512 bits and it had these units and no other."""
    units = {"bf16_dot": False, "int8_dot": False, "amx": False, **has}
    return replace(resolve("host"), vector_bits=512, **units)


def _replaced(text: str) -> str:
    """A module's text that calls functions instead of instructions."""
    for name, function in _NAMES.items():
        text = text.replace(f"@{name}", f"@{function}")
    lines = text.replace(" immarg", "").splitlines()
    defined = [function for function in _DEFINED if f"@{function}(" in text]
    kept = [line for line in lines if not (line.startswith("declare") and any(f"@{f}(" in line for f in defined))]
    return "\n".join([*kept, *(_DEFINED[function] for function in defined)])


def run_emulated(fn: Any, grid: tuple[int, int], *args: Any, target: Target, **constexprs: Any) -> Tiles:
    """Launch `fn`, lowered for `target`, on this CPU. Returns the registers of its tiles, and what ran."""
    names = [name for name in fn.arg_names if name not in constexprs]
    signature: dict[str, Any] = {name: "constexpr" for name in fn.arg_names}
    signature.update({name: type_of(arg) for name, arg in zip(names, args, strict=True)})
    asm = Asm(flatten(signature), target, False, lambda: triton_compat.lower_to_ttir(fn, signature, constexprs))
    text, lowered = asm.lowered()
    tiles, host = Tiles(), resolve("host")
    callbacks = [tiles.callback(name) for name in _ARGUMENTS]
    for name, callback in zip(_ARGUMENTS, callbacks, strict=True):
        jit.add_symbol(f"emulated_{name}", ctypes.cast(callback, ctypes.c_void_p).value or 0)
    code = jit.LoadedObject(jit.compile_object(_replaced(text), host), host)
    entry = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 2, *[ctypes.c_int32] * 3, *[ctypes.c_void_p] * 2)(code.address(ENTRY))
    slots = (ctypes.c_int64 * (len(args) + 1))(*(arg for value in args for arg in flat(value)))
    scratch = torch.empty(lowered.scratch + 64, dtype=torch.uint8)
    aligned = -(-scratch.data_ptr() // 64) * 64
    entry(0, grid[0] * grid[1], *grid, 1, ctypes.addressof(slots), aligned)
    return tiles
