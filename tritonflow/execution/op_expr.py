"""OpExpr: an op bound for dispatch.

It joins the op's definition (from the registry), the rules that it names, and its cache of plans.
There is one per op, made at import by whoever dispatches it.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from enum import Enum
from typing import Any, NamedTuple

from tritonflow.dtypes import default_dependents
from tritonflow.framework.meta import TensorMeta
from tritonflow.ops.dtype_rules import check_dtypes, check_storage, refuse_complex
from tritonflow.ops.elementwise import plan_pointwise
from tritonflow.ops.op_def import OWN_KERNEL, OpDef
from tritonflow.ops.plan import Plan
from tritonflow.ops.precision import policy_dependents
from tritonflow.ops.registry import OPS
from tritonflow.ops.rule import find_rule
from tritonflow.settings import settings


class SavedFrom(Enum):
    """Where a saved tensor is found: REST_OF_INPUTS are all from a position on, a variadic input."""

    INPUT = "input"
    OUTPUT = "output"
    OUTPUT_WITHOUT_GRADIENT = "output without gradient"
    REST_OF_INPUTS = "rest of inputs"


INPUT, OUTPUT, OUTPUT_WITHOUT_GRADIENT, REST_OF_INPUTS = SavedFrom


class SavedName(NamedTuple):
    """What a derivative reads.

    Attributes:
        source: whether it is an input or an output.
        position: among these.
        readers: the positions of the inputs whose gradients read it.
    """

    source: SavedFrom
    position: int
    readers: tuple[int, ...]


def plan_key(
    metas: Sequence[TensorMeta | None], attrs: tuple[Any, ...], kinds: tuple[type, ...] = (), out: TensorMeta | None = None
) -> Any:
    """What an op's plan is cached under: metas of the inputs, static attributes[, classes of the dynamic scalars[, meta of `out`]].

    The short roads of `execution/eager_local.py` write it out; what `apply` keeps is what they look for.
    """
    if out is not None:
        return (*metas, attrs, kinds, out)
    return (*metas, attrs, kinds) if kinds else (*metas, attrs)


class OpExpr:
    """An op, ready to be dispatched.

    `plans` maps keys (`plan_key`) to plans; for views, to (meta, byte offset, attributes). What users gave for attributes leads
    there, too (found_views.py, `eager_local.apply0`). It is bounded by two generations: when the young one is full it becomes the
    old one, and what is found in the old one is young again: nearly least-recently-used, at no cost on a hit.
    """

    __slots__ = (
        "name", "definition", "_rules", "plans", "_old_plans", "_limit", "is_view", "is_consistent",
        "saved_order", "inplace_saved_order", "single_output", "differentiable_outputs",
        "_mut_positions", "_mut_columns", "records1", "constants", "updates", "cleared",
    )  # fmt: skip

    def __init__(self, definition: OpDef, **rules: Any) -> None:
        self.name = definition.name
        self.definition = definition
        self._rules = rules  # by kind
        self.plans: dict[Any, Any] = {}
        self._old_plans: dict[Any, Any] = {}
        self._limit = settings.plan_cache_size
        self.cleared = 0  # how often plans were forgotten
        self.is_view = definition.kind == "view"
        self.is_consistent = definition.kind == "consistent"
        self.updates = bool(definition.updates)  # whether the in-place form writes other elements than it reads
        self.single_output = len(definition.outputs) == 1
        self.saved_order = self._order(definition.saved, definition.saved_for)
        inplace_saved = definition.inplace_saved
        self.inplace_saved_order = self.saved_order if inplace_saved is None else self._order(inplace_saved, ())
        self.differentiable_outputs = tuple(name not in definition.nondifferentiable for name in definition.outputs)
        self.records1 = self.differentiable_outputs[:1] == (True,)
        self._mut_positions = tuple([k for k, name in enumerate(definition.inputs) if name in definition.mut])
        self._mut_columns = tuple([k for k, name in enumerate(definition.columns) if name in definition.mut])
        # Inputs that the derivative has no formula for, as the weights of nll_loss: that they require grad is an error.
        known = definition.differentiable
        self.constants = tuple(k for k, n in enumerate(definition.inputs) if known and n not in known)

    def rule(self, kind: str) -> Any:
        """The op's rule of a kind: "plan", "derivative", "complex" ... (`ops/rule.py` has all), or None if it has none.

        It was given to the op, or is the function that the definition names, which is found when first asked for.
        """
        try:
            return self._rules[kind]
        except KeyError:
            name = self.definition.rule_name(kind)
            found = self._rules[kind] = find_rule(kind, name) if name else None
            return found

    def _order(self, names: tuple[str, ...], readers: tuple[tuple[int, ...], ...]) -> tuple[SavedName, ...]:
        """Where the tensors that the derivative reads are found, in the order in which a node saves them."""
        everyone = tuple(range(len(self.definition.inputs)))
        return tuple([self._saved_name(n, by) for n, by in zip(names, readers or (everyone,) * len(names))])

    def _saved_name(self, name: str, readers: tuple[int, ...]) -> SavedName:
        definition = self.definition
        if name in definition.inputs:
            position = definition.inputs.index(name)
            variadic = definition.variadic and position == len(definition.inputs) - 1
            return SavedName(REST_OF_INPUTS if variadic else INPUT, position, readers)
        source = OUTPUT_WITHOUT_GRADIENT if name in definition.nondifferentiable else OUTPUT
        return SavedName(source, definition.outputs.index(name), readers)

    def written(self, inputs: tuple[Any, ...], attrs: tuple[Any, ...]) -> tuple[int, ...]:
        """The positions of the inputs that the op writes.

        A variadic input's name stands for all from its position on, a column's name for the tensors of that column.
        """
        positions, names = self._mut_positions, self.definition.inputs
        if self._mut_columns:
            return self._written_columns(len(inputs), attrs[0])
        if not positions:
            return ()
        if len(inputs) == len(names):
            for k in positions:
                if inputs[k] is None:
                    break
            else:
                return positions
        mut, last = self.definition.mut, len(names) - 1
        return tuple([k for k, value in enumerate(inputs) if value is not None and names[min(k, last)] in mut])

    def _written_columns(self, given: int, count: int) -> tuple[int, ...]:
        first = len(self.definition.inputs) - 1
        starts = [first + k * count for k in self._mut_columns]
        return tuple([position for start in starts if start < given for position in range(start, start + count)])

    def miss(self, key: Any) -> Any:
        """What the young generation does not have: from the old one, or None."""
        cleared = self.cleared
        found = self._old_plans.get(key)
        if found is not None:
            self.keep(key, found, cleared)
        return found

    def keep(self, key: Any, plan: Any, cleared: int | None = None) -> None:
        """Add a plan to the young generation, unless plans were forgotten since `cleared` was read."""
        with _lock:
            if cleared is not None and cleared != self.cleared:
                return
            if len(self.plans) >= self._limit:
                self._old_plans = self.plans
                self.plans = {}
            self.plans[key] = plan

    def plan(
        self,
        metas: tuple[TensorMeta | None, ...],
        attrs: tuple[Any, ...],
        kinds: tuple[type, ...] = (),
        out: TensorMeta | None = None,
        **fused: Any,
    ) -> Any:
        """Ask the planner.

        Args:
            metas: those of the inputs.
            attrs: the static attributes.
            kinds: of a pointwise op the classes of its dynamic scalars.
            out: of a pointwise op the meta of the tensor that it is written over.
            fused: what a kernel of another planner does besides, or in which layout, as its planner says.

        Raises:
            NotImplementedError: the op does not take a dtype of the inputs.
        """
        definition = self.definition
        if definition.dtypes:
            check_dtypes(definition, metas, kinds)
        if not self.is_view and definition.complex != OWN_KERNEL:
            refuse_complex(definition, metas, attrs, kinds, out)
        if not definition.storage:
            check_storage(definition, metas, attrs, kinds)
        if definition.kind == "pointwise":
            return plan_pointwise(definition, metas, attrs, kinds, out, **fused)
        return self.rule("plan")(definition, metas, attrs, **fused)

    def clear_plans(self) -> None:
        """Forget every plan, as after a change of the VM's mode. What another thread is planning is not added."""
        with _lock:
            self.cleared += 1
            self.plans = {}
            self._old_plans = {}

    @property
    def plan_count(self) -> int:
        """How many plans are cached."""
        return len(self.plans.keys() | self._old_plans.keys())

    def __repr__(self) -> str:
        return f"OpExpr({self.name})"


_exprs: dict[str, OpExpr] = {}
_lock = threading.RLock()  # of changes of any op's plans


def op_expr(name: str) -> OpExpr:
    """The OpExpr of an op of the registry.

    Raises:
        KeyError: the registry has no such op.
    """
    found = _exprs.get(name)
    if found is None:
        found = _exprs.setdefault(name, OpExpr(OPS[name]))
    return found


def all_op_exprs() -> list[OpExpr]:
    """The ops dispatched so far."""
    return list(_exprs.values())


def _clear_all_plans() -> None:
    for expr in all_op_exprs():
        expr.clear_plans()


default_dependents.append(_clear_all_plans)  # integers divided have the default dtype
policy_dependents.append(_clear_all_plans)

__all__ = ["OpExpr", "Plan", "all_op_exprs", "op_expr"]
