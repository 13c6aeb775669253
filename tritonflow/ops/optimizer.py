"""Planners of the optimizer steps that update many parameters in one launch.

The kernels read the addresses of parameters, gradients and states from a table in device memory. A plan writes the table
when it meets new addresses and keeps the last few: with the memory pool, a training loop soon meets the same ones in
every step.

Input is one list: all parameters, then all gradients, then each kind of state, `count` of each. All are written in place
but the gradients. The output is an empty tensor: an op has to have one.
"""

from __future__ import annotations

import ctypes
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from tritonflow.device.provider import Provider
from tritonflow.dtypes import DType, float64, int64
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.elementwise import triton_dtype
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("optimizer")

Metas = tuple[TensorMeta, ...]
KEPT_TABLES = 4


class TablePlan(Plan):
    """A plan whose kernels take two tables: a row per tensor (size, addresses, padded to `width`), a row per chunk."""

    __slots__ = ("count", "width", "chunks", "tables")

    def __init__(self, inputs: Metas, launches: Sequence[Launch], count: int, width: int, chunk: int) -> None:
        sizes = [meta.numel for meta in inputs[:count]]
        self.count, self.width = count, width
        self.chunks: list[int] = kernels.chunk_rows(sizes, chunk)
        self.tables: OrderedDict[tuple[int, ...], Any] = OrderedDict()
        done = contiguous_meta((0,), inputs[0].dtype, inputs[0].device)
        super().__init__(inputs, (done,), launches, [(count * width, int64), (len(self.chunks), int64)])

    def prepare(self, device: Any) -> Plan:
        super().prepare(device)
        run, inputs, given = self.run, len(self.inputs), len(self.inputs) + len(self.outputs)
        self.work_lists = ()  # the tables are the plan's own, no temporaries

        def run_with_tables(*env: Any) -> None:
            run(*env[:given], *self._find(env[:inputs]), *env[given:])

        self.run = run_with_tables
        return self

    def fixed_workspaces(self, addresses: tuple[int, ...]) -> tuple[Any, tuple[int, ...]]:
        """Tables for tensors that stay where they are."""
        block, ptr = self._write(self.provider, addresses)
        return block, (ptr, ptr + 8 * self.count * self.width)

    def _find(self, addresses: tuple[int, ...]) -> tuple[int, int]:
        """The addresses of the two tables for tensors at these addresses."""
        found = self.tables.get(addresses)
        if found is None:
            found = self._write(self.provider, addresses)
            self.tables[addresses] = found
            if len(self.tables) > KEPT_TABLES:
                self.tables.popitem(last=False)
        else:
            self.tables.move_to_end(addresses)
        return found[1], found[1] + 8 * self.count * self.width

    def _write(self, provider: Provider, addresses: tuple[int, ...]) -> tuple[Any, int]:
        count, rows = self.count, []
        for i in range(count):
            row = [self.inputs[i].numel, *addresses[i::count]]  # type: ignore[union-attr]
            rows += row + [0] * (self.width - len(row))
        rows += self.chunks
        block = provider.pool.own(8 * len(rows), provider.stream)
        provider.write_host(block.ptr, (ctypes.c_int64 * len(rows))(*rows))
        return block, block.ptr


def _plan(kernel: Any, inputs: Metas, count: int, width: int, scalars: int, flags: dict[str, Any]) -> Plan:
    parameter, gradient = inputs[0], inputs[count]
    state = inputs[2 * count] if len(inputs) > 2 * count else parameter
    config = kernels.config(parameter.device.type)
    constexprs = {
        "PARAMETER": triton_dtype(parameter.dtype),
        "GRADIENT": triton_dtype(gradient.dtype),
        "STATE": triton_dtype(state.dtype),
        **flags,
        **config["constexprs"],
    }
    scalar = _scalar_type(parameter.dtype)
    chunk = constexprs["CHUNK"]
    programs = sum(-(-meta.numel // chunk) for meta in inputs[:count])
    pointers = ("w0", "w1", *[f"d{k}:{scalar}" for k in range(scalars)])
    launch = Launch(kernel, (programs,), pointers, (), constexprs, num_warps=config["num_warps"])
    return TablePlan(inputs, [launch], count, width, chunk)


def _scalar_type(dtype: DType) -> str:
    return "fp64" if dtype is float64 else "fp32"


def sgd(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Attributes: (count, weight decay?, momentum?, first step?, nesterov, maximize)."""
    count, decay, momentum, first, nesterov, maximize = attrs
    flags = {"DECAY": decay, "MOMENTUM": momentum, "FIRST": first, "NESTEROV": nesterov, "MAXIMIZE": maximize}
    return _plan(kernels.sgd, inputs, count, 4, 4, flags)


def adam(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Attributes: (count, weight decay?, decoupled, amsgrad, maximize)."""
    count, decay, decoupled, amsgrad, maximize = attrs
    flags = {"DECAY": decay, "DECOUPLED": decoupled, "AMSGRAD": amsgrad, "MAXIMIZE": maximize}
    return _plan(kernels.adam, inputs, count, 6, 7, flags)
