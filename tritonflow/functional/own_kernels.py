"""Kernels of users, launched by Triton's `kernel[grid](...)`.

In a capture a launch is a node, of an op that is made for this launch. Its inputs are the tensors, its run-time scalars the
numbers; the inputs that the kernel may store to are written in place. Elsewhere Triton launches, see `data_exchange.run_kernel`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tritonflow import dtypes, triton_launches
from tritonflow.after_import import after_import
from tritonflow.dtypes import DType
from tritonflow.errors import CaptureError, type_name
from tritonflow.execution import lazy
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr
from tritonflow.execution.transfer import allocate
from tritonflow.framework.locality import require_local
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Float8Input, Input, LaunchOperand, Scalar
from tritonflow.ops.plan import Launch, Plan, argument_types
from tritonflow.thread_state import thread_state
from tritonflow.vm.failure import look_behind

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
        return thread_state.lazy is not None

    def launch(self, kernel: Any, arguments: dict[str, Any], constexprs: set[str], options: dict[str, Any], grid: Any) -> None:
        for name, value in options.items():
            if value and name not in _OPTIONS:
                raise CaptureError(f"{kernel.__name__}: a capture knows no option {name}; it takes {', '.join(_OPTIONS)}")
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
            require_local(f"the kernel {self.kernel.__name__}", value)
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
                f"{self.kernel.__name__}: argument {name} is a {type_name(value)}; a kernel that is captured takes tensors, numbers"
                " and constexprs"
            )

    def record(self) -> None:
        """Make it a node of the graph that is being captured."""
        metas = tuple([tensor.meta for tensor in self.tensors])
        op = OpExpr(
            OpDef(
                f"{self.kernel.__module__}.{self.kernel.__name__}",  # no op of the registry has a dot
                tuple(self.names), (), dynamic=tuple(self.number_names),
                kind="plan", mut=self._written(self._plan(metas)), sbp="broadcast", fusion="none", storage=True,
            )
        )  # fmt: skip
        op._planner = lambda _definition, metas, _attrs: self._plan(metas)
        lazy.apply(op, tuple(self.tensors), OpContext(dynamic=tuple(self.numbers)))
        for tensor, name in zip(self.tensors, self.names):
            if name in op.definition.mut:
                tensor.impl.version += 1

    def _plan(self, metas: Any) -> Plan:
        return Plan(metas, (), [Launch(self.kernel, self.grid, self.operands, (), self.constexprs, **self.options)])

    def _written(self, plan: Plan) -> tuple[str, ...]:
        """The names of the tensors that the kernel may store to."""
        from tritonflow import triton_cpu  # as above

        types, _ = argument_types(plan, plan.launches[0])
        given = [name for name in self.kernel.arg_names if name not in self.constexprs]
        signature = {**dict.fromkeys(self.constexprs, "constexpr"), **dict(zip(given, types))}
        written = triton_cpu.written_arguments(self.kernel, signature, self.constexprs)
        return tuple([name for name, is_written in zip(given, written) if is_written and name in self.names])


def _dtype_of(value: Any) -> DType:
    """In which a kernel gets a number; Triton's rule, but a run-time int may grow."""
    if type(value) is RuntimeScalar:
        return dtypes.float32 if isinstance(value, float) else dtypes.int64
    if type(value) is bool:
        return dtypes.bool_
    if type(value) is float:
        return dtypes.float32
    return dtypes.int32 if -(2**31) <= value < 2**31 else dtypes.int64
