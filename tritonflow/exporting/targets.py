"""The kernels of a program, compiled for kinds of CPUs that need not be this one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from tritonflow import compilations
from tritonflow.errors import ArgumentValueError, ExportError
from tritonflow.exporting import runner
from tritonflow.exporting.shared_object import linked
from tritonflow.triton_cpu import cache, jit
from tritonflow.triton_cpu.lock import alone
from tritonflow.triton_cpu.target import Target, resolve


class CpuLevel(NamedTuple):
    """A kind of CPU.

    Attributes:
        cpu, features: what LLVM calls it.
        flags: what Linux calls the features that it needs.
        vector_bits, modern, bf16_dot, amx: fields of `Target`; `modern` CPUs have conversions of halves, and fma.
    """

    cpu: str
    features: str
    flags: tuple[str, ...]
    vector_bits: int
    modern: bool
    bf16_dot: bool = False
    amx: bool = False


_AVX2 = ("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe")
_AVX512 = (*_AVX2, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
_BF16 = (*_AVX512, "avx512_bf16", "avx512_vnni")
_AMX = (*_BF16, "amx_tile", "amx_bf16", "amx_int8")
LEVELS = {
    "baseline": CpuLevel("x86-64", "", (), 256, False),
    "avx2": CpuLevel("x86-64-v3", "", _AVX2, 256, True),
    "avx512": CpuLevel("x86-64-v4", "", _AVX512, 512, True),
    "avx512_bf16": CpuLevel("x86-64-v4", "+avx512bf16,+avx512vnni", _BF16, 512, True, True),
    "amx": CpuLevel("x86-64-v4", "+avx512bf16,+avx512vnni,+amx-tile,+amx-bf16,+amx-int8", _AMX, 512, True, True, True),
}
"""By their names, from the least to the best: a program runs by the last one that the CPU has. Products of bf16 are rounded in
another way by the last two, as they are where programs are compiled for the host."""
_ALWAYS = ("baseline", "avx2", "avx512")


def own_level() -> str:
    """The level by which kernels give the bits that they give when they are compiled for this process."""
    target = resolve()
    if not target.triple.startswith("x86_64") or "linux" not in target.triple:
        raise ExportError(f"programs are exported for Linux on x86-64, and this is {target.triple}")
    if target.amx:
        return "amx"
    if target.bf16_dot:
        return "avx512_bf16"
    return "avx512" if target.vector_bits == 512 else "avx2" if target.fma else "baseline"


def chosen(targets: Iterable[str] | None) -> list[str]:
    """The levels that were asked for, in the order of `LEVELS`; unless any were, the usual ones and that of this process.

    Raises:
        ValueError: there is no such level, or none was named.
    """
    names = {*_ALWAYS, own_level()} if targets is None else {*([targets] if isinstance(targets, str) else targets)}
    unknown = names - LEVELS.keys()
    if unknown or not names:
        given = ", ".join(unknown) or "none"
        raise ArgumentValueError(f"export(): argument 'targets' must be some of {', '.join(LEVELS)}, not {given}")
    return [name for name in LEVELS if name in names]


class KernelLibrary(NamedTuple):
    """A library of kernels, and of each the bytes of memory that a thread of it needs."""

    library: bytes
    scratch: list[int]


def compiled(kernels: Sequence[Any], level: str) -> KernelLibrary:
    """The kernels for a level: functions `k0`, `k1` and so on, beside the one that runs them."""
    target = _target(level)
    found = [_object(kernel, target) for kernel in kernels]
    objects = [(f"k{number}", data) for number, (data, _) in enumerate(found)]
    run = cache.stored_bytes(f"exported runner {target.key}", runner.TEXT, lambda: _emitted(runner.TEXT, target))
    return KernelLibrary(linked([*objects, (runner.ENTRY, run)], "kernel"), [scratch for _, scratch in found])


def _target(name: str) -> Target:
    level = LEVELS[name]
    return Target(
        resolve().triple, level.cpu, level.features, level.modern, level.modern, level.vector_bits, level.bf16_dot,
        level.bf16_dot, resolve().codegen, level.amx,
    )  # fmt: skip


def _object(kernel: Any, target: Target) -> tuple[bytes, int]:
    """A kernel's object, which can lie anywhere in memory, and its bytes of scratch memory."""
    from tritonflow.triton_cpu.lower.kernel import (
        lower,  # all of the lowering, for nothing where the kernels are found on disk
    )

    if kernel.asm.ttir is None:
        raise ExportError(f"export(): the kernel {kernel.name} was found on disk without its source: export in a new process")
    ttir = kernel.asm["ttir"]
    key = cache.digest("exported", ttir, " ".join(kernel.types), repr(target))
    known = cache.read(key)
    if known is not None:
        return known[1], known[0]["scratch"]
    with compilations.running("compile", f"{kernel.name} for {target.cpu}", ", ".join(kernel.types)):
        lowered = lower(ttir, target, False)
        attributes = 'attributes #0 = { nounwind noinline "prefer-vector-width"="512" "min-legal-vector-width"="512" }'
        data = _emitted("\n".join([*sorted(lowered.declarations), "", lowered.text, "", attributes, ""]), target)
    cache.write(key, {"scratch": lowered.scratch}, data)
    return data, lowered.scratch


@alone
def _emitted(text: str, target: Target) -> bytes:
    """The object of a module's text, optimised as kernels in memory are, but without addresses of its own."""
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=target.codegen, reloc="pic", codemodel="small", jit=False
    )
    return bytes(machine.emit_object(jit._optimised(text, target, machine)))
