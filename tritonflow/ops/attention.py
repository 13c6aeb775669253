"""Planners of scaled dot product attention, forward and backward, over (batch, heads, length, size) with any strides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, bool_, float32, float64, int64
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.copy import zeros
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, LaunchOperand, Operands, Output, Scalar, Workspace, optional
from tritonflow.ops.plan import Launch, Plan, stride
from tritonflow.ops.precision import product_dtype
from tritonflow.ops.tuning import choose

kernels = KernelModule("attention")
gradient_kernels = KernelModule("attention_gradients")
rules = KernelModule("attention_config")

Metas = tuple[TensorMeta | None, ...]
# From so many heads of keys on, of all batches, a CPU's backward has a program for each, which takes 5 products instead of 7. More
# than 11 threads would be faster on 8 heads with a program for each tile.
WHOLE = 8
# A forward of fewer programs has pieces of the keys as well, if there are this many for each. On a CPU their number is of the
# shapes alone, so that numbers are those of any number of threads; a GPU has a program for each multiprocessor.
PROGRAMS, LEAST_KEYS = 16, 1024
PACKED = 64  # up to so many rows of a group's heads are one tile, which reads its keys once


def widest_head(dtype: DType) -> int:
    """Tiles of 16 rows of wider heads do not fit into a GPU's shared memory."""
    return 128 if dtype is float64 else 256


def marked(meta: TensorMeta | None) -> tuple[stride, ...]:
    assert meta is not None
    return tuple([stride(s) for s in meta.stride])


class Around(NamedTuple):
    """What a call has beside (query, key, value, mask, drawn): kernels/attention_walks.py and attention_edits.py.

    Attributes:
        sequences, pages, lists, reads, sinks: operands; `columns` are the lists of rows for a block of columns.
        window, spans, page_sizes, list_sizes, steps: sizes.
        edit, slope: the function of a score and its derivative.
        joined: whether sequences of rows, and of columns, are one tensor.
    """

    sequences: tuple[Operands, ...] = ()
    pages: tuple[Operands, ...] = ()
    lists: tuple[Operands, ...] = ()
    columns: tuple[Operands, ...] = ()
    reads: tuple[Operands, ...] = ()
    sinks: Operands = None
    window: tuple[Any, ...] = ()
    spans: tuple[Any, ...] = ()
    page_sizes: tuple[Any, ...] = ()
    list_sizes: tuple[Any, ...] = ()
    column_sizes: tuple[Any, ...] = ()
    steps: tuple[Any, ...] = ()
    edit: Any = None
    slope: Any = None
    joined: tuple[bool, bool] = (False, False)

    @property
    def operands(self) -> tuple[Operands, ...]:
        return self.sequences, self.lists, self.reads

    @property
    def sizes(self) -> tuple[Any, ...]:
        return self.window, self.spans, self.list_sizes, self.steps


