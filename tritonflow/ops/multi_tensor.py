"""Plans of ops over many tensors: one launch, whatever their number.

The kernels read the addresses of the tensors from a table in device memory. A plan writes the table when it meets new
addresses and keeps the last few: with the memory pool, a training loop soon meets the same ones in every step.

The inputs of such an op are a few single tensors (`single`), then one list: what is in the first column for all `count`
rows, then what is in the second, and so on.
"""

from __future__ import annotations

import ctypes
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from tritonflow.device.provider import Provider, facts_of
from tritonflow.dtypes import DType, float32, float64, int64
from tritonflow.framework.meta import TensorMeta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("multi_tensor")

Metas = tuple[TensorMeta | None, ...]
KEPT_TABLES = 4


def chunking(metas: Metas) -> tuple[dict[str, Any], int]:
    """(launch configuration, number of programs) for the tensors of a column."""
    first = metas[0]
    assert first is not None
    config = kernels.config(facts_of(first.device))
    chunk = config["constexprs"]["CHUNK"]
    return config, sum(-(-meta.numel // chunk) for meta in metas if meta is not None)


def scalar_dtype(dtype: DType) -> DType:
    """In which dtype a dynamic scalar is passed to a kernel that computes with tensors of `dtype`."""
    return float64 if dtype is float64 else float32


class TablePlan(Plan):
    """A plan whose kernels take two tables in place of workspaces.

    Workspace 0 has a row per tensor (size, addresses, padded to `width`), workspace 1 a row per chunk.
    """

    __slots__ = ("single", "count", "width", "chunks", "tables")
    has_tables = True

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
        self.tables: OrderedDict[tuple[int, ...], Any] = OrderedDict()
        super().__init__(inputs, outputs, launches, [(count * width, int64), (len(self.chunks), int64)])

    def prepare(self, device: Any) -> Plan:
        super().prepare(device)
        run = self.run
        self.work_lists = ()  # the tables are the plan's own, no temporaries

        def run_with_tables(*env: Any) -> None:
            run(*self.environment(env))

        self.run = run_with_tables
        return self

    def environment(self, env: Sequence[Any]) -> Sequence[Any]:
        inputs = len(self.inputs)
        given = inputs + len(self.outputs)
        return (*env[:given], *self._find(tuple(env[self.single : inputs])), *env[given:])

    def table(self, addresses: Sequence[Any]) -> list[Any]:
        """Both tables."""
        return self._rows(addresses[self.single :])

    def _find(self, addresses: tuple[int, ...]) -> tuple[int, int]:
        """The addresses of the two tables for tensors at these addresses."""
        block = self.tables.get(addresses)
        if block is None:
            block = self.tables[addresses] = self._write(self.provider, addresses)
            if len(self.tables) > KEPT_TABLES:
                self.tables.popitem(last=False)
        else:
            self.tables.move_to_end(addresses)
        return block.ptr, block.ptr + 8 * self.count * self.width

    def _rows(self, addresses: Sequence[Any]) -> list[Any]:
        single, count, rows = self.single, self.count, []
        for i in range(count):
            row = [self.inputs[single + i].numel, *addresses[i::count]]  # type: ignore[union-attr]
            rows += row + [0] * (self.width - len(row))
        return rows + self.chunks

    def _write(self, provider: Provider, addresses: tuple[int, ...]) -> Any:
        """A block that holds both tables."""
        rows = self._rows(addresses)
        block = provider.pool.own(8 * len(rows), provider.stream)
        provider.write_host(block.ptr, (ctypes.c_int64 * len(rows))(*rows))
        return block
