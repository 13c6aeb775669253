"""Every launch of the runtime twice: compiled for a CPU and in Triton's interpreter, from the same memory, and compared.

Inside of `twice()` the plans of ops are made anew. What a launch may touch is the memory of its plan's inputs, outputs and
workspaces, and the error word; all of it is compared, what should not be written, too. The program goes on with the
compiled kernel's results.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy
import triton.language as tl
from triton.runtime.interpreter import TensorHandle, _get_np_dtype
from triton.runtime.jit import JITFunction

from tests.kernels.harness import interpreted
from tests.kernels.op_calls import name_of
from tests.triton_interpreter import interpreting
from tritonflow import dtypes
from tritonflow.dtypes import DType
from tritonflow.execution.op_expr import all_op_exprs
from tritonflow.ops import plan as plans
from tritonflow.ops.operands import ERROR_WORD
from tritonflow.ops.plan import Launch, Plan
from tritonflow.settings import settings


@dataclass
class Found:
    """What was launched, and how the two disagreed."""

    kernels: set[str] = field(default_factory=set)
    launches: int = 0
    differences: list[str] = field(default_factory=list)
    where: str = ""  # what is being called, for the reports
    sums: Limit = field(default_factory=lambda: SUMS)

    def add(self, launch: Launch, text: str) -> None:
        chosen = {name: getattr(value, "__name__", value) for name, value in launch.constexprs.items()}
        self.differences.append(f"{self.where}: {name_of(launch.fn)} {chosen} over {launch.grid}: {text}")


@contextmanager
def twice(target: str = "host", interpret: bool = True) -> Iterator[Found]:
    """A block in which every launch is done twice; without `interpret` kernels are only written down."""
    found, bind, kernels = Found(), Plan._bind, plans._kernels

    def bind_twice(plan: Plan, launch: Launch, *rest: Any) -> Callable[..., None]:
        native = bind(plan, launch, *rest)
        found.kernels.add(name_of(launch.fn))
        found.kernels |= {name_of(v) for v in launch.constexprs.values() if isinstance(v, JITFunction)}
        pair = Pair(plan, launch, native, plan.provider.error_word, found)
        return pair.run if interpret else native

    _forget_plans()
    Plan._bind, plans._kernels = bind_twice, {}  # type: ignore[method-assign]
    try:
        with settings.override(cpu_target=target):
            yield found
    finally:
        Plan._bind, plans._kernels = bind, kernels  # type: ignore[method-assign]
        _forget_plans()


def _forget_plans() -> None:
    for expr in all_op_exprs():
        expr.clear_plans()


@dataclass
class Pair:
    """One launch of a plan, both ways."""

    plan: Plan
    launch: Launch
    native: Callable[..., None]
    word: Any
    found: Found

    def run(self, *env: Any) -> None:
        memory = list(self._memory(env))
        before = [piece.read() for piece in memory]
        self.native(*env)
        ours = [piece.read() for piece in memory]
        for piece, data in zip(memory, before):
            piece.write(data)
        try:
            self._interpret(env)
            theirs = [piece.read() for piece in memory]
            limit = limit_of(self.launch, self.found.sums)
            for text in differences(memory, before, ours, theirs, limit, computed_in(self.launch, self.plan)):
                self.found.add(self.launch, text)
        except Exception as error:
            self.found.add(self.launch, f"{type(error).__name__}: {error}")
        self.found.launches += 1
        for piece, data in zip(memory, ours):
            piece.write(data)

    def _memory(self, env: tuple[Any, ...]) -> Iterator[Piece]:
        plan, inputs, outputs = self.plan, len(self.plan.inputs), len(self.plan.outputs)
        metas = (*plan.inputs, *plan.outputs)
        for number, (meta, address) in enumerate(zip(metas, env)):
            if meta is not None and meta.numel:
                name = f"input {number}" if number < inputs else f"output {number - inputs}"
                yield Piece(name, address, meta.span(), meta.dtype)
        for number, (size, dtype) in enumerate(plan.workspaces):
            if size:
                yield Piece(f"workspace {number}", env[inputs + outputs + number], size, dtype)
        yield Piece("error word", self.word.ptr, 1, dtypes.int32)

    def _interpret(self, env: tuple[Any, ...]) -> None:
        launch = self.launch
        types, _ = plans.argument_types(self.plan, launch)
        given = (*_addresses(self.plan, launch.operands, env, self.word.ptr), *launch.sizes)
        constexprs = {name: interpreted(value) for name, value in launch.constexprs.items()}
        with interpreting(), numpy.errstate(all="ignore"):
            interpreted(launch.fn)[launch.grid](*_arguments(given, types), **constexprs)


def _addresses(plan: Plan, operands: tuple[Any, ...], env: tuple[Any, ...], word: int) -> tuple[Any, ...]:
    """What the operands of a launch are in this run."""

    def value(operand: Any) -> Any:
        if isinstance(operand, tuple):
            return tuple(map(value, operand))
        if operand is None:
            return None
        if operand is ERROR_WORD:
            return word
        return env[operand.position(plan.counts)] + operand.offset

    return tuple(map(value, operands))


def _arguments(values: Any, types: Any) -> tuple[Any, ...]:
    """Scalars of the interpreter of exactly these types: left to itself it chooses them by the value."""
    return tuple(_argument(value, type_) for value, type_ in zip(values, types))


def _argument(value: Any, type_: Any) -> Any:
    if isinstance(type_, tuple):
        return _arguments(value, type_)
    if not isinstance(type_, str):
        return type_ if type_ is None else tl.constexpr(type_)
    kind = tl.str_to_ty(type_, None)
    return tl.tensor(TensorHandle(numpy.array([value], _get_np_dtype(kind)), kind), kind)


# ------------------------------------------------------------------------------------------------------- comparison


@dataclass
class Piece:
    """Elements in memory."""

    name: str
    address: int
    count: int
    dtype: DType

    @property
    def nbytes(self) -> int:
        return self.count * self.dtype.itemsize

    def read(self) -> bytes:
        return ctypes.string_at(self.address, self.nbytes)

    def write(self, data: bytes) -> None:
        ctypes.memmove(self.address, data, self.nbytes)


@dataclass(frozen=True)
class Limit:
    """How far floating results may be from the interpreter's: epsilons of the result, plus epsilons of what is usual.

    Each is an epsilon of the dtype computed in. What is usual is the upper quartile of the sizes in the launch's memory,
    which a few extreme values do not move: errors are in proportion to it, not to the result, where terms cancel.
    """

    result: float
    usual: float
    codes: float = 0.0  # the share of codes of 8 bits that may be neighbours


EXACT = Limit(0, 0)
# Functions are within 2 ulp of the true value on both sides, and compiled code fuses products with sums.
ELEMENTWISE = Limit(4, 1)
# The two add up in another order: some dozens of terms, in the samples.
SUMS = Limit(16, 16)
# Thousands of terms, in `op_calls.large_calls`.
LONG_SUMS = Limit(16, 4096)
# A number that lies between two codes, but for roundings, has the one or the other. 1 of 2000 was seen.
CODES = Limit(16, 16, codes=0.002)
# Scalar functions that are sums of a dozen terms themselves; digamma's cancel near its zero at 1.46.
_SUMS = {"digamma", "random_gamma_backward_concentration"}
_ELEMENTWISE = {"elementwise.flat", "elementwise.strided", "optimizer.sgd", "optimizer.adam", "optimizer.update", "random.normal"}
_EPSILON = {dtypes.float64: 2.0**-52, dtypes.float32: 2.0**-23, dtypes.float16: 2.0**-10, dtypes.bfloat16: 2.0**-7}


def limit_of(launch: Launch, sums: Limit) -> Limit:
    """The limit for a kernel; uniform random numbers are exact."""
    function = getattr(launch.constexprs.get("FN"), "__name__", "")
    if function.startswith("uniform"):
        return EXACT
    if name_of(launch.fn).startswith("optimizer_codes."):
        return CODES
    return ELEMENTWISE if name_of(launch.fn) in _ELEMENTWISE and function not in _SUMS else sums


def computed_in(launch: Launch, plan: Plan) -> DType:
    """The widest dtype that all of a kernel is computed in: of float32 inputs, a state in float64 has sums of float32 products."""
    wide = any(meta is not None and meta.dtype is dtypes.float64 for meta in plan.inputs)
    narrow = launch.constexprs.get("COMPUTE") is tl.float32 or any(meta is not None and meta.dtype.is_floating_point for meta in plan.inputs)
    return dtypes.float32 if narrow and not wide else dtypes.float64


def differences(
    pieces: list[Piece], before: list[bytes], ours: list[bytes], theirs: list[bytes], limit: Limit, widest: DType
) -> Iterator[str]:
    """What is wrong with the memory after a launch."""
    if ours == theirs:
        return
    usual = _usual([_values(data, p.dtype) for p, *all_ in zip(pieces, before, theirs) for data in all_])
    for piece, mine, data in zip(pieces, ours, theirs):
        wrong = _bits(mine, piece.dtype) != _bits(data, piece.dtype)
        if not wrong.any():
            continue
        a, b = _values(mine, piece.dtype), _values(data, piece.dtype)
        if piece.dtype.is_floating_point and limit != EXACT:
            wrong &= ~_close(a, b, piece.dtype, usual, limit, widest)
        elif wrong.mean() <= limit.codes:
            wrong &= abs(a.astype(numpy.int64) - b.astype(numpy.int64)) > 1
        at = numpy.flatnonzero(wrong)
        if len(at):
            some = ", ".join(f"{a[i]} for {b[i]} at {i}" for i in at[:4])
            yield f"{piece.name}, {len(at)} of {len(a)} {piece.dtype}: {some}"


def _usual(values: list[Any]) -> float:
    """The upper quartile of the sizes of finite floating values; zeros, which memory is filled with, are none."""
    sizes = [abs(v[numpy.isfinite(v) & (v != 0)].astype(numpy.float64)) for v in values if v.dtype.kind == "f"]
    sizes = numpy.concatenate(sizes) if sizes else numpy.zeros(0)
    return float(numpy.quantile(sizes, 0.75)) if len(sizes) else 0.0


def _close(a: Any, b: Any, dtype: DType, usual: float, limit: Limit, widest: DType) -> Any:
    computed = _EPSILON[widest if dtype is dtypes.float64 else dtypes.float32]
    result = max(limit.result * computed, _EPSILON[dtype])  # a half is rounded to from float32: up to one step
    with numpy.errstate(all="ignore"):
        same = (a == b) | (numpy.isnan(a) & numpy.isnan(b))
        a, b = a.astype(numpy.float64), b.astype(numpy.float64)
        return same | (abs(a - b) <= result * abs(b) + limit.usual * computed * usual)


def _bits(data: bytes, dtype: DType) -> Any:
    return numpy.frombuffer(data, f"u{dtype.itemsize}")


def _values(data: bytes, dtype: DType) -> Any:
    if dtype is dtypes.bfloat16:
        return (_bits(data, dtype).astype(numpy.uint32) << 16).view(numpy.float32)
    return numpy.frombuffer(data, dtype.numpy)
