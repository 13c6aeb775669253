"""Planners of scaled dot product attention, forward and backward, over (batch, heads, length, size) with any strides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, bool_, float32, float64, int64
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, LaunchOperand, Operands, Output, Scalar, Workspace, optional
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


def widest_head(dtype: DType) -> int:
    """Tiles of 16 rows of wider heads do not fit into a GPU's shared memory."""
    return 128 if dtype is float64 else 256


def _marked(meta: TensorMeta) -> tuple[stride, ...]:
    return tuple([stride(s) for s in meta.stride])


class _Problem:
    """The sizes, strides and dtypes of one call, and its launches: what the kernels share."""

    def __init__(
        self, q: TensorMeta, v: TensorMeta, mask: TensorMeta | None, drawn: TensorMeta | None, attrs: tuple[Any, ...]
    ) -> None:
        causal, *piece = attrs
        self.batch, self.heads, self.m, self.d = q.shape
        self.key_heads, self.n, self.e = v.shape[1:]
        self.q = q
        self.compute = float64 if q.dtype is float64 else float32
        self.sizes = (self.heads, self.m, self.n, self.d, self.e)
        self.mask_strides = (stride(0),) * 4 if mask is None else _marked(mask)
        self.dropped, self.is_piece = drawn is not None, bool(piece)
        self.beside = " and ".join([name for name, x in (("mask", mask), ("dropout", drawn)) if x is not None])
        boolean, fours = mask is not None and mask.dtype is bool_, self.dropped and self.n % 4 == 0
        group = self.heads // self.key_heads if self.heads else 1
        self.flags = {"CAUSAL": causal, "GROUP": group, "BOOL": boolean, "FOURS": fours}
        self.rows = contiguous_meta((*q.shape[:3], 2), self.compute, q.device)
        self.out = contiguous_meta((*q.shape[:3], self.e), q.dtype, q.device)

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
        q, sizes = self.q, (self.m, self.n, self.d, self.e)
        facts = facts_of(q.device)
        kind = product_dtype(facts, q.dtype, "matmul")
        return choose(rules.candidates(facts, kind, *sizes, backward, self.beside))

    def row_tiles(self, blocks: dict[str, Any]) -> int:
        """How many tiles of queries a batch has."""
        return -(-self.m // blocks["BLOCK_M"]) * self.heads

    def pieces(self, blocks: dict[str, Any]) -> tuple[int, int]:
        """In how many pieces few programs walk over many keys, and the keys of a piece."""
        facts, block = facts_of(self.q.device), blocks["BLOCK_N"]
        wanted, least = (PROGRAMS, LEAST_KEYS) if facts.kind == "cpu" else (facts.processors, LEAST_KEYS // 4)
        programs = self.row_tiles(blocks) * self.batch
        if not programs or programs >= wanted or self.n < 2 * least:
            return 1, self.n
        count = min(-(-wanted // programs), self.n // least)
        piece = -(-self.n // (count * block)) * block
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


def attention(op: OpDef, inputs: Metas, attrs: tuple[Any, ...], outputs: Sequence[TensorMeta] = ()) -> Plan:
    """(out, rows: the maximum of their scores, and 1 / sum of exp(score - maximum)) from (query, key, value, mask, drawn).

    A head of key and value serves as many heads of the query, one behind the other, as there are more of these.

    Attributes: (causal,), and True of a piece of a larger tensor with dropout. Scalars: (scale, the score where a boolean mask is
    false, the weights of rows without scores above -inf), and dropout's, whose numbers are those behind `drawn`, a generator's
    state: (rate, factor, first counter).
    `outputs`: metas of the results, where they are not contiguous.
    """
    q, k, v, mask, drawn = inputs
    assert q is not None and k is not None and v is not None
    s = _Problem(q, v, mask, drawn, attrs)
    config = s.config(backward=False)
    blocks = {**s.flags, **config["constexprs"]}
    out = outputs[0] if outputs else s.out
    pieces, piece = s.pieces(blocks)
    made: tuple[Operands, ...] = Output.several(2) if pieces == 1 else (Workspace(0), Workspace(1))
    operands: tuple[Operands, ...] = (
        *Input.several(3), optional(mask, Input(3)), s.dropout(4, 3), *made, *s.scalars(3)
    )  # fmt: skip
    sizes = (*s.sizes, *map(_marked, (q, k, v, out)), s.mask_strides, () if pieces == 1 else (piece, s.batch))
    launch = s.launch(kernels.forward, s.row_tiles(blocks), operands, sizes, blocks, config, pieces)
    if pieces == 1:
        return Plan(inputs, (out, s.rows), [launch])
    constexprs = {name: blocks[name] for name in ("SPLIT", "BLOCK_M", "BLOCK_E")}
    constexprs["BASE_2"] = blocks["SPLIT"] and mask is None
    merged: tuple[Operands, ...] = (*made, s.dropout(4, 3), *Output.several(2), s.scalars(3)[2])
    sizes = (s.heads, s.m, s.e, _marked(out), pieces, s.batch)
    merge = s.launch(kernels.merge, s.row_tiles(blocks), merged, sizes, constexprs, config)
    sums = [(pieces * s.out.numel, s.compute), (pieces * s.rows.numel, s.compute)]
    return Plan(inputs, (out, s.rows), [launch, merge], sums)


def attention_grad(op: OpDef, inputs: Metas, attrs: tuple[Any, ...], outputs: Sequence[TensorMeta] = ()) -> Plan:
    """(dq, dk, dv) from (grad, query, key, value, out, rows, mask, drawn).

    Attributes: (causal,); scalars: (scale, fill), and dropout's. `outputs`: as above.
    """
    do, q, k, v, out, _, mask, drawn = inputs
    assert do is not None and q is not None and k is not None and v is not None and out is not None
    s = _Problem(q, v, mask, drawn, attrs)
    config = s.config(backward=True)
    read = (Input(0), Input(1), Input(2), Input(3), optional(mask, Input(6)), s.dropout(7, 2))
    results = tuple(outputs) or (q.contiguous(), k.contiguous(), v.contiguous())
    strides = (tuple(map(_marked, (do, q, k, v))), _marked(out), tuple(map(_marked, results)))
    on_cpu = facts_of(q.device).kind == "cpu"
    of_heads = on_cpu and s.batch * s.key_heads >= WHOLE
    launches = (_of_heads if of_heads else _of_tiles)(s, config, read, *strides)
    if not on_cpu:  # the kernel for queries computes delta
        return Plan(inputs, results, launches[::-1], [(s.rows.numel, s.compute)])
    blocks = {key: config["constexprs"][key] for key in ("BLOCK_M", "BLOCK_E")}
    sizes = (s.heads, s.m, s.e, _marked(do), _marked(out))
    delta = s.launch(
        gradient_kernels.row_products, s.row_tiles(blocks), (Input(0), Input(4), Workspace(0)), sizes, blocks, config
    )
    sums = [(q.numel, s.compute)] if of_heads else []
    return Plan(inputs, results, [delta, *launches], [(s.rows.numel // 2, s.compute), *sums])


def _of_tiles(s: _Problem, config: Any, read: Any, given: Any, out: Any, made: Any) -> list[Launch]:
    """A program for each tile of keys, and one for each of queries."""
    of_own = config.get("keys", {})  # what the kernel for keys has of its own
    blocks = {**s.flags, **config["constexprs"]}
    blocks_of_keys = {name: of_own.get(name, value) for name, value in blocks.items()}
    rows = (Input(5), Workspace(0))
    keys, queries = (*read, *rows, Output(1), Output(2), *s.scalars(2)), (*read, Input(4), *rows, Output(0), *s.scalars(2))
    of_keys, of_queries = ((*s.sizes, *given, *own, s.mask_strides) for own in (made[1:], (out, *made[:1])))
    column_tiles = -(-s.n // blocks_of_keys["BLOCK_N"]) * s.key_heads
    return [
        s.launch(gradient_kernels.key_gradients, column_tiles, keys, of_keys, blocks_of_keys, {**config, **of_own}),
        s.launch(gradient_kernels.query_gradient, s.row_tiles(blocks), queries, of_queries, blocks, config),
    ]


def _of_heads(s: _Problem, config: Any, read: Any, given: Any, out: Any, made: Any) -> list[Launch]:
    """A program for each head of keys."""
    operands = (*read, Input(5), Workspace(0), Workspace(1), Output(0), Output(1), Output(2), *s.scalars(2))
    sizes = (*s.sizes, *given, *made, s.mask_strides)
    return [s.launch(gradient_kernels.gradients, s.key_heads, operands, sizes, {**s.flags, **config["constexprs"]}, config)]
