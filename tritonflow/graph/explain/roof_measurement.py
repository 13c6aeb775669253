"""The roof of a device, measured once for each machine and stored in the cache directory.

A kernel that takes `flops` operations and moves `bytes` cannot be faster than the loop of multiply-adds for so many
(kernels/peak.py, float32), nor than a copy that moves as many bytes. What lies in a cache is copied faster than what does not,
and a launch takes its time, so copies of several sizes are measured. Matrix units, and a CPU's instructions for bfloat16 and int8,
are measured by a loop of products for each dtype that is asked for. Each process looks again, briefly, whether the machine is
faster than was known: others may have used it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from statistics import median
from typing import Any

from tritonflow import _C, disk_cache
from tritonflow.device.device import Device
from tritonflow.device.provider import facts_of, get_provider
from tritonflow.dtypes import DType, bfloat16, float16, float32, float64, int8
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.graph.ir.roof import Roof
from tritonflow.graph.plan.timing import seconds_of
from tritonflow.ops.copy import copy
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.operands import Input, Output
from tritonflow.ops.plan import Launch, Plan
from tritonflow.settings import settings

kernels = KernelModule("peak")

# Bytes moved: from 4 KiB to more than caches hold, 256 MiB or 1 GiB.
COPIES = {kind: tuple(4096 * 4**k for k in range(count)) for kind, count in (("cpu", 9), ("gpu", 10))}
# Of products that a GPU's matrix units compute; float32 by itself is the loop of multiply-adds.
OPERANDS: dict[str, DType] = {"fp16": float16, "bf16": bfloat16, "tf32": float32, "fp64": float64}
CPU_OPERANDS: dict[str, DType] = {"bf16": bfloat16, "i8": int8}  # that a CPU may have instructions for
ENOUGH_WORK = 1 << 40  # so that kernels are spread over threads
_KIND = "cpu"  # of the files: roofs lie with the code of kernels for CPUs
RUNS = 7  # runs of each kernel, at least; the fastest counts
SECONDS, AGAIN = 0.15, 0.02  # seconds for each kernel: where nothing is known, and where something is


def roof_of(device: Device, products: Iterable[str] = ()) -> Roof:
    """The device's roof with as many threads as are set now.

    Args:
        products: the dtypes of matrix products whose rates are wanted, as `ops/precision.py` names them. Those that a GPU's
            matrix units compute have one, and those that a CPU has instructions for.
    """
    kind = facts_of(device).kind
    threads = settings.num_threads if kind == "cpu" else 0
    found = _roof(device, threads)
    rates: dict[str, float] = {}
    for dtype in products:
        if kind == "cpu":
            if dtype in _cpu_dtypes():
                rates[dtype] = max(_product_rate(device, dtype, threads), found.flops)
        elif dtype == "tf32x3":  # three products in TF32
            rates[dtype] = _product_rate(device, "tf32", 0) / 3
        elif dtype in OPERANDS:
            rates[dtype] = _product_rate(device, dtype, 0)
    return replace(found, products=rates) if rates else found


@lru_cache(maxsize=16)
def _roof(device: Device, threads: int) -> Roof:
    provider = get_provider(device)
    copies = COPIES[provider.facts.kind]
    key = provider.measurement_key("roof", f"{device} {provider.name} {threads} {copies}", _machine(device))
    found = disk_cache.read_described(_KIND, key)
    if found is None:
        roof = _measure(device, SECONDS).without_stalls()
    else:
        known = Roof(found[0]["flops"], [(nbytes, seconds) for nbytes, seconds in found[0]["copies"]])
        roof = known.or_better(_measure(device, AGAIN))
    disk_cache.write_described(_KIND, key, {"flops": roof.flops, "copies": roof.copies}, b"")
    return roof


def _cpu_dtypes() -> tuple[str, ...]:
    """Those whose products the CPU has instructions for."""
    from tritonflow.triton_cpu import target  # loads LLVM

    has = target.resolve()
    units = {"bf16": has.amx or has.bf16_dot, "i8": has.amx or has.int8_dot}
    return tuple(dtype for dtype in CPU_OPERANDS if units[dtype])


@lru_cache(maxsize=16)
def _product_rate(device: Device, dtype: str, threads: int) -> float:
    provider = get_provider(device)
    key = provider.measurement_key("roof of products", f"{device} {provider.name} {threads} {dtype}", _machine(device))
    found = disk_cache.read_described(_KIND, key)
    if found is None:
        rate = _product_operations(device, dtype, SECONDS)
    else:
        rate = max(found[0]["flops"], _product_operations(device, dtype, AGAIN))
    disk_cache.write_described(_KIND, key, {"flops": rate}, b"")
    return rate


def _machine(device: Device) -> str:
    """What computes: the machine's own CPU, whichever one kernels are compiled for; or the GPU."""
    if facts_of(device).kind == "cpu":
        from tritonflow.triton_cpu import target  # loads LLVM

        return target.resolve("host").key
    return get_provider(device).timing_key()


