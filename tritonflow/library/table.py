"""The table of ops of one's own, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tritonflow.library.custom_op import CustomOp

ops: dict[str, CustomOp] = {}


def find_op(name: str) -> CustomOp | None:
    """The op of a name such as "mine::scale"."""
    return ops.get(name)


def put(op: CustomOp) -> None:
    """Enter an op that was made by hand."""
    ops[op._qualname] = op
