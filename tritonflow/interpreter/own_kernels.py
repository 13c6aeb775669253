"""Kernels of users, launched by Triton's `kernel[grid](...)`.

In a capture a launch is a node, of an op that is made for this launch. Its inputs are the tensors, its run-time scalars the
numbers; the inputs that the kernel may store to are written in place. Elsewhere Triton launches, see `data_exchange.run_kernel`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from tritonflow import dtypes, triton_launches
from tritonflow.after_import import after_import
from tritonflow.device.device import META
from tritonflow.device.provider import get_provider
from tritonflow.dtypes import DType
from tritonflow.errors import (
    ArgumentTypeError,
    BatchingError,
    CaptureError,
    DeviceMismatchError,
    DTypeError,
    LocalityError,
    foreign_hint,
    type_name,
)
from tritonflow.execution import lazy
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr
from tritonflow.execution.transfer import CPU, allocate
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.interpreter.inplace import refuse_unrecorded
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Float8Input, Input, LaunchOperand, Scalar
from tritonflow.ops.plan import Launch, Plan, argument_types
from tritonflow.thread_state import launch_name, thread_state
from tritonflow.triton_launches import GPU, HOST, Residence
from tritonflow.vm.failure import describe, line_outside, look_behind
from tritonflow.vm.machine import machine

_OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg")  # of Triton's, that say how a kernel is compiled


def install() -> None:
    """Once the program imports Triton, its launches are known here."""
    after_import("triton", _follow)


def _follow(triton: Any) -> None:
    look_behind(triton.__file__)
    triton_launches.follow(triton, _use_cpu, _Recorder())


def _use_cpu() -> None:
    from tritonflow import triton_cpu  # whose modules an import of the package does not need

    triton_cpu.install()


class _Recorder:
    """The thread's capture, as `triton_launches` asks for it."""

    def is_capturing(self) -> bool:
        return thread_state.observer.is_capturing

    def residence(self, kernel: Any, values: Iterable[Any]) -> Residence:
        where, on_host = HOST, False
        for value in values:
            if isinstance(value, Tensor):
                meta = value.meta
                if not meta.is_local or value.impl.__class__ is BatchedTensorImpl:
                    raise _unfit(kernel, value)
                if meta.dtype.is_complex:
                    raise DTypeError(
                        _at(f"{kernel.__name__}: Triton has no complex numbers") + "; help: pass flow.view_as_real(x)"
                    )
                if meta.device is CPU:
                    on_host = True
                else:
                    where = triton_launches.META if meta.device is META else GPU
            elif _nests(value):
                inside = self.residence(kernel, _parts_of(value))
                where = where if inside is HOST else inside
        if where is triton_launches.META and on_host:
            raise DeviceMismatchError(
                _at(f"{kernel.__name__}: some tensors are on the meta device, and others are not")
                + "; help: flow.empty_like(x), or flow.empty(..., device=x.device), in the op's function; or register_fake"
            )
        return where

    def explain(self, kernel: Any, arguments: Iterable[tuple[str, Any]], error: TypeError) -> None:
        for name, value in arguments:
            if (hint := foreign_hint(value)) and str(error).endswith(type_name(value)):
                raise ArgumentTypeError(
                    _at(f"{kernel.__name__}: its argument {name} is a {type_name(value)}, no tensor") + hint
                ) from None

    def run_on_gpu(
        self, kernel: Any, arguments: Iterable[tuple[str, Any]], compiled: Callable[[], Any], launch: Callable[[], Any]
    ) -> Any:
        tensors = [(name, x) for name, value in arguments for x in _tensors_in(value) if x.meta.device.type == "cuda"]
        if thread_state.grad_enabled and any(t._node is not None or t._view is not None for _, t in tensors):
            for _, tensor in _written_of(compiled(), tensors):
                refuse_unrecorded(f"the kernel {kernel.__name__}", tensor)
        result = launch()
        written = [tensor for _, tensor in _written_of(result, tensors)]
        for tensor in written:
            tensor.impl.version += 1
        _order_on_gpu([tensor for _, tensor in tensors], written)
        return result

    def launch(self, kernel: Any, arguments: dict[str, Any], constexprs: set[str], options: dict[str, Any], grid: Any) -> None:
        for name, value in options.items():
            if value and name not in _OPTIONS:
                raise CaptureError(
                    _at(f"{kernel.__name__}: a capture knows no option {name}; it takes {', '.join(_OPTIONS)}")
                )
        shape = grid(arguments) if callable(grid) else grid
        call = _RecordedLaunch(kernel, tuple([int(n) for n in shape]), options)
        for name, value in arguments.items():
            call.add(name, value, name in constexprs)
        call.record()

    @contextmanager
    def measuring(self) -> Iterator[Callable[[Any], Any]]:
        made: dict[int, Any] = {}

        def there(value: Any) -> Any:
            if isinstance(value, RuntimeScalar):
                return value.value
            if isinstance(value, Tensor) and value.impl.is_lazy:
                return made.setdefault(id(value), allocate(value.meta).zero_())
            return value

        with lazy.eager():
            yield there

    def warmup_argument(self, value: Any, mock: Callable[[Any], Any]) -> Any:
        return mock(value) if isinstance(value, DType) else value


