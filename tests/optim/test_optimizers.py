"""flow.optim against torch.optim: trajectories, state dictionaries, groups, errors."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow

SHAPES = [(3,), (20, 30), (), (0,), (2, 3, 4)]
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.5, "maximize": True}),
    ("Adam", {"lr": 0.1}),
    ("Adam", {"lr": 0.1, "weight_decay": 0.1, "amsgrad": True}),
    ("AdamW", {"lr": 0.1, "betas": (0.8, 0.9)}),
    ("AdamW", {"lr": 0.1, "maximize": True, "eps": 1e-4}),
]


def pairs(rng: numpy.random.Generator, dtype: str = "float32") -> tuple[list[Any], list[Any]]:
    """The same parameters for both; torch's are float64, so that its own rounding is no part of a comparison."""
    values = [numpy.asarray(rng.standard_normal(shape), dtype) for shape in SHAPES]
    mine = [flow.tensor(v, requires_grad=True) for v in values]
    return [torch.tensor(v).double().requires_grad_() for v in values], mine


def set_gradients(rng: numpy.random.Generator, theirs: list[Any], mine: list[Any], skip: int | None = None) -> None:
    for number, (p, q) in enumerate(zip(theirs, mine)):
        if number == skip:
            p.grad = q.grad = None
            continue
        q.grad = flow.tensor(numpy.asarray(rng.standard_normal(p.shape), q.dtype.name))
        p.grad = flow.to_torch(q.grad).cpu().double()


