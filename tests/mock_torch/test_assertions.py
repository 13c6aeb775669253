"""`torch._assert` with a text that is made of what it asserts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tritonflow as flow


def test_texts_are_made_where_the_assertion_fails(write: Callable) -> None:
    write(
        mt_asserting="""
            import torch

            made = []

            def text(x):
                made.append(x)
                return "wrong"

            def check(x, y=None):
                torch._assert(x > 2, f"x is {text(x)}")
                torch._assert(x < 9, "too large")
                if y is not None:
                    torch._assert(
                        len(y.shape) == 2 and y.shape[-1] == 4,
                        f"expected [N, 4], got {y.shape}",
                    )
                    return y.sum() / y.shape[0]
        """
    )
    with flow.mock_torch.enable():
        import mt_asserting
    mt_asserting.check(3)
    assert mt_asserting.made == []
    with pytest.raises(AssertionError, match="x is wrong") as raised:
        mt_asserting.check(1)
    assert mt_asserting.made == [1]
    assert raised.traceback[1].lineno + 1 == 11  # the line of the statement
    with pytest.raises(AssertionError, match="too large"):
        mt_asserting.check(10)
    with pytest.raises(AssertionError, match=r"expected \[N, 4\], got .*\[3, 5\]"):
        mt_asserting.check(3, flow.ones(3, 5))


def test_one_program_for_all_sizes(write: Callable) -> None:
    write(
        mt_boxes="""
            import torch

            def mean(boxes):
                torch._assert(len(boxes.shape) == 2 and boxes.shape[-1] == 4, f"expected [N, 4], got {boxes.shape}")
                return boxes.sum() / boxes.shape[0]
        """
    )
    with flow.mock_torch.enable():
        from mt_boxes import mean
    f = flow.compile(mean)
    assert [f(flow.ones(n, 4)).item() for n in (2, 3, 5, 8, 13)] == [4.0] * 5
    assert len({id(captured.template) for captured in f.captures()}) == 2  # of the first size, and of all
