"""Launch operands: refused when they mean nothing, resolved to types and positions by the plan that they belong to."""

from __future__ import annotations

from typing import Any

import pytest

import tritonflow as flow
from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops import operands
from tritonflow.ops.operands import (
    ERROR_WORD,
    Argument,
    Input,
    Output,
    Scalar,
    Workspace,
    flatten,
    optional,
    resolve,
)
from tritonflow.ops.plan import Launch, Plan, argument_types

X = contiguous_meta((4,), flow.float32, flow.device("cpu"))
Y = contiguous_meta((4,), flow.int64, flow.device("cpu"))


def plan() -> Plan:
    return Plan((X, None), (Y,), [], workspaces=[(3, flow.float64)])


def test_types_and_positions() -> None:
    operands = (Input(0), None, (Output(0).plus(8), Workspace(0)), Scalar(1, flow.float16), ERROR_WORD)
    types, _ = argument_types(plan(), Launch(None, (1,), operands))
    assert types == ("*fp32", None, ("*i64", "*fp64"), "fp16", "*i32")
    arguments = resolve(operands, plan().counts)
    assert arguments == [Argument(0, 0), Argument(2, 8), Argument(3, 0), Argument(5, 0), Argument(-1, 0)]


def test_alignment() -> None:
    unaligned = Plan((TensorMeta.get((4,), (1,), flow.float32, X.device, aligned=False),), (Y,), [])
    assert Input(0).is_aligned(plan()) and not Input(0).is_aligned(unaligned)
    assert Output(0).plus(32).is_aligned(plan()) and not Output(0).plus(8).is_aligned(plan())
    assert Workspace(0).is_aligned(plan())
    assert not ERROR_WORD.is_aligned(plan()) and not Scalar(0, flow.int64).is_aligned(plan())


def test_operands_of_different_kinds_differ() -> None:
    assert len({Input(0), Output(0), Workspace(0), Input(0).plus(16), Scalar(0, flow.float32), ERROR_WORD}) == 6
    assert len({Scalar(0, flow.float32), Scalar(0, flow.float64), Scalar(1, flow.float32)}) == 3


class _Missed(dict[Any, Any]):
    """A cache in which several threads look before one has filled it."""

    def get(self, key: Any, default: Any = None) -> Any:
        return default


def test_equal_operands_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Input(1) is Input(1) is Input.several(2)[1]
    assert Scalar(1, flow.float32) is Scalar.several(2, flow.float32)[1]
    assert Output(0).plus(8) == Output(0).plus(8) != Output(0).plus(16)
    assert Output(0).plus(0) is Output(0)
    monkeypatch.setattr(operands, "_interned", _Missed(operands._interned))
    assert Input(1) is Input(1) is Input.several(2)[1]


def test_several_and_optional() -> None:
    assert Workspace.several(2, first=3) == (Workspace(3), Workspace(4))
    assert optional(None, Input(1)) == () and optional(X, Input(1)) == (Input(1),)
    assert flatten([Input(0), None, ((Output(0),), ())]) == [Input(0), Output(0)]


@pytest.mark.parametrize("kind", [Input, Output, Workspace])
def test_bad_addresses_are_refused(kind: Any) -> None:
    assert kind(1)
    for bad in ("i0", 1.0, True, None):
        with pytest.raises(ArgumentTypeError, match=f"{kind.__name__}'s number must be an integer"):
            kind(bad)
    with pytest.raises(ArgumentValueError, match="must not be negative"):
        kind(-1)
    with pytest.raises(ArgumentTypeError, match="an address's offset must be an integer"):
        kind(0).plus("64")
    with pytest.raises(ArgumentValueError, match="must not be negative"):
        kind(0).plus(-8)


def test_bad_scalars_are_refused() -> None:
    assert Scalar(1, flow.float32)
    for number, dtype in (("0", flow.float32), (1.0, flow.float32), (0, "fp32"), (0, None)):
        with pytest.raises(ArgumentTypeError, match="Scalar's (number|dtype) must be a"):
            Scalar(number, dtype)  # type: ignore[arg-type]
    with pytest.raises(ArgumentValueError, match="must not be negative"):
        Scalar(-1, flow.float32)


@pytest.mark.parametrize("operand", [Input(2), Output(1), Workspace(1)])
def test_what_a_plan_does_not_have_is_refused(operand: Any) -> None:
    with pytest.raises(
        ArgumentValueError, match=r"a launch takes .*number=.*, its plan has Counts\(inputs=2, outputs=1"
    ):
        plan().argument_type(operand)


def test_an_absent_input_has_no_address() -> None:
    with pytest.raises(ArgumentValueError, match="is absent"):
        plan().argument_type(Input(1))


def test_an_operand_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Input(0).number = 1  # type: ignore[misc]
    assert Input(0).number == 0