def assert_same(theirs: list[Any], mine: list[Any], tolerance: float = 2e-6) -> None:
    for p, q in zip(theirs, mine):
        numpy.testing.assert_allclose(q.detach().numpy(), p.detach().numpy(), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(("kind", "options"), KINDS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_trajectory(rng: numpy.random.Generator, kind: str, options: dict[str, Any], dtype: str) -> None:
    theirs, mine = pairs(rng, dtype)
    reference, optimizer = getattr(torch.optim, kind)(theirs, **options), getattr(flow.optim, kind)(mine, **options)
    for step in range(4):
        set_gradients(rng, theirs, mine, skip=0 if step == 1 else None)
        reference.step()
        optimizer.step()
    assert_same(theirs, mine, 2e-6 if dtype == "float32" else 1e-12)


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_state_dict_has_the_layout_of_the_reference(
    rng: numpy.random.Generator, kind: str, options: dict[str, Any]
) -> None:
    theirs, mine = pairs(rng)
    reference, optimizer = getattr(torch.optim, kind)(theirs, **options), getattr(flow.optim, kind)(mine, **options)
    for _ in range(2):
        set_gradients(rng, theirs, mine)
        reference.step()
        optimizer.step()
    expected, got = reference.state_dict(), optimizer.state_dict()
    assert got["state"].keys() == expected["state"].keys()
    assert [g.keys() for g in got["param_groups"]] == [g.keys() for g in expected["param_groups"]]
    for number, values in expected["state"].items():
        assert got["state"][number].keys() == values.keys()
        for name, value in values.items():
            if value is not None:
                numpy.testing.assert_allclose(got["state"][number][name].numpy(), value.numpy(), rtol=1e-5, atol=1e-6)


def test_a_loaded_state_goes_on_where_it_was(rng: numpy.random.Generator) -> None:
    theirs, mine = pairs(rng)
    reference, optimizer = torch.optim.AdamW(theirs, lr=0.1), flow.optim.AdamW(mine, lr=0.1)
    set_gradients(rng, theirs, mine)
    reference.step()
    optimizer.step()
    other = flow.optim.AdamW(mine, lr=5.0)
    other.load_state_dict(optimizer.state_dict())
    set_gradients(rng, theirs, mine)
    reference.step()
    other.step()
    assert_same(theirs, mine)


def test_adam_without_bias_correction(rng: numpy.random.Generator) -> None:
    """OneFlow's option: m and v as they are, which a first step shows."""
    p = flow.ones(3, requires_grad=True)
    p.grad = flow.tensor([1.0, -2.0, 0.5])
    flow.optim.Adam([p], lr=0.1, do_bias_correction=False, eps=0.0).step()
    expected = 1 - 0.1 * numpy.sign([1, -2, 0.5]) * 0.1 / numpy.sqrt(0.001)
    numpy.testing.assert_allclose(p.detach().numpy(), expected, rtol=1e-5)


def test_groups_have_options_of_their_own(rng: numpy.random.Generator) -> None:
    theirs, mine = pairs(rng)
    groups = [[{"params": ps[:2]}, {"params": ps[2:], "lr": 0.5, "momentum": 0.0}] for ps in (theirs, mine)]
    reference = torch.optim.SGD(groups[0], lr=0.1, momentum=0.9)
    optimizer = flow.optim.SGD(groups[1], lr=0.1, momentum=0.9)
    for _ in range(3):
        set_gradients(rng, theirs, mine)
        reference.step()
        optimizer.step()
    assert_same(theirs, mine)


def test_gradients_that_are_not_contiguous(rng: numpy.random.Generator) -> None:
    value, gradient = rng.standard_normal((4, 5)).astype("f"), rng.standard_normal((5, 4)).astype("f")
    p = flow.tensor(value, requires_grad=True)
    p.grad = flow.tensor(gradient).t()
    flow.optim.SGD([p], lr=0.5).step()
    numpy.testing.assert_allclose(p.detach().numpy(), value - 0.5 * gradient.T, rtol=1e-6, atol=1e-6)


def test_closure_and_its_result() -> None:
    p = flow.ones(3, requires_grad=True)
    optimizer = flow.optim.SGD([p], lr=0.1)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (p * p).sum()
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == 3.0
    numpy.testing.assert_allclose(p.detach().numpy(), [0.8] * 3, rtol=1e-6)


@pytest.mark.parametrize("set_to_none", [True, False])
def test_zero_grad(set_to_none: bool) -> None:
    p = flow.ones(3, requires_grad=True)
    p.sum().backward()
    flow.optim.SGD([p], lr=0.1).zero_grad(set_to_none)
    assert p.grad is None if set_to_none else p.grad.tolist() == [0.0] * 3


def test_step_changes_the_version_of_what_was_saved() -> None:
    p = flow.ones(3, requires_grad=True)
    loss = (p * p).sum()
    p.grad = flow.ones(3)
    flow.optim.SGD([p], lr=0.1).step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


@pytest.mark.parametrize(
    ("make", "states"),
    [
        (lambda p: flow.optim.SGD([p], lr=0.1), ()),
        (lambda p: flow.optim.SGD([p], lr=0.1, momentum=0.9), ("momentum_buffer",)),
        (lambda p: flow.optim.Adam([p]), ("exp_avg", "exp_avg_sq", "step")),
        (lambda p: flow.optim.Adam([p], amsgrad=True), ("exp_avg", "exp_avg_sq", "max_exp_avg_sq", "step")),
    ],
)
def test_step_only_reads_gradients(make: Any, states: tuple[str, ...]) -> None:
    p = flow.ones(3, requires_grad=True)
    p.grad = flow.ones(3)
    optimizer = make(p)
    optimizer.step()
    before = [t._version for t in (p, *[optimizer.state[p][name] for name in states])]
    optimizer.step()
    assert [t._version for t in (p, *[optimizer.state[p][name] for name in states])] == [v + 1 for v in before]
    assert p.grad._version == 0


def test_what_a_gradient_was_saved_for_survives_a_step() -> None:
    p, w = flow.ones(3, requires_grad=True), flow.ones(3, requires_grad=True)
    p.grad = flow.tensor([1.0, 2.0, 3.0])
    penalty = (p.grad * w).sum()
    flow.optim.SGD([p], lr=0.1).step()
    penalty.backward()
    assert w.grad.tolist() == [1.0, 2.0, 3.0]


def test_hooks() -> None:
    p = flow.ones(1, requires_grad=True)
    optimizer = flow.optim.SGD([p], lr=0.1)
    seen: list[str] = []
    handle = optimizer.register_step_pre_hook(lambda *_: seen.append("pre"))
    optimizer.register_step_post_hook(lambda *_: seen.append("post"))
    optimizer.step()
    handle.remove()
    optimizer.step()
    assert seen == ["pre", "post", "post"]


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda p: flow.optim.SGD(p, lr=0.1), TypeError, "should be an iterable of Tensors or dicts"),
        (lambda p: flow.optim.SGD([p, p], lr=0.1), ValueError, "duplicate parameters"),
        (lambda p: flow.optim.SGD([p * 2], lr=0.1), ValueError, "can't optimize a non-leaf Tensor"),
        (lambda p: flow.optim.SGD([1.0], lr=0.1), TypeError, "can only optimize Tensors"),
        (lambda p: flow.optim.SGD([p], lr=-1.0), ValueError, "Invalid learning rate: -1.0"),
        (lambda p: flow.optim.SGD([p], nesterov=True), ValueError, "Nesterov momentum requires a momentum"),
        (lambda p: flow.optim.Adam([p], betas=(1.0, 0.9)), ValueError, "Invalid beta parameter at index 0: 1.0"),
        (lambda p: flow.optim.Adam([p], eps=-1.0), ValueError, "Invalid epsilon value: -1.0"),
    ],
)
def test_errors(make: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make(flow.ones(2, requires_grad=True))


def test_a_parameter_in_two_groups() -> None:
    p = flow.ones(2, requires_grad=True)
    with pytest.raises(ValueError, match="more than one parameter group"):
        flow.optim.SGD([{"params": [p]}, {"params": [p]}], lr=0.1)


def test_loading_a_state_of_other_groups() -> None:
    p = flow.ones(2, requires_grad=True)
    optimizer = flow.optim.SGD([p], lr=0.1)
    with pytest.raises(ValueError, match="different number of parameter groups"):
        optimizer.load_state_dict({"state": {}, "param_groups": []})


def test_an_optimizer_without_parameters_is_refused() -> None:
    layer = flow.nn.Linear(2, 2)
    parameters = layer.parameters()
    list(parameters)  # an iterator that has come to its end
    for nothing in ([], parameters):
        with pytest.raises(ValueError, match="optimizer got an empty parameter list"):
            flow.optim.SGD(nothing, lr=0.1)


@pytest.mark.parametrize(("name", "options"), [("Adam", {}), ("AdamW", {"amsgrad": True}), ("SGD", {"momentum": 0.9})])
def test_torchs_state_is_taken_over(name: str, options: dict) -> None:
    theirs, mine = (
        torch.nn.Parameter(torch.tensor([1.0, 2.0], dtype=torch.float64)),
        flow.nn.Parameter(flow.tensor([1.0, 2.0])),
    )
    reference, optimizer = (
        getattr(torch.optim, name)([theirs], lr=0.1, **options),
        getattr(flow.optim, name)([mine], lr=0.1, **options),
    )
    for _ in range(2):
        theirs.grad = torch.tensor([0.5, -1.0], dtype=torch.float64)
        reference.step()
    optimizer.load_state_dict(reference.state_dict())
    with flow.no_grad():
        mine.copy_(flow.from_torch(theirs.detach().float()))
    theirs.grad, mine.grad = torch.tensor([1.0, 1.0], dtype=torch.float64), flow.tensor([1.0, 1.0])
    reference.step()
    optimizer.step()
    assert mine.tolist() == pytest.approx(theirs.tolist(), rel=1e-6)
    assert set(optimizer.param_groups[0]) >= set(reference.param_groups[0]) & set(optimizer.defaults)


def test_a_state_that_fits_no_parameter_is_refused() -> None:
    p = flow.ones(2, requires_grad=True)
    optimizer = flow.optim.SGD([p], lr=0.1, momentum=0.9)
    p.grad = flow.ones(2)
    optimizer.step()
    before = optimizer.state_dict()
    for number, buffer, text in [
        (0, flow.ones(1), r"shape \[1\] as 'momentum_buffer' of parameter 0"),
        (1, flow.ones(2), "parameter 1"),
    ]:
        with pytest.raises(ValueError, match=text):
            optimizer.load_state_dict({**before, "state": {number: {"momentum_buffer": buffer}}})
        assert optimizer.state_dict()["state"][0]["momentum_buffer"] is before["state"][0]["momentum_buffer"]
