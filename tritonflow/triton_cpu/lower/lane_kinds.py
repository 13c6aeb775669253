"""Which values are uniform or affine on every chunk, told from the operations alone.

A chunk is assumed to be at most 32 neighbours along the last dimension. Its first position is a
multiple of their number.
"""

from __future__ import annotations

from tritonflow.triton_cpu.ir import Op, Value

UNIFORM, AFFINE, VECTOR = 0, 1, 2
_LEAST_DIVISOR = 8  # by smaller ones, lanes of one chunk have several quotients
_VIEWS = frozenset("tt.splat tt.expand_dims tt.broadcast tt.trans tt.reshape".split())
_SUMS = frozenset("arith.addi arith.subi tt.addptr arith.extsi arith.index_cast".split())
_QUOTIENTS, _REMAINDERS = ("arith.divsi", "arith.divui"), ("arith.remsi", "arith.remui")
_OTHERS = frozenset(
    "arith.muli arith.andi arith.ori arith.minsi arith.maxsi arith.select arith.cmpi arith.trunci".split()
)


class LaneKinds:
    """The kind of each value's lanes: UNIFORM, AFFINE or VECTOR."""

    def __init__(self) -> None:
        self.known: dict[Value, int] = {}

    def of(self, value: Value) -> int:
        """The kind of a value."""
        if value not in self.known:
            self.known[value] = self._find(value)
        return self.known[value]

    def _find(self, value: Value) -> int:
        op = value.op
        if not value.type.is_tensor:
            return UNIFORM
        if op is None:
            return VECTOR
        if op.name == "arith.constant":
            return UNIFORM
        if op.name == "tt.make_range":
            return AFFINE
        if op.name in _QUOTIENTS or op.name in _REMAINDERS:
            return self._division(op)
        if op.name not in _VIEWS and op.name not in _SUMS and op.name not in _OTHERS:
            return VECTOR
        kinds = [self.of(operand) for operand in op.operands]
        if op.name in _VIEWS or op.name in _SUMS or max(kinds) == UNIFORM:
            return max(kinds)
        return AFFINE if op.name == "arith.muli" and sorted(kinds) == [UNIFORM, AFFINE] else VECTOR

    def _division(self, op: Op) -> int:
        left, right = op.operands
        if self.of(left) == UNIFORM and self.of(right) == UNIFORM:
            return UNIFORM
        divisor = row_length(op.result)
        if divisor is None or divisor < _LEAST_DIVISOR:
            return VECTOR
        return UNIFORM if op.name in _QUOTIENTS else AFFINE


def row_length(value: Value) -> int | None:
    """n of `range // n` and `range % n`, for a power of two: the range cut in rows."""
    op = value.op
    if op is None or (op.name not in _QUOTIENTS and op.name not in _REMAINDERS) or not is_range(op.operands[0]):
        return None
    divisor = constant_of(op.operands[1])
    return divisor if divisor is not None and divisor > 0 and divisor & (divisor - 1) == 0 else None


def is_range(value: Value) -> bool:
    """0, 1, 2, ... along one dimension."""
    op = value.op
    while op is not None and op.name in ("tt.expand_dims", "tt.broadcast"):
        op = op.operands[0].op
    return op is not None and op.name == "tt.make_range" and int(op.attrs["start"]) == 0


def constant_of(value: Value) -> int | None:
    """The constant that all elements are, or None."""
    op = value.op
    while op is not None and op.name in ("tt.splat", "tt.broadcast", "tt.expand_dims"):
        op = op.operands[0].op
    if op is None or op.name != "arith.constant" or not op.attrs["value"].lstrip("-").isdigit():
        return None
    return int(op.attrs["value"])


def is_index(value: Value) -> bool:
    """Whether an address is computed from an integer, or may be behind control flow."""
    seen: set[Value] = set()
    stack = [value]
    while stack:
        value = stack.pop()
        seen.add(value)
        for user in value.users:
            if user.name == "tt.addptr" or user.name.startswith(("scf.", "cf.", "tt.call", "tt.return")):
                return True
            if user.name not in ("arith.cmpi", "tt.load"):
                stack.extend(result for result in user.results if result not in seen)
    return False