def _measure(device: Device, seconds: float) -> Roof:
    """Of copies, the largest tells how even the runs were: small ones take as long as a look at the clock."""
    plan, operations = _multiply_adds(device)
    computing = _runs(device, plan, seconds)
    moving = [(nbytes, _copies(device, nbytes, seconds)) for nbytes in COPIES[facts_of(device).kind]]
    spread = max(spread_of(computing), spread_of(moving[-1][1]))
    return Roof(operations / min(computing), [(nbytes, min(runs)) for nbytes, runs in moving], spread=spread)


def spread_of(runs: Sequence[float]) -> float:
    """How far the median is above the fastest of some times, as part of the fastest: 0.0 on a machine that does nothing else."""
    return median(runs) / min(runs) - 1


def peak_loop(device: Device) -> tuple[Callable[[], Any], float]:
    """The loop of multiply-adds that the roof is measured by, and its operations; one run takes some milliseconds."""
    plan, operations = _multiply_adds(device)
    plan.prepare(device)
    out = _zeros(plan.outputs[0])
    return partial(seconds_of, get_provider(device), plan.run, [out.ptr]), operations


def _multiply_adds(device: Device) -> tuple[Plan, float]:
    """Multiply-adds in registers, enough of them to outlast the launch, and how many operations they are."""
    config = kernels.config(facts_of(device))
    block, programs, steps = config["constexprs"]["BLOCK"], config["programs"], config["steps"]
    out = contiguous_meta((programs * block,), float32, device)
    options = {"num_warps": config["num_warps"]}
    launch = Launch(
        kernels.multiply_adds, (programs,), (Output(0),), (steps,), {"BLOCK": block}, work=ENOUGH_WORK, **options
    )
    return Plan((), (out,), [launch]), kernels.OPERATIONS * block * steps * programs


def _product_operations(device: Device, dtype: str, seconds: float) -> float:
    """Products of tiles on chip, by matrix units."""
    config = kernels.product_config(facts_of(device), dtype)
    blocks, programs, steps = config["constexprs"], config["programs"], config["steps"]
    out = contiguous_meta((programs * blocks["BLOCK_N"],), (OPERANDS | CPU_OPERANDS)[dtype], device)
    options = {"num_warps": config["num_warps"], "num_stages": config["num_stages"]}
    launch = Launch(kernels.products, (programs,), (Output(0),), (steps,), blocks, work=ENOUGH_WORK, **options)
    operations = 2 * blocks["BLOCK_M"] * blocks["BLOCK_N"] * blocks["BLOCK_K"] * steps * programs
    return operations / min(_runs(device, Plan((), (out,), [launch]), seconds))


def _copies(device: Device, nbytes: int, seconds: float) -> list[float]:
    meta = contiguous_meta((nbytes // 8,), float32, device)
    return _runs(device, Plan((meta,), (meta,), [copy(meta, Input(0), meta, Output(0))]), seconds)


def _runs(device: Device, plan: Plan, seconds: float) -> list[float]:
    """Seconds of each of the runs in so many seconds."""
    provider = get_provider(device)
    plan.prepare(device)
    tensors = [_zeros(meta) for meta in (*plan.inputs, *plan.outputs)]
    provider.synchronize()
    pointers = [tensor.ptr for tensor in tensors]
    found: list[float] = []
    until = time.perf_counter() + seconds
    while len(found) < RUNS or time.perf_counter() < until:
        found.append(seconds_of(provider, plan.run, pointers))
    return found


def _zeros(meta: TensorMeta | None) -> Any:
    assert meta is not None
    return _C.zeros(meta.shape, dtype=meta.dtype, device=meta.device)
