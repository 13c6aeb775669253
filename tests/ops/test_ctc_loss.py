"""What the registry's samples of ctc_loss do not say: derivatives through log_softmax, and wrong labels."""

from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.errors import IndexOutOfRangeError

LABELS = [[1, 2, 2], [3, 1, 3], [2, 4, 1]]


def _loss(x: flow.Tensor, *arguments: Any) -> flow.Tensor:
    return flow.nn.functional.ctc_loss(x.log_softmax(-1), flow.tensor(LABELS), (7, 6, 5), (3, 2, 0), *arguments)


@pytest.mark.parametrize("reduction", ["none", "mean"])
def test_gradcheck_through_log_softmax(reduction: str) -> None:
    """The gradient of the loss alone has e^log_probs more than the derivative, as torch's; log_softmax takes it away."""
    x = flow.randn(7, 3, 5, dtype=flow.float64).requires_grad_()
    assert flow.autograd.gradcheck(lambda x: _loss(x, 0, reduction), (x,))


def test_a_second_derivative_is_refused_in_torchs_words() -> None:
    x = flow.randn(7, 3, 5).requires_grad_()
    (first,) = flow.autograd.grad(_loss(x), x, create_graph=True)
    with pytest.raises(RuntimeError, match="derivative for 'aten::_ctc_loss_backward' is not implemented"):
        flow.autograd.grad(first.square().sum(), x)


@pytest.mark.parametrize("label", [5, -1])
def test_a_label_that_is_no_class(label: int) -> None:
    """Torch reads some other memory; here the call says so. What is behind a target's length may be anything."""
    log_probs, targets = flow.zeros(4, 1, 5), flow.tensor([[1, label]])
    with pytest.raises(IndexOutOfRangeError, match="targets must be class indices in"):
        flow.nn.functional.ctc_loss(log_probs, targets, (4,), (2,)).item()
    theirs = torch.nn.functional.ctc_loss(torch.zeros(4, 1, 5), torch.tensor([[1, 0]]), (4,), (1,))
    assert flow.nn.functional.ctc_loss(log_probs, targets, (4,), (1,)).item() == pytest.approx(theirs.item())


def test_int32_targets_and_an_input_whose_steps_are_not_contiguous() -> None:
    x = torch.randn(3, 7, 5).log_softmax(-1)
    expected = torch.nn.functional.ctc_loss(x.transpose(0, 1), torch.tensor(LABELS), (7, 6, 5), (3, 2, 0))
    ours = flow.from_torch(x).transpose(0, 1)
    found = flow.nn.functional.ctc_loss(ours, flow.tensor(LABELS, dtype=flow.int32), (7, 6, 5), (3, 2, 0))
    assert found.item() == pytest.approx(expected.item(), rel=1e-5)
