"""kernels/ctc.py against torch's ctc_loss in float64."""

import pytest
import torch

from tests.kernels.harness import BACKENDS, kernels, run

module = kernels("ctc")


def _run(backend, log_probs, labels, time, count, blank, zero_infinity, states=None):
    """(losses, alpha, gradient of their sum, error word)."""
    steps, samples, classes = log_probs.shape
    longest = labels.shape[1]
    width = 2 * longest + 1
    time, count = torch.tensor(time), torch.tensor(count)
    floats = lambda *shape: torch.full(shape, 7.0, dtype=log_probs.dtype)
    loss, alpha, beta, shares = floats(samples), floats(samples, steps, width), floats(samples, 2, width), floats(samples, steps, width)
    classes_of, err = torch.zeros(samples, width, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
    sizes = tuple(int(n) for n in (blank, steps, samples, classes, longest))
    block = {"STATES": states} if states else module.state_block(longest)
    given = (log_probs, labels, time, count)
    run(backend, module.ctc_alpha, (samples,), (*given, loss, alpha, classes_of, err, *sizes), {"ZERO_INFINITY": zero_infinity, **block})
    run(backend, module.ctc_beta, (samples,), (*given, alpha, beta, shares, classes_of, err, *sizes), block)
    dx, dy = floats(*log_probs.shape), torch.ones(samples, dtype=log_probs.dtype)
    blocks = module.gradient_blocks(classes)
    grid = (samples * -(-steps // blocks["TIMES"]),)
    operands = (dy, log_probs, time, count, alpha, shares, classes_of, dx)
    run(backend, module.ctc_gradient, grid, (*operands, *sizes), {"ZERO_INFINITY": zero_infinity, **blocks})
    return loss, alpha, dx, err


def _check(backend, dtype, labels, time, count, *, steps, classes, blank=0, zero_infinity=False, states=None):
    labels = torch.tensor(labels) if isinstance(labels, list) else labels
    log_probs = torch.randn(steps, len(labels), classes, dtype=dtype).log_softmax(-1)
    loss, _, dx, err = _run(backend, log_probs, labels, time, count, blank, zero_infinity, states)
    exact = log_probs.double().requires_grad_()
    expected = torch.nn.functional.ctc_loss(exact, labels, time, count, blank, "none", zero_infinity)
    expected.sum().backward()
    tolerance = 1e-10 if dtype is torch.float64 else 2e-4
    torch.testing.assert_close(loss.double(), expected.detach(), rtol=tolerance, atol=tolerance)
    torch.testing.assert_close(dx.double(), exact.grad, rtol=tolerance, atol=tolerance, equal_nan=True)
    assert err.item() == 0


LABELS = [[1, 2, 2], [3, 1, 3], [2, 4, 1]]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_lengths_of_all_kinds(backend, dtype):
    _check(backend, dtype, LABELS, (7, 6, 5), (3, 2, 0), steps=7, classes=5)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("zero_infinity", [False, True])
def test_targets_that_do_not_fit(backend, zero_infinity):
    """Their loss is infinite and their gradient NaN, or both are 0; an empty input fits an empty target."""
    _check(backend, torch.float32, LABELS, (2, 0, 0), (3, 2, 0), steps=7, classes=5, zero_infinity=zero_infinity)


@pytest.mark.parametrize("backend", BACKENDS)
def test_more_states_than_a_block_has_and_repeated_labels(backend):
    labels = torch.randint(0, 3, (2, 12))
    _check(backend, torch.float64, labels, (40, 37), (12, 9), steps=40, classes=37, blank=3, states=16)


@pytest.mark.parametrize("backend", BACKENDS)
def test_labels_that_are_no_classes_are_reported(backend):
    log_probs = torch.zeros(4, 1, 5)
    for label in (5, -1):
        *_, err = _run(backend, log_probs, torch.tensor([[1, label]]), [4], [2], 0, False)
        assert err.item() == 1
    *_, err = _run(backend, log_probs, torch.tensor([[1, 9]]), [4], [1], 0, False)
    assert err.item() == 0, "what is behind a target is never read"


@pytest.mark.parametrize("backend", BACKENDS)
def test_alpha_is_written_everywhere(backend):
    """What no program reads is -infinity, so that results on several ranks are equal."""
    log_probs = torch.randn(6, 2, 4).log_softmax(-1)
    _, alpha, _, _ = _run(backend, log_probs, torch.tensor([[1, 2], [3, 0]]), [6, 4], [2, 1], 0, False)
    assert (alpha[1, 4:] == -torch.inf).all() and (alpha[1, :, 3:] == -torch.inf).all()
