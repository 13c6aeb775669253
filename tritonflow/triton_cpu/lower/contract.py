"""A product and the sum it is added to, rounded once: `a * b + c` is one operation, `math.fma`.

It is decided here, on the kernel's operations, and LLVM may not fuse anything. LLVM's choice
depends on which instructions share a block. It would round one expression differently in two
kernels.

    %p = arith.mulf %a, %b
    %s = arith.addf %p, %c        ->        %s = math.fma %a, %b, %c
"""

from __future__ import annotations

from tritonflow.triton_cpu.ir import Block, Function, Op, Value

_ONCE_ROUNDED = ("f32", "f64")  # smaller types are rounded behind every operation


def contract(function: Function) -> None:
    """Rewrite the operations of a function, also within loops and the functions of reductions."""
    for block in function.blocks:
        _contract_block(block)


def _contract_block(block: Block) -> None:
    for op in block.ops:
        for region in op.regions:
            _contract_block(region)
    ops: list[Op] = []
    for op in block.ops:
        if op.name in ("arith.addf", "arith.subf"):
            ops += _with_product(op)
        ops.append(op)
    block.ops[:] = [op for op in ops if op.name != "arith.mulf" or op.result.users]


def factors(value: Value, user: Op) -> tuple[Value, Value] | None:
    """The operands of a product that only `user` reads, in the same block.

    None for another value.
    """
    op = value.op
    if op is None or op.name != "arith.mulf" or value.type.elem not in _ONCE_ROUNDED or value.users != [user]:
        return None
    return (op.operands[0], op.operands[1]) if op.block is user.block else None


def _with_product(op: Op) -> list[Op]:
    """Make `op` an fma, if one of its operands is a product. The result goes in front of it.

    A sum of two products stays as written. It must not depend on their order, and `a * b - b * a`
    is zero.
    """
    left, right = [factors(value, op) for value in op.operands]
    product = left or right
    if product is None or (left and right):
        return []
    (a, b), other = product, op.operands[1 if left else 0]
    negated: list[Op] = []
    if op.name == "arith.subf":
        negated = [_negation(other if left else a, op)]
        if left:
            other = negated[0].result
        else:
            a = negated[0].result
    _replace(op, "math.fma", [a, b, other])
    return negated


def _negation(value: Value, op: Op) -> Op:
    negation = Op("arith.negf", op.block, op.line, op.text, source=op.source)
    negation.results = [Value(f"-{value.name}", value.type, op.block, negation)]
    _replace(negation, "arith.negf", [value])
    return negation


def _replace(op: Op, name: str, operands: list[Value]) -> None:
    for operand in op.operands:
        operand.users.remove(op)
        if operand.op is not None and operand.op.name == "arith.mulf" and not operand.users:
            for factor in operand.op.operands:
                factor.users.remove(operand.op)
    op.name, op.operands = name, operands
    for operand in operands:
        operand.users.append(op)
