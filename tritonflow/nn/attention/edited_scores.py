"""A user's functions of scores and positions as functions of a kernel: what `flex_attention` computes without a matrix of scores.

They are called once, with tensors without data. Each op is noted, and becomes a line of a function that kernels call; so does each
op of the derivative, which the ordinary backward gives. Pointwise ops are lines, and reads of a tensor by positions, such as
`table[h]` or `document[b, q] == document[b, k]`. Of anything else, the caller computes scores as a tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from math import inf
from typing import Any, NamedTuple

from tritonflow import dtypes
from tritonflow.autograd import grad
from tritonflow.dtypes import DType
from tritonflow.errors import TritonflowError
from tritonflow.execution import lazy
from tritonflow.execution.lazy import classes
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import LazyTensorImpl
from tritonflow.interpreter.grad_mode import enable_grad, no_grad
from tritonflow.nn.attention.block_mask import spread
from tritonflow.observer import Observer
from tritonflow.ops.elementwise import operand_dtypes
from tritonflow.ops.flash_attention import Edit
from tritonflow.ops.function_source import ABSENT, MOVES, Operation, Writer, load
from tritonflow.thread_state import enter_slow_path, leave_slow_path, thread_state

POSITIONS = ("b", "h", "m", "n")
PARAMETERS = "s, b, h, m, n, M, N, inside, whole, reads, steps"
INDEX = "index_get"


class Untraceable(Exception):
    """Such a function is no function of a kernel."""


class EditedScores(NamedTuple):
    """A function for kernels, and the tensors that it reads."""

    edit: Edit
    reads: tuple[Tensor, ...]


class _Value(NamedTuple):
    """What an op gives: its name in the text, its dtype, and of which parameters it is made."""

    name: str
    dtype: DType
    of: frozenset[str]


def edited_scores(
    score_mod: Callable[..., Any] | None, mask_mod: Callable[..., Any] | None, shape: tuple[int, ...], dtype: DType, device: Any,
    wants_slope: bool,
) -> EditedScores | None:  # fmt: skip
    """What kernels call for scores of a shape (batch, heads, queries, keys); None if the functions are not of that kind.

    Args:
        score_mod: of (score, batch, head, query, key), or None.
        mask_mod: whether a query attends to a key, of (batch, head, query, key), or None.
        wants_slope: whether the derivative is wanted.
    """
    try:
        trace = _Trace(shape, dtype, device)
        with trace.recording():
            score, *where = trace.given
            changed, slope = score, None
            if score_mod is not None:
                with enable_grad() if wants_slope else no_grad():
                    changed = spread(score_mod(*trace.given), shape, "score_mod").to(dtype)
                    if wants_slope:
                        slope = grad(changed, score, trace.one, allow_unused=True)[0] if changed.requires_grad else 0.0
                        slope = 0.0 if slope is None else slope
            with no_grad():
                allowed = None if mask_mod is None else spread(mask_mod(*where), shape, "mask_mod")
        return trace.functions(changed, slope, allowed)
    except (Untraceable, TritonflowError):
        return None  # an error is the user's, and comes again where scores are tensors


class _Trace(Observer):
    """The ops of functions of scores, as the lazy interpreter tells them (`execution.lazy.Sink`)."""

    is_capturing = True
    program = "score_mod"

    def __init__(self, shape: tuple[int, ...], dtype: DType, device: Any) -> None:
        self.device = device
        self.shape = shape
        self.before = thread_state.observer
        self.numbers = count()
        self.nodes: list[tuple[Any, list[Any], list[_Value], tuple[Any, ...], tuple[Any, ...]]] = []
        self.reads: list[Tensor] = []
        self.constants: dict[str, tuple[str, str]] = {}
        self.values: set[Any] = set()
        sizes = [tuple([n if k == d else 1 for k in range(4)]) for d, n in enumerate(shape)]
        score = self.tensor(contiguous_meta(shape, dtype, device), _Value("s", dtype, frozenset("smn")))
        score.requires_grad_()
        where = [
            self.tensor(contiguous_meta(size, dtypes.int64, device), _Value(name, dtypes.int64, frozenset(name)))
            for name, size in zip(POSITIONS, sizes)
        ]
        self.given = [score, *where]
        self.one = self.tensor(contiguous_meta(shape, dtype, device), _Value("one", dtype, frozenset("smn")))

    def tensor(self, meta: TensorMeta, value: _Value) -> Tensor:
        held = _Held(meta, value)
        self.values.add(held)
        return Tensor(meta, LazyTensorImpl(held), 0)

    @contextmanager
    def recording(self) -> Iterator[None]:
        """A block whose ops are noted here alone: neither the capture of a graph nor hooks on saved tensors see them."""
        enter_slow_path()
        hooks, thread_state.saved_hooks = thread_state.saved_hooks, ()
        thread_state.observer = self
        try:
            yield
        finally:
            thread_state.observer = self.before
            thread_state.saved_hooks = hooks
            leave_slow_path()

    # ---- what the lazy interpreter asks

    def infer(self, op: Any, metas: Any, attrs: Any, kinds: Any, over: TensorMeta | None) -> Any:
        return lazy.infer(op, metas, attrs, kinds, over)

    def elsewhere(self, results: Any) -> None:
        return None

    def compute(
        self, op: Any, inputs: Sequence[Tensor | None], attrs: Any, dynamic: Any, results: Sequence[TensorMeta], out: Tensor | None
    ) -> list[Tensor]:
        if out is not None or op.written(inputs, attrs) or len(results) != 1:
            raise Untraceable(op.name)
        (meta,) = results
        value = self._noted(op, inputs, attrs, dynamic, meta)
        return [self.tensor(meta, value)]

    def _noted(self, op: Any, inputs: Sequence[Tensor | None], attrs: Any, dynamic: Any, meta: TensorMeta) -> _Value:
        name, definition = f"v{next(self.numbers)}", op.definition
        if any(type(number) not in (int, float, bool) for number in dynamic):
            raise Untraceable(op.name)
        if op.name == "full":
            self.constants[name] = _literal(dynamic[0]), _computed(meta.dtype)
            return _Value(name, meta.dtype, frozenset())
        if op.name == INDEX:
            return self._indexed(op, inputs, attrs, meta, name)
        if definition.kind != "pointwise" and op.name not in MOVES:
            raise Untraceable(op.name)
        if definition.divisor and not meta.dtype.is_floating_point:
            raise Untraceable(op.name)  # zeros among integers are looked for before
        given = [None if t is None else self.read(t) for t in inputs]
        value = _Value(name, meta.dtype, frozenset().union(*[v.of for v in given if v is not None]))
        self.nodes.append((op, given, [value], tuple([t.meta for t in inputs if t is not None]), dynamic))
        return value

    def _indexed(self, op: Any, inputs: Sequence[Tensor | None], attrs: Any, meta: TensorMeta, name: str) -> _Value:
        table, *indices = inputs
        assert table is not None
        dim, wrap = attrs
        if self.is_mine(table) or dim != 0 or len(indices) != table.ndim or table.meta.dtype.is_complex:
            raise Untraceable(op.name)
        given = [self.read(t) for t in indices if t is not None]
        value = _Value(name, meta.dtype, frozenset().union(*[v.of for v in given]))
        self.nodes.append((op, [self._number(table), *given], [value], (), (wrap,)))
        return value

    def is_mine(self, t: Tensor) -> bool:
        return t.impl.is_lazy and t.impl.value in self.values

    def read(self, t: Tensor) -> _Value:
        """The value of a tensor of the trace, broadcast; or of another one, by its own positions."""
        if not t.meta.is_local:
            raise Untraceable("a tensor over ranks")
        if self.is_mine(t):
            own = t.impl.value.meta.shape
            if t.ptr or (t.meta.shape != own and not _is_broadcast(t.meta, own)):
                raise Untraceable("a view")
            return t.impl.value.value  # type: ignore[no-any-return]
        if t.ndim > 4 or t.meta.dtype.is_complex:
            raise Untraceable("a tensor of more dimensions")
        shape = (1,) * (4 - t.ndim) + t.meta.shape
        along = [POSITIONS[d] for d, n in enumerate(shape) if n != 1]
        if any(n not in (1, wanted) for n, wanted in zip(shape, self.shape)):
            raise Untraceable("a tensor of another shape")
        value = _Value(f"v{next(self.numbers)}", t.meta.dtype, frozenset(along))
        dims = [d - (4 - t.ndim) for d, n in enumerate(shape) if n != 1]
        self.nodes.append((None, [self._number(t), *zip(dims, along)], [value], (), ()))
        return value

    def _number(self, t: Tensor) -> int:
        """The number of a tensor among those that the function reads."""
        if t.requires_grad:
            raise Untraceable("a tensor whose gradient is wanted")
        for number, other in enumerate(self.reads):
            if other.impl is t.impl and other.ptr == t.ptr and other.meta is t.meta:
                return number
        self.reads.append(t)
        return len(self.reads) - 1

    # ---- the text

    def functions(self, changed: Tensor, slope: Any, allowed: Tensor | None) -> EditedScores:
        """The function of scores, and that of the derivative."""
        result, mask = self.read(changed), None if allowed is None else self.read(allowed)
        edit = self._function("edit", result, mask)
        derivative = None
        if slope is not None:
            of_slope = self.read(slope) if isinstance(slope, Tensor) else None
            derivative = self._function("slope", of_slope, None)
        return EditedScores(Edit(edit, derivative), tuple(self.reads))

    def _function(self, title: str, result: _Value | None, mask: _Value | None) -> Any:
        """The function that gives `result`, 0 if it is None, and -inf where `mask` is false."""
        roots = [value for value in (result, mask) if value is not None]
        nodes = self._needed([value.name for value in roots])
        names = {value.name for value in (*roots, *[v for node in nodes for v in node[1] if isinstance(v, _Value)])}
        writer = Writer([_operation(*node) for node in nodes if not _is_read(node)])
        body = [f"{name} = {name}.to(tl.int64)" for name in POSITIONS if name in names]
        body += [f"{name} = tl.full((), {text}, tl.{dtype})" for name, (text, dtype) in self.constants.items() if name in names]
        body += ["one = tl.full(s.shape, 1.0, s.dtype)"] if "one" in names else []
        for node in nodes:
            body += self._load(node) if _is_read(node) else writer.lines(_operation(*node))
        whole = result is not None and "s" in result.of
        body.append(f"out = {result.name if result else 0.0}{'' if whole else ' + tl.zeros(s.shape, s.dtype)'}")
        if mask is not None:
            body.append(f"out = tl.where(({mask.name} != 0) | whole, out, {_literal(-inf)})")
        head = ["import triton", "import triton.language as tl", "", "from tritonflow.kernels.index import wrapped", *writer.head]
        lines = [f"    {line}" for line in (*body, "return out")]
        return load(title, "\n".join([*head, "", "", "@triton.jit", f"def {title}({PARAMETERS}):", *lines, ""]))

    def _needed(self, names: list[str]) -> list[Any]:
        """The nodes that these values are made of, in order."""
        wanted, found = set(names), []
        for node in reversed(self.nodes):
            if node[2][0].name in wanted:
                found.append(node)
                wanted |= {v.name for v in node[1] if isinstance(v, _Value)}
        return found[::-1]

    def _load(self, node: Any) -> list[str]:
        """The lines that read a tensor by positions."""
        op, (number, *given), (value,), _, dynamic = node
        address, uses, lines = f"reads[{number}]", [_there(value.of)], []
        for dim, index in enumerate(given):
            if op is None:
                dim, name = index
                step = f"{name}.to(tl.int64)"
            else:
                step, use = f"{value.name}_{dim}", f"{value.name}_use{dim}"
                limit, err = f"steps[{number}][1][{dim}]", f"reads[{len(self.reads)}]"
                lines.append(f"{step}, {use} = wrapped({index.name}, {limit}, {_there(index.of)}, {err}, {dynamic[0]})")
                uses.append(use)
            address += f" + {step} * steps[{number}][0][{dim}]"
        loaded = f"tl.load({address}, mask={' & '.join(uses)}, other=0)"
        lines.append(f"{value.name} = {loaded}.to(tl.{_computed(value.dtype)})")
        return lines


def _there(of: frozenset[str]) -> str:
    """The condition, as narrow as the positions, under which a tile has them."""
    if "s" in of:
        return "inside"
    conditions = [f"({name} < {name.upper()})" for name in ("m", "n") if name in of]
    return " & ".join(conditions or [f"({'h' if 'h' in of else 'b'} >= 0)"])


def _passed_on(name: str) -> Any:
    """A method that tells who was told before: the capture of a graph hears what its program depends on."""
    return lambda self, *args: getattr(self.before, name)(*args)


def _refused(self: _Trace, *args: Any) -> Any:
    raise Untraceable("it changes something")


for _name in ("constant", "guard", "depend", "read_state", "read_value", "numbers_of", "call_users", "take_for_constant"):
    setattr(_Trace, _name, _passed_on(_name))
for _name in (
    "run_own_op", "run_graph", "read_by_strides", "note_alias", "change_memory", "change_history", "detach_in_place", "note_hook",
    "read_gradient", "write_gradient", "stepping", "step_schedule", "forbid",
):  # fmt: skip
    setattr(_Trace, _name, _refused)


class _Held:
    """What a lazy tensor of a trace holds."""

    def __init__(self, meta: TensorMeta, value: _Value) -> None:
        self.meta = meta
        self.value = value


def _operation(
    op: Any, given: list[Any], results: list[_Value], metas: tuple[TensorMeta, ...], dynamic: tuple[Any, ...]
) -> Operation:
    if op.name in MOVES:
        compute, target = metas[0].dtype.compute, "arithmetic.identity"
    else:
        compute, target = operand_dtypes(op.definition, metas, classes(dynamic))[0].compute, op.definition.target
    arguments = [(ABSENT, compute) if v is None else (v.name, v.dtype.compute) for v in given]
    arguments += [(_typed(number, compute), compute) for number in dynamic]
    return Operation(target, [(v.name, v.dtype) for v in results], arguments, compute)


def _is_read(node: Any) -> bool:
    """Whether a node reads a tensor."""
    return node[0] is None or node[0].name == INDEX


def _typed(number: Any, dtype: DType) -> str:
    """A number of a type, as a kernel's argument has: functions ask for it, and integers of few bits wrap round."""
    if dtype.is_floating_point:
        return f"tl.full((), {_literal(number)}, tl.{_computed(dtype)})"
    return f"tl.full((), {int(number)}, tl.int64).to(tl.{_computed(dtype)})"


def _literal(number: Any) -> str:
    return repr(number) if number == number and abs(number) != float("inf") else f'float("{number}")'


def _computed(dtype: DType) -> str:
    return "int8" if dtype is dtypes.bool_ else dtype.compute.name


def _is_broadcast(meta: TensorMeta, own: tuple[int, ...]) -> bool:
    """Whether a view repeats a tensor along dimensions of size 1."""
    own = (1,) * (meta.ndim - len(own)) + tuple(own)
    return len(own) == meta.ndim and all(
        n == size or (size == 1 and step == 0) for n, size, step in zip(meta.shape, own, meta.stride)
    )