class Problem:
    """The sizes, strides and dtypes of one call, and its launches: what the kernels share.

    Args:
        q, v: (batch, heads, rows, size); of sequences that one tensor has, their `batch` and the most rows and columns of one.
        group: how many heads of the query a head of key and value serves.
    """

    around = Around()
    single = False  # whether keys are walked over in one piece, as they are where blocks are listed

    def __init__(
        self, q: TensorMeta, v: TensorMeta, mask: TensorMeta | None, drawn: TensorMeta | None, attrs: tuple[Any, ...]
    ) -> None:
        causal, *piece = attrs
        self.batch, self.heads, self.m, self.d = q.shape
        self.key_heads, self.n, self.e = v.shape[1:]
        self.q = q
        self.compute = float64 if q.dtype is float64 else float32
        self.mask_strides = (stride(0),) * 4 if mask is None else marked(mask)
        self.dropped, self.is_piece = drawn is not None, bool(piece)
        self.beside = " and ".join([name for name, x in (("mask", mask), ("dropout", drawn)) if x is not None])
        self.causal, self.boolean = causal, mask is not None and mask.dtype is bool_
        self.group = self.heads // self.key_heads if self.heads else 1
        self.rows = contiguous_meta((*q.shape[:3], 2), self.compute, q.device)
        self.out = contiguous_meta((*q.shape[:3], self.e), q.dtype, q.device)

    @property
    def flags(self) -> dict[str, Any]:
        """Constexprs of all kernels. Rows of weights begin with a counter of their own if four divides the columns."""
        return {"CAUSAL": self.causal, "GROUP": self.group, "BOOL": self.boolean, "FOURS": self.dropped and self.n % 4 == 0}

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.heads, self.m, self.n, self.d, self.e

    def strides(self, meta: TensorMeta | None, of_columns: bool = False) -> tuple[stride, ...]:
        """Of a tensor of rows or of columns; sequences of one tensor differ in where they begin alone."""
        found = marked(meta)
        return (stride(0), *found[1:]) if self.around.joined[of_columns] else found

    @property
    def pack(self) -> int:
        """How many heads of the query have their rows in one tile of the forward."""
        return self.group if self.group > 1 and self.m * self.group <= PACKED and not self.around.lists else 1

    def scalars(self, count: int) -> tuple[Scalar, ...]:
        return Scalar.several(count, self.compute)

    def dropout(self, state: int, rate: int) -> tuple[LaunchOperand, ...]:
        """(state, first counter, rate, factor) of input `state` and the scalars from `rate` on; nothing without dropout.

        Those of a piece are followed by the heads and the rows of the whole, and the index at which the weights begin in it.
        """
        if not self.dropped:
            return ()
        around = [Scalar(rate + k, int64) for k in (3, 4, 5)] if self.is_piece else []
        return (Input(state), Scalar(rate + 2, int64), Scalar(rate, self.compute), Scalar(rate + 1, self.compute), *around)

    def config(self, backward: bool) -> dict[str, Any]:
        """Of the kernels. Blocks of a list are walked over in whole tiles."""
        q, rows = self.q, self.m if backward else self.m * self.pack
        facts = facts_of(q.device)
        kind = product_dtype(facts, q.dtype, "matmul")
        around = self.around
        around_scores = "edit" if around.edit is not None else "window" if around.window or around.sequences else ""
        beside = "window and dropout" if self.dropped and around_scores else self.beside or around_scores
        if around.lists:
            sides = min(around.list_sizes[0], around.list_sizes[1])
            return rules.config(facts, kind, min(rows, sides), min(self.n, sides), self.d, self.e, backward, beside)
        return choose(rules.candidates(facts, kind, rows, self.n, self.d, self.e, backward, beside))

    def row_tiles(self, blocks: dict[str, Any], pack: int = 1) -> int:
        """How many tiles of queries a batch has, of packs of heads."""
        return -(-self.m * pack // blocks["BLOCK_M"]) * (self.heads // pack)

    def pieces(self, blocks: dict[str, Any]) -> tuple[int, int]:
        """In how many pieces few programs walk over many keys, and the keys of a piece."""
        facts, block = facts_of(self.q.device), blocks["BLOCK_N"]
        wanted, least = (PROGRAMS, LEAST_KEYS) if facts.kind == "cpu" else (facts.processors, LEAST_KEYS // 4)
        programs = self.row_tiles(blocks, self.pack) * self.batch
        if not programs or programs >= wanted or self.n < 2 * least or self.single or self.around.lists:
            return 1, self.n
        count = min(-(-wanted // programs), self.n // least)
        piece = max(self.n // (count * block), 1) * block
        return -(-self.n // piece), piece

    def launch(
        self, kernel: Any, programs: int, operands: Sequence[Operands], sizes: Any, constexprs: Any, config: Any, pieces: int = 1
    ) -> Launch:
        """So many programs for each batch, and each piece of the keys."""
        grid = (programs * self.batch, pieces)
        work = self.batch * self.heads * self.m * self.n * (self.d + self.e) // 16
        options = {key: config[key] for key in ("num_warps", "num_stages", "maxnreg") if config.get(key)}
        # A weight below 1e-38 is 0: exp2 takes three instructions less.
        return Launch(kernel, grid, operands, sizes, constexprs, work=work, enable_reflect_ftz=True, **options)

    def forward(
        self, inputs: Metas, read: tuple[Operands, ...], out: TensorMeta, scalars: tuple[Operands, ...],
        lse: TensorMeta | None = None, message: str | None = None,
    ) -> Plan:  # fmt: skip
        """The plan of (out, rows), or (out, lse, rows). `read`: operands of query, key, value, mask and dropout."""
        around, config, pack = self.around, self.config(backward=False), self.pack
        blocks = {**self.flags, "PACK": pack, "EDIT": around.edit, **config["constexprs"]}
        of_out, of_lse, of_rows = (Output(0), None, Output(1)) if lse is None else Output.several(3)
        results = (out, self.rows) if lse is None else (out, lse, self.rows)
        err = ERROR_WORD if around.sequences else None
        (pieces, piece), (*_, empty) = self.pieces(blocks), scalars
        made: tuple[Operands, ...] = (of_out, of_rows, of_lse) if pieces == 1 else (Workspace(0), Workspace(1), None)
        operands = (
            *read, around.sequences, around.pages, around.lists, around.reads, around.sinks if pieces == 1 else None, *made, err,
            *scalars,
        )  # fmt: skip
        q, k, v = inputs[:3]
        sizes = (
            *self.sizes, self.strides(q), self.strides(k, True), self.strides(v, True), self.strides(out), self.mask_strides,
            () if pieces == 1 else (piece, self.batch),
            around.window, around.spans, around.page_sizes, around.list_sizes, around.steps,
        )  # fmt: skip
        launch = self.launch(kernels.forward, self.row_tiles(blocks, pack), operands, sizes, blocks, config, pieces)
        if pieces == 1:
            return Plan(inputs, results, [launch], index_check=message)
        constexprs = {name: blocks[name] for name in ("SPLIT", "PACK", "BLOCK_M", "BLOCK_E")}
        constexprs["BASE_2"] = blocks["SPLIT"] and not read[3] and around.edit is None
        merged = (*made[:2], read[4], around.sequences, around.sinks, of_out, of_rows, of_lse, empty)
        sizes = (self.heads, self.m, self.n, self.e, self.strides(out), around.spans, pieces, self.batch)
        merge = self.launch(kernels.merge, self.row_tiles(blocks, pack), merged, sizes, constexprs, config)
        lines = pieces * self.batch * self.heads * self.m
        return Plan(
            inputs, results, [launch, merge], [(lines * self.e, self.compute), (lines * 2, self.compute)], index_check=message
        )  # fmt: skip

    def backward(
        self, inputs: Metas, read: tuple[Operands, ...], beside: tuple[Operands, ...], scalars: tuple[Operands, ...],
        results: Sequence[TensorMeta], message: str | None = None,
    ) -> Plan:  # fmt: skip
        """The plan of (dq, dk, dv) from (grad, query, key, value, ...).

        read: operands of these four, mask and dropout; beside: those of out, rows and the gradient of lse.
        """
        do, q, k, v, out = inputs[:5]
        assert q is not None and k is not None and v is not None
        if not self.heads:  # as on a rank that has none: keys and values have no one to serve
            return Plan(inputs, results, [zeros(meta, Output(n)) for n, meta in enumerate(results) if meta.numel])
        config = self.config(backward=True)
        around, (of_out, of_rows, of_lse) = self.around, beside
        columns = around._replace(lists=around.columns, list_sizes=around.column_sizes)
        given = (self.strides(do), self.strides(q), self.strides(k, True), self.strides(v, True))
        made = (self.strides(results[0]), self.strides(results[1], True), self.strides(results[2], True))
        flags = {**self.flags, "EDIT": around.edit, "SLOPE": around.slope}
        lines = self.rows.numel // 2
        on_cpu = facts_of(q.device).kind == "cpu"
        of_heads = on_cpu and self.batch * self.key_heads >= WHOLE
        if of_heads:
            operands = (*read, *columns.operands, of_rows, Workspace(0), Workspace(1), *Output.several(3), *scalars)
            sizes = (*self.sizes, *given, *made, self.mask_strides, *columns.sizes)
            constexprs = {**flags, **config["constexprs"]}
            launches = [self.launch(gradient_kernels.gradients, self.key_heads, operands, sizes, constexprs, config)]
        else:
            of_own = config.get("keys", {})  # what the kernel for keys has of its own
            blocks = {**flags, **config["constexprs"]}
            blocks_of_keys = {name: of_own.get(name, value) for name, value in blocks.items()}
            keys = (*read, *columns.operands, of_rows, Workspace(0), Output(1), Output(2), *scalars)
            queries = (*read, *around.operands, of_out, of_lse, of_rows, Workspace(0), Output(0), *scalars)
            of_keys = (*self.sizes, *given, *made[1:], self.mask_strides, *columns.sizes)
            of_queries = (*self.sizes, *given, self.strides(out), made[0], self.mask_strides, *around.sizes)
            column_tiles = -(-self.n // blocks_of_keys["BLOCK_N"]) * self.key_heads
            launches = [
                self.launch(gradient_kernels.key_gradients, column_tiles, keys, of_keys, blocks_of_keys, {**config, **of_own}),
                self.launch(gradient_kernels.query_gradient, self.row_tiles(blocks), queries, of_queries, blocks, config),
            ]
        if not on_cpu:  # the kernel for queries computes delta
            return Plan(inputs, results, launches[::-1], [(2 * lines, self.compute)], index_check=message)
        blocks = {key: config["constexprs"][key] for key in ("BLOCK_M", "BLOCK_E")}
        sizes = (self.heads, self.m, self.n, self.e, self.strides(do), self.strides(out), around.spans)
        operands = (read[0], of_out, of_lse, around.sequences, Workspace(0))
        delta = self.launch(gradient_kernels.row_products, self.row_tiles(blocks), operands, sizes, blocks, config)
        sums = [(q.numel, self.compute)] if of_heads else []
        return Plan(inputs, results, [delta, *launches], [(lines, self.compute), *sums], index_check=message)


def attention(op: OpDef, inputs: Metas, attrs: tuple[Any, ...], outputs: Sequence[TensorMeta] = ()) -> Plan:
    """(out, rows: the maximum of their scores, and 1 / sum of exp(score - maximum)) from (query, key, value, mask, drawn).

    A head of key and value serves as many heads of the query, one behind the other, as there are more of these.

    Attributes: (causal,), and True of a piece of a larger tensor with dropout. Scalars: (scale, the score where a boolean mask is
    false, the weights of rows without scores above -inf), and dropout's, whose numbers are those behind `drawn`, a generator's
    state: (rate, factor, first counter).
    `outputs`: metas of the results, where they are not contiguous.
    """
    q, _, v, mask, drawn = inputs
    assert q is not None and v is not None
    s = Problem(q, v, mask, drawn, attrs)
    read: tuple[Operands, ...] = (*Input.several(3), optional(mask, Input(3)), s.dropout(4, 3))
    return s.forward(inputs, read, outputs[0] if outputs else s.out, s.scalars(3))


def attention_grad(op: OpDef, inputs: Metas, attrs: tuple[Any, ...], outputs: Sequence[TensorMeta] = ()) -> Plan:
    """(dq, dk, dv) from (grad, query, key, value, out, rows, mask, drawn).

    Attributes: (causal,); scalars: (scale, fill), and dropout's. `outputs`: as above.
    """
    do, q, k, v, out, _, mask, drawn = inputs
    assert q is not None and k is not None and v is not None
    s = Problem(q, v, mask, drawn, attrs)
    read: tuple[Operands, ...] = (*Input.several(4), optional(mask, Input(6)), s.dropout(7, 2))
    results = tuple(outputs) or (q.contiguous(), k.contiguous(), v.contiguous())
    return s.backward(inputs, read, (Input(4), Input(5), None), s.scalars(2), results)
