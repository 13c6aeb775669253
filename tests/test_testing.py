"""assert_close accepts what is close and says how what is not differs."""

from __future__ import annotations

import math

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow.testing import TOLERANCES, assert_close, in_float64, reference, tolerance


def test_the_table_is_complete():
    for op_class, row in TOLERANCES.items():
        assert list(row) == ["float16", "bfloat16", "float32", "float64"], op_class
        for limit in row.values():
            assert 0 <= limit.rtol < 0.1 and 0 <= limit.atol < 0.1
    assert tolerance(flow.float32, "matmul") == TOLERANCES["matmul"]["float32"]
    assert tolerance("int64") == (0, 0)
    with pytest.raises(ValueError, match="there are: exact, pointwise"):
        tolerance("float32", "nothing")


def test_close():
    x = flow.tensor([1.0, 2.0, math.inf])
    assert_close(x, x)
    assert_close(x, torch.tensor([1.0, 2.0000001, math.inf]))
    assert_close(x, [1.0, 2.0, math.inf])
    assert_close({"a": [x, x]}, {"a": [x, torch.tensor([1.0, 2.0, math.inf])]})
    assert_close(3, 3)
    assert_close(math.nan, math.nan, equal_nan=True)
    assert_close(flow.tensor([1, 2]), torch.tensor([1, 2]))
    assert_close(flow.ones(2), torch.tensor([1.0, 1.1]), rtol=0, atol=0.2)
    assert_close(torch.tensor([1.5, -2.0]).bfloat16(), numpy.array([1.5, -2.0]), check_dtype=False)


@pytest.mark.parametrize(
    ("actual", "expected", "text"),
    [
        ([1.0, 2.0], [1.0, 3.0], r"Mismatched elements: 1 / 2 \(50.0%\)(.|\n)*difference: 1.0 at index \(1,\)"),
        ([1.0], [1.0, 3.0], r"'shape' do not match: \(1,\) != \(2,\)"),
        (math.nan, math.nan, "not close"),
        (math.inf, -math.inf, "not close"),
        (1.0, math.inf, "not close"),
        (2**60, 2**60 + 1, "not equal"),
        ({"a": 1}, {"b": 1}, "keys"),
        ([torch.ones(1)], [torch.ones(1)] * 2, "length"),
        ({"a": [torch.ones(1)]}, {"a": [torch.zeros(1)]}, r"item \[0\](.|\n)*item \['a'\]"),
        (torch.ones(1), torch.ones(1).double(), "'dtype' do not match: float32 != float64"),
        (torch.tensor([True]), torch.tensor([False]), "not equal"),
    ],
)
def test_not_close(actual, expected, text):
    with pytest.raises(AssertionError, match=text):
        assert_close(actual, expected)


def test_references_allow_for_roundings_of_what_cancels():
    x = torch.tensor([1e4, 1.0, -1e4])
    assert_close(torch.tensor(1.004), reference(torch.sum, x), op_class="reduction")
    for wrong, expected in ((1.02, reference(torch.sum, x)), (1.004, reference(torch.sum, x.abs()[1:2])), (1.004, in_float64(x.double().sum()))):
        with pytest.raises(AssertionError, match="not close"):
            assert_close(torch.tensor(wrong), expected, op_class="reduction")


def test_references_have_the_range_and_the_dtype_of_what_is_in_question():
    assert_close(torch.tensor([math.inf, 1.0]).half(), in_float64(torch.tensor([1e5, 1.0]).double(), torch.float16))
    with pytest.raises(AssertionError, match="'dtype' do not match: float32 != float16"):
        assert_close(torch.ones(1), in_float64(torch.ones(1).double(), torch.float16))
    with pytest.raises(TypeError, match="computed in float64, not in torch.float32"):
        in_float64(torch.ones(1))


def test_wrong_use():
    with pytest.raises(ValueError, match="both"):
        assert_close(1, 1, rtol=0.1)
    with pytest.raises(TypeError):
        assert_close("a", "a")
    with pytest.raises(AssertionError, match="^mine$"):
        assert_close(1, 2, msg="mine")
    with pytest.raises(AssertionError, match="^mine: Scalars"):
        assert_close(1, 2, msg=lambda text: "mine: " + text)
