"""Plans of ops over many tensors: one launch, whatever their number.

The kernels read the addresses of the tensors from a table in device memory. A plan writes the table when it meets new
addresses, in the order of the stream and without waiting for it, over those that were used longest ago. It has a few: a training
loop may meet the same addresses in every step.

The inputs of such an op are a few single tensors (`single`), then one list: what is in the first column for all `count`
rows, then what is in the second, and so on.
"""

from __future__ import annotations

import ctypes
from array import array
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from tritonflow.device.device import Device
from tritonflow.device.memory import Block
from tritonflow.device.provider import facts_of
from tritonflow.device.stream import Stream, current_stream
from tritonflow.dtypes import DType, float32, float64, int8, int64
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.operands import Input, Output
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("multi_tensor")

Metas = tuple[TensorMeta | None, ...]
TABLES = 4


def chunking(metas: Metas) -> tuple[dict[str, Any], int]:
    """(launch configuration, number of programs) for the tensors of a column."""
    first = metas[0]
    assert first is not None
    config = kernels.config(facts_of(first.device))
    chunk = config["constexprs"]["CHUNK"]
    return config, sum(-(-meta.numel // chunk) for meta in metas if meta is not None)


def are_aligned(metas: Metas, count: int) -> bool:
    """Whether columns of `count` tensors, each of the sizes of the first, may be loaded 16 bytes at a time."""
    return all(meta is None or meta.aligned for meta in metas) and all(
        meta is not None and meta.numel % 8 == 0 for meta in metas[:count]
    )


def scalar_dtype(dtype: DType) -> DType:
    """In which dtype a dynamic scalar is passed to a kernel that computes with tensors of `dtype`."""
    return float64 if dtype is float64 else float32


ADDRESSES = 16  # that a launch writes


def address_plan(count: int, device: Device, rows: Sequence[int]) -> Plan:
    """A plan that writes the addresses of its inputs to these rows of a table of `count` numbers."""
    table = contiguous_meta((count,), int64, device)
    addresses = (TensorMeta.get((1,), (1,), int8, device, aligned=False),) * len(rows)
    operands = tuple([Input(k) for k in range(len(rows))]), Output(0)
    return Plan(addresses, [table], [Launch(kernels.put_addresses, (1,), operands, (tuple(rows),))])


class TablePlan(Plan):
    """A plan whose kernels take two tables in place of workspaces.

    Workspace 0 has a row per tensor (size, addresses, padded to `width`), workspace 1 a row per chunk.
    """

    __slots__ = ("single", "count", "width", "chunks", "tables", "_without_addresses", "_array", "_nbytes")

    def __init__(
        self,
        inputs: Metas,
        outputs: Sequence[TensorMeta],
        launches: Sequence[Launch],
        single: int,
        count: int,
        width: int,
    ) -> None:
        columns = inputs[single : single + count]
        config, _ = chunking(columns)
        sizes = [meta.numel for meta in columns if meta is not None]
        self.single, self.count, self.width = single, count, width
        self.chunks: list[int] = kernels.chunk_rows(sizes, config["constexprs"]["CHUNK"])
        self.tables: OrderedDict[tuple[int, ...], Block] = OrderedDict()  # those that no run has, by addresses
        self._without_addresses = [number for n in sizes for number in (n, *[0] * (width - 1))] + self.chunks
        self._array = ctypes.c_int64 * len(self._without_addresses)  # a class, which takes 10 us to make
        self._nbytes = ctypes.sizeof(self._array)
        super().__init__(inputs, outputs, launches, [(count * width, int64), (len(self.chunks), int64)])

    def prepare(self, device: Any) -> Plan:
        super().prepare(device)
        self.work_lists = self.spare_lists = ()  # the tables are the plan's own, no temporaries
        self.run = partial(self._run, self.run)
        return self

    def run_steps(self, runner: Callable[..., None], env: Sequence[Any]) -> None:
        self._run(lambda *arguments: runner(self.steps, arguments), *env)

    def table(self, addresses: Sequence[Any]) -> list[Any]:
        """Both tables."""
        return self._rows(addresses[self.single :])

    def _run(self, run: Callable[..., None], *env: Any) -> None:
        """Run with tables of the tensors that are given, which no other run has meanwhile.

        What a stream reads there it has read before it writes there again.
        """
        inputs = len(self.inputs)
        given = inputs + len(self.outputs)
        addresses = env[self.single : inputs]
        stream = current_stream(self.provider.device) if self.stream.asynchronous else self.stream
        block = self.tables.pop(addresses, None) if stream is self.stream else None
        if block is None:
            block = self._block(stream)
            rows = self._rows(addresses)
            self.provider.write_host(block.ptr, self._array.from_buffer(array("q", rows)), stream)
        run(*env[:given], block.ptr, block.ptr + 8 * self.count * self.width, *env[given:])
        if stream is self.stream:
            self.tables[addresses] = block
        else:
            block.free.append(block)

    def _block(self, stream: Stream) -> Block:
        """Memory for both tables: what was used longest ago of what is not in use, or more."""
        if stream is not self.stream:
            return self.pool.allocate(self._nbytes, stream)
        if len(self.tables) >= TABLES:
            with suppress(KeyError):  # other runs have them
                return self.tables.popitem(last=False)[1]
        return self.pool.own(self._nbytes, stream)

    def _rows(self, addresses: Sequence[Any]) -> list[Any]:
        count, width, rows = self.count, self.width, self._without_addresses.copy()
        for column in range(len(addresses) // count):
            rows[1 + column : count * width : width] = addresses[column * count : (column + 1) * count]
        return rows
