"""What is known about an op before it meets tensors: one frozen record per op, in the generated `registry`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

OWN_KERNEL = "kernel"  # an op whose kernel takes complex numbers as pairs, and needs no form


@dataclass(frozen=True)
class OpDef:
    """An op of the registry.

    Args:
        name: unique over all ops.
        inputs: names of the tensor inputs, in order; a variadic input is the last and stands for the rest.
        outputs: names of the outputs.
        attrs: names of the static attributes, part of a plan's key.
        dynamic: names of the run-time scalars, never part of the key except for their Python class.
        kind: "pointwise", "plan", "view", or "consistent": an op between local and consistent tensors, or between placements.
        target: for pointwise the scalar function as "file.function" under kernels/functions; its arguments are inputs,
            dynamic scalars, attributes (constexpr); for consistent "file.function" under tritonflow/interpreter, which carries it
            out; otherwise "file.function" of the planner under tritonflow/ops.
        optional: inputs that may be None.
        variadic: whether the last input is any number of tensors.
        result: dtype rule of a pointwise op: "promoted", "bool", "float" or the name of an input.
        dtypes: which dtypes are taken, as pairs (input, rule), or ("", rule) of what the operands of a pointwise op
            promote to; the rules are in `dtype_rules`.
        divisor: the input by which integers are divided, and which may hold no zero then.
        function: the functional name that users call, where it is not the op's.
        contiguous: inputs that the kernel wants contiguous.
        channels_last: whether those may be channels-last images as well.
        columns: names of the columns of the variadic input. Each has as many tensors as the first attribute says; the last columns
            may be absent.
        mut: inputs that are written, or columns.
        updates: the input of which the in-place form writes only some elements: its result is that input's memory.
        nondifferentiable: outputs that have no gradient.
        differentiable: inputs that the derivative has a formula for.
        saved: inputs and outputs whose data the derivative reads; `node.saved(k)` is the k-th.
        saved_for: for each saved name, the positions of the inputs whose gradients read it.
        inplace_saved: the same as `saved` for the in-place form, where that has a derivative of its own, or None.
        inplace: whether some signature has an in-place form, which overwrites the first input.
        tolerance: the class of `tritonflow.testing.TOLERANCES` that results are compared in.
        sbp: how it lies over ranks: "file.function" of a rule under ops/sbp, a factor string (it has "->"), or "broadcast"; "" for
            a consistent op.
        complex: its form for complex numbers, as "file.function" under rules/complex; OWN_KERNEL; "" where it takes none.
        batch: its rule under vmap, as "file.function" under rules/batch.
        split: what it is made of where a dimension that it reduces is split, as "file.function" under rules/split.
        composite: whether it has a decomposition, which graphs may put in its place.
        linear: of a pointwise op the sets of inputs, by position, in which it is linear: partial sums of them all give one.
        fusion: how graphs fuse it.
        prologue: whether products may apply the op to an element as they load it: it gives 0 of 0, and costs little.
        identity: the right operand that leaves the left one as it is, or None.
        selects: the input of which the op reads as many elements as its result has.
        storage: whether the op takes storage dtypes, too: it moves elements, or casts them.
        unsigned: whether the op takes uint16, uint32 and uint64, too, and computes with them.
        zero_second_derivative: whether the second derivative is zeros, and not absent, where its inputs require grad.
    """

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attrs: tuple[str, ...] = ()
    dynamic: tuple[str, ...] = ()
    kind: str = "pointwise"
    target: str = ""
    optional: tuple[str, ...] = ()
    variadic: bool = False
    result: str = "promoted"
    dtypes: tuple[tuple[str, str], ...] = ()
    divisor: str = ""
    function: str = ""
    contiguous: tuple[str, ...] = ()
    channels_last: bool = False
    columns: tuple[str, ...] = ()
    mut: tuple[str, ...] = ()
    updates: str = ""
    nondifferentiable: tuple[str, ...] = ()
    differentiable: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    saved_for: tuple[tuple[int, ...], ...] = ()
    inplace_saved: tuple[str, ...] | None = None
    inplace: bool = False
    tolerance: str = "pointwise"
    sbp: str = "pointwise.pointwise"
    complex: str = ""
    batch: str = "default.by_definition"
    split: str = ""
    composite: bool = False
    linear: tuple[tuple[int, ...], ...] = ()
    fusion: str = "pointwise"
    prologue: bool = False
    identity: int | None = None
    selects: str = ""
    storage: bool = False
    unsigned: bool = False
    zero_second_derivative: bool = False

    @property
    def is_view(self) -> bool:
        """Whether the op makes no kernel call, only another meta on the same memory."""
        return self.kind == "view"

    def rule_name(self, kind: str) -> str:
        """Which function is the op's rule of a kind (`rule.ROOMS`), as "file.function"; "" where it has none."""
        match kind:
            case "plan" | "consistent":
                return self.target
            case "derivative":
                return f"derivatives.{self.name}_backward" if self.differentiable else ""
            case "inplace_derivative":
                return "" if self.inplace_saved is None else f"derivatives.{self.name}_inplace_backward"
            case "decomposition":
                return f"decompositions.{self.name}" if self.composite else ""
            case _:
                return str(getattr(self, kind))


class OpTable(Mapping[str, OpDef]):
    """Ops by name. A definition is made when it is first asked for: an import asks for few of a thousand.

    Args:
        fields: the fields of each op, but for its name, where they are not the defaults.
    """

    def __init__(self, fields: dict[str, dict[str, Any]]) -> None:
        self._fields = fields
        self._made: dict[str, OpDef] = {}

    def __getitem__(self, name: str) -> OpDef:
        found = self._made.get(name)
        return self._made.setdefault(name, OpDef(name, **self._fields[name])) if found is None else found

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)