def _nests(value: Any) -> bool:
    """Whether an argument has others inside: it is a tuple, or a tensor descriptor of Triton's."""
    kind = value.__class__
    return kind is tuple or kind.__name__ == "TensorDescriptor"


def _parts_of(value: Any) -> tuple[Any, ...]:
    return value if value.__class__ is tuple else (value.base,)


def _tensors_in(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif _nests(value):
        for part in _parts_of(value):
            yield from _tensors_in(part)


def _at(text: str) -> str:
    """The text of an error, with the user's line that launches."""
    return f"{text}, at {describe(line_outside(sys._getframe()))}"


def _unfit(kernel: Any, tensor: Tensor) -> Exception:
    """The error for a tensor of several examples or ranks, whose memory is not one tensor's."""
    if not tensor.meta.is_local:
        return LocalityError(
            _at(
                f"{kernel.__name__}: a kernel takes local tensors, and one of size {list(tensor.meta.shape)} is global (consistent)"
            )
            + "; help: make it an op with flow.library.triton_op, and say by register_sbp how it is split"
        )
    return BatchingError(
        _at(f"vmap: {kernel.__name__}: a kernel takes no tensors of several examples")
        + "; help: make it an op with flow.library.triton_op, and give that a rule by register_vmap"
    )


def _order_on_gpu(tensors: list[Tensor], written: list[Tensor]) -> None:
    """Order what is issued from now on, on whatever stream, behind the launch, which went to torch's current stream.

    `data_ptr()` ordered the launch behind what was issued before. A block that one stream has alone needs no more.
    """
    for device in {tensor.meta.device for tensor in tensors}:
        blocks = [t.impl.block for t in tensors if t.meta.device is device and t.impl.block.stream is None]
        mut = [t.impl.block for t in written if t.meta.device is device and t.impl.block.stream is None]
        if blocks:
            machine.issue(get_provider(device).torch_stream(), None, blocks, mut, name="a kernel of the user's")


def _written_of(compiled: Any, tensors: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Those of the tensors that Triton's compiled kernel may store to; all of them where its arguments nest."""
    from tritonflow import triton_cpu  # whose modules an import of the package does not need

    if compiled is None:  # a hook of Triton's compiled it, and perhaps launched it
        return tensors
    names = _written_names.get(compiled)
    if names is None:
        signature = compiled.src.signature
        if all(isinstance(kind, str) and not kind.startswith("tensordesc") for kind in signature.values()):
            given = [name for name, kind in signature.items() if kind != "constexpr"]
            written = triton_cpu.written_in(compiled.asm["ttir"])
            names = frozenset([name for name, is_written in zip(given, written, strict=True) if is_written])
        else:
            names = frozenset(signature)
        _written_names[compiled] = names
    return [each for each in tensors if each[0] in names]


_written_names: WeakKeyDictionary[Any, frozenset[str]] = WeakKeyDictionary()  # by Triton's compiled kernel


class _RecordedLaunch:
    """A launch that is being recorded."""

    def __init__(self, kernel: Any, grid: tuple[int, ...], options: dict[str, Any]) -> None:
        self.kernel, self.grid = kernel, grid
        self.tensors: list[Tensor] = []
        self.numbers: list[Any] = []
        self.names: list[str] = []
        self.number_names: list[str] = []
        self.operands: list[LaunchOperand] = []
        self.constexprs: dict[str, Any] = {}
        self.options = {name: value for name, value in options.items() if value}

    def add(self, name: str, value: Any, is_constexpr: bool) -> None:
        """Take an argument.

        Raises:
            CaptureError: it is neither a tensor nor a number, nor a constant of the code.
        """
        if is_constexpr or value is None:
            self.constexprs[name] = value.pin() if type(value) is RuntimeScalar else value
        elif isinstance(value, Tensor):
            kind = Float8Input if value.meta.dtype in dtypes.STORAGE else Input
            self.operands.append(kind(len(self.tensors)))
            self.tensors.append(value)
            self.names.append(name)
        elif type(value) in (bool, int, float, RuntimeScalar):
            self.operands.append(Scalar(len(self.numbers), _dtype_of(value)))
            self.numbers.append(value)
            self.number_names.append(name)
        else:
            raise CaptureError(
                _at(
                    f"{self.kernel.__name__}: argument {name} is a {type_name(value)}; a kernel that is captured takes tensors,"
                    " numbers and constexprs"
                )
            )

    def record(self) -> None:
        """Make it a node of the graph that is being captured."""
        metas = tuple([tensor.meta for tensor in self.tensors])
        mut = self._written(self._plan(metas))
        written = [tensor for tensor, name in zip(self.tensors, self.names) if name in mut]
        for tensor in written:
            refuse_unrecorded(f"the kernel {self.kernel.__name__}", tensor)
        op = OpExpr(
            OpDef(
                launch_name(self.kernel.__name__, self.kernel.__module__),
                tuple(self.names), (), dynamic=tuple(self.number_names),
                kind="plan", mut=mut, sbp="broadcast", fusion="none", storage=True,
            ),
            plan=lambda _definition, metas, _attrs: self._plan(metas),
        )  # fmt: skip
        lazy.apply(op, tuple(self.tensors), OpContext(dynamic=tuple(self.numbers)))
        for tensor in written:
            tensor.impl.version += 1

    def _plan(self, metas: Any) -> Plan:
        return Plan(metas, (), [Launch(self.kernel, self.grid, self.operands, (), self.constexprs, **self.options)])

    def _written(self, plan: Plan) -> tuple[str, ...]:
        """The names of the tensors that the kernel may store to."""
        types, _ = argument_types(plan, plan.launches[0])
        given = [name for name in self.kernel.arg_names if name not in self.constexprs]
        signature = {**dict.fromkeys(self.constexprs, "constexpr"), **dict(zip(given, types))}
        written = _written_arguments(self.kernel, signature, self.constexprs)
        return tuple([name for name, is_written in zip(given, written) if is_written and name in self.names])


_written_by: dict[Any, tuple[bool, ...]] = {}  # by kernel, types and constants


def _written_arguments(kernel: Any, signature: dict[str, Any], constexprs: dict[str, Any]) -> tuple[bool, ...]:
    from tritonflow import triton_cpu  # whose modules an import of the package does not need

    key = kernel.cache_key, tuple(signature.items()), tuple([(n, type(v), v) for n, v in constexprs.items()])
    try:
        found = _written_by.get(key)
    except TypeError:  # a constant that cannot be hashed
        return triton_cpu.written_arguments(kernel, signature, constexprs)
    if found is None:
        found = _written_by[key] = triton_cpu.written_arguments(kernel, signature, constexprs)
    return found


def _dtype_of(value: Any) -> DType:
    """In which a kernel gets a number; Triton's rule, but a run-time int may grow."""
    if type(value) is RuntimeScalar:
        return dtypes.float32 if isinstance(value, float) else dtypes.int64
    if type(value) is bool:
        return dtypes.bool_
    if type(value) is float:
        return dtypes.float32
    return dtypes.int32 if -(2**31) <= value < 2**31 else dtypes.int64
