"""flow.optim against torch.optim: trajectories, state dictionaries, groups, errors."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow.one_embedding import Ftrl

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
    ("RMSprop", {"lr": 0.1, "weight_decay": 0.1}),
    ("RMSprop", {"lr": 0.1, "momentum": 0.9}),
    ("RMSprop", {"lr": 0.1, "centered": True, "alpha": 0.5, "eps": 1e-2}),
    ("RMSprop", {"lr": 0.1, "momentum": 0.5, "centered": True, "alpha": 0.5, "eps": 1e-2, "maximize": True}),
    ("Adagrad", {"lr": 0.1, "lr_decay": 0.1, "initial_accumulator_value": 0.5}),
    ("Adadelta", {"lr": 0.5, "weight_decay": 0.1}),
    ("Adamax", {"lr": 0.1, "betas": (0.8, 0.9)}),
    ("NAdam", {"lr": 0.1, "weight_decay": 0.1, "decoupled_weight_decay": True, "momentum_decay": 0.1}),
    ("RAdam", {"lr": 0.1, "betas": (0.8, 0.9), "weight_decay": 0.1}),
    ("ASGD", {"lr": 0.1, "lambd": 0.01, "t0": 1, "alpha": 0.5}),
    ("Rprop", {"lr": 0.1, "maximize": True}),
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
    for step in range(7):  # RAdam begins to rectify in the sixth
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


def lamb(p: Any, g: Any, m: Any, v: Any, t: int, decay: float, decoupled: bool) -> Any:
    """OneFlow's LAMB in NumPy."""
    g = g if decoupled else g + decay * p
    m[...], v[...] = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
    u = m / (1 - 0.9**t) / (numpy.sqrt(v / (1 - 0.99**t)) + 1e-6)
    lengths = numpy.sqrt((p * p).sum()), numpy.sqrt((u * u).sum())
    ratio = lengths[0] / lengths[1] if min(lengths) > 0 else 1.0
    return p - 0.1 * ratio * (u + (decay if decoupled else 0) * p)


@pytest.mark.parametrize("decoupled", [True, False])
def test_lamb(rng: numpy.random.Generator, decoupled: bool) -> None:
    _, mine = pairs(rng)
    values = [p.detach().numpy().astype(numpy.float64) for p in mine]
    optimizer = flow.optim.LAMB(mine, lr=0.1, betas=(0.9, 0.99), eps=1e-6, weight_decay=0.1, adam_w_mode=decoupled)
    states = [(numpy.zeros_like(x), numpy.zeros_like(x)) for x in values]
    for t in range(1, 4):
        for k, p in enumerate(mine):
            p.grad = flow.tensor(numpy.asarray(rng.standard_normal(p.shape), "float32"))
            values[k] = lamb(values[k], p.grad.numpy().astype(numpy.float64), *states[k], t, 0.1, decoupled)
        optimizer.step()
    for p, expected in zip(mine, values):
        numpy.testing.assert_allclose(p.detach().numpy(), expected, rtol=1e-5, atol=1e-6)


def test_ftrl(rng: numpy.random.Generator) -> None:
    p = flow.tensor(rng.standard_normal(100), requires_grad=True)
    value, s, z = p.detach().numpy().copy(), numpy.full(100, 0.2), numpy.zeros(100)
    options = {"lambda1": 0.5, "lambda2": 0.1, "beta": 1.0, "weight_decay": 0.1, "initial_accumulator_value": 0.2}
    optimizer = flow.optim.FTRL([p], lr=0.3, **options)
    for _ in range(3):
        g = rng.standard_normal(100)
        p.grad = flow.tensor(g)
        optimizer.step()
        z += g - (numpy.sqrt(s + g * g) - numpy.sqrt(s)) / 0.3 * value
        s += g * g
        moved = (numpy.sign(z) * 0.5 - z) / ((1 + numpy.sqrt(s)) / 0.3 + 0.1) - 0.3 * 0.1 * value
        value = numpy.where(abs(z) >= 0.5, moved, 0)
    assert (value == 0).any()
    numpy.testing.assert_allclose(p.detach().numpy(), value, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("power", [-0.5, 0.5])
def test_oneflows_ftrl(rng: numpy.random.Generator, power: float) -> None:
    p = flow.tensor(rng.standard_normal(100), requires_grad=True)
    value, s, z = p.detach().numpy().copy(), numpy.full(100, 0.1), numpy.zeros(100)
    optimizer = Ftrl([p], lr=0.3, lambda1=0.5, lambda2=0.1, beta=1.0, weight_decay=0.9, lr_power=power)
    for _ in range(3):
        g = rng.standard_normal(100)
        p.grad = flow.tensor(g)
        optimizer.step()
        g = g + 0.9 * value
        z += g - ((s + g * g) ** power - s**power) / 0.3 * value
        s += g * g
        value = numpy.where(abs(z) >= 0.5, (numpy.sign(z) * 0.5 - z) / ((1 + s**power) / 0.3 + 0.1), 0)
    numpy.testing.assert_allclose(p.detach().numpy(), value, rtol=1e-10, atol=1e-12)


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


def test_hooks_of_all_optimizers_and_of_steps_of_a_users_own() -> None:
    class Own(flow.optim.Optimizer):
        def step(self, closure: Any = None, scale: float = 1.0) -> float:
            return scale

    optimizer = Own([flow.ones(1, requires_grad=True)], {})
    seen: list[Any] = []
    handle = flow.optim.optimizer.register_optimizer_step_pre_hook(lambda o, args, kwargs: seen.append((args, kwargs)))
    optimizer.register_step_pre_hook(lambda o, args, kwargs: (args, {"scale": 3.0}))
    try:
        assert optimizer.step(scale=2.0) == 3.0
    finally:
        handle.remove()
    assert seen == [((optimizer,), {"scale": 2.0})]
    optimizer.register_step_pre_hook(lambda o, args, kwargs: 5)
    with pytest.raises(RuntimeError, match="must return None or a tuple"):
        optimizer.step()


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda p: flow.optim.SGD(p, lr=0.1), TypeError, "should be an iterable of Tensors or dicts"),
        (lambda p: flow.optim.SGD([p * 2], lr=0.1), ValueError, "can't optimize a non-leaf Tensor"),
        (lambda p: flow.optim.SGD([1.0], lr=0.1), TypeError, "can only optimize Tensors"),
        (lambda p: flow.optim.SGD([p], lr=-1.0), ValueError, "Invalid learning rate: -1.0"),
        (lambda p: flow.optim.SGD([p], nesterov=True), ValueError, "Nesterov momentum requires a momentum"),
        (lambda p: flow.optim.Adam([p], betas=(1.0, 0.9)), ValueError, "Invalid beta parameter at index 0: 1.0"),
        (lambda p: flow.optim.Adam([p], eps=-1.0), ValueError, "Invalid epsilon value: -1.0"),
        (lambda p: flow.optim.RMSprop([p], alpha=-1.0), ValueError, "Invalid alpha value: -1.0"),
        (lambda p: flow.optim.Rprop([p], etas=(1.0, 2.0)), ValueError, "Invalid eta values: 1.0, 2.0"),
        (lambda p: flow.optim.NAdam([p], lr=flow.ones(2)), ValueError, "Tensor lr must be 1-element"),
        (lambda p: flow.optim.LAMB([p], amsgrad=True), RuntimeError, "does not support AMSGrad"),
    ],
)
def test_errors(make: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make(flow.ones(2, requires_grad=True))


@pytest.mark.filterwarnings("ignore:optimizer contains a parameter group with duplicate parameters")
def test_a_parameter_that_is_twice_in_a_group_is_updated_twice() -> None:
    found = []
    for lib in (torch, flow):
        p, q = lib.ones(2, requires_grad=True), lib.ones(2, requires_grad=True)
        optimizer = lib.optim.Adamax([p, q, p], lr=0.1)
        for _ in range(2):
            p.grad, q.grad = lib.tensor([1.0, 2.0]), lib.tensor([1.0, 2.0])
            optimizer.step()
        found.append([*p.tolist(), *q.tolist()])
    assert found[0] == pytest.approx(found[1], rel=1e-5)


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


def test_a_module_without_parameters_has_an_optimizer_as_in_oneflow() -> None:
    optimizer = flow.optim.SGD(flow.nn.ReLU().parameters(), lr=0.1)
    optimizer.step()
    assert [group["params"] for group in optimizer.param_groups] == [[]]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Adam", {}),
        ("AdamW", {"amsgrad": True}),
        ("SGD", {"momentum": 0.9}),
        ("RMSprop", {"momentum": 0.9, "centered": True}),
        ("Adagrad", {"lr_decay": 0.5}),
        ("Adadelta", {}),
        ("Adamax", {}),
        ("NAdam", {"momentum_decay": 0.1}),
        ("RAdam", {}),
        ("ASGD", {"t0": 1}),
        ("Rprop", {}),
        ("Adafactor", {}),
    ],
)
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


@pytest.mark.parametrize(
    "options",
    [{"lr": 0.1}, {"line_search_fn": "strong_wolfe"}, {"line_search_fn": "strong_wolfe", "history_size": 3, "max_iter": 7}],
)
def test_lbfgs_follows_torchs_path(options: dict[str, Any]) -> None:
    found = []
    for lib in (torch, flow):
        p = [lib.tensor([-1.5, 2.0], dtype=lib.float64, requires_grad=True), lib.tensor([[0.3]], dtype=lib.float64, requires_grad=True)]
        optimizer = lib.optim.LBFGS(p, **options)

        def closure(p: Any = p, optimizer: Any = optimizer) -> Any:
            optimizer.zero_grad()
            loss = (1 - p[0][0]) ** 2 + 100 * (p[0][1] - p[0][0] ** 2) ** 2 + ((p[1] - p[0][0] * 2) ** 4).sum()
            loss.backward()
            return loss

        losses = [optimizer.step(closure).item() for _ in range(4)]
        state = optimizer.state_dict()["state"][0]
        found.append([*losses, *p[0].tolist(), p[1].item(), state["func_evals"], state["n_iter"]])
    numpy.testing.assert_allclose(found[1], found[0], rtol=1e-6)


def test_lbfgs_goes_on_with_torchs_state() -> None:
    p, q = torch.tensor([3.0, -2.0], requires_grad=True), flow.tensor([3.0, -2.0], requires_grad=True)
    optimizers = torch.optim.LBFGS([p], lr=0.1, max_iter=4), flow.optim.LBFGS([q], lr=0.1, max_iter=4)

    def closure(lib: Any, x: Any) -> Any:
        x.grad = None
        loss = (x**4).sum() + (x[0] - x[1]) ** 2
        loss.backward()
        return loss

    optimizers[0].step(lambda: closure(torch, p))
    optimizers[1].load_state_dict(optimizers[0].state_dict())
    with flow.no_grad():
        q.copy_(flow.tensor(p.tolist()))
    for _ in range(2):
        optimizers[0].step(lambda: closure(torch, p))
        optimizers[1].step(lambda: closure(flow, q))
    numpy.testing.assert_allclose(q.tolist(), p.tolist(), rtol=1e-4)


@pytest.mark.parametrize("options", [{}, {"lr": 0.5, "weight_decay": 0.1, "eps": (1e-3, 1e-2), "maximize": True}])
def test_adafactor(rng: numpy.random.Generator, options: dict[str, Any]) -> None:
    values = [rng.standard_normal(shape) for shape in ((3, 4), (5,), (2, 3, 4), ())]
    theirs, mine = [torch.tensor(v, requires_grad=True) for v in values], [flow.tensor(v, requires_grad=True) for v in values]
    reference, optimizer = torch.optim.Adafactor(theirs, **options), flow.optim.Adafactor(mine, **options)
    for _ in range(3):
        set_gradients(rng, theirs, mine)
        reference.step()
        optimizer.step()
    assert_same(theirs, mine, 1e-12)
    expected, got = reference.state_dict(), optimizer.state_dict()
    assert got["param_groups"][0].keys() == expected["param_groups"][0].keys()
    for number, state in expected["state"].items():
        assert {k: tuple(v.shape) for k, v in state.items()} == {k: tuple(v.shape) for k, v in got["state"][number].items()}


@pytest.mark.parametrize("options", [{}, {"nesterov": False, "adjust_lr_fn": "match_rms_adamw"}])
def test_muon(rng: numpy.random.Generator, options: dict[str, Any]) -> None:
    """Both compute the iteration in bfloat16, which rounds differently: an update is orthogonal within some hundredths."""
    values = [rng.standard_normal(shape).astype("f") for shape in ((3, 4), (5, 2))]
    theirs, mine = [torch.tensor(v, requires_grad=True) for v in values], [flow.tensor(v, requires_grad=True) for v in values]
    reference, optimizer = torch.optim.Muon(theirs, lr=0.01, **options), flow.optim.Muon(mine, lr=0.01, **options)
    for _ in range(2):
        for p, q in zip(theirs, mine):
            q.grad = flow.tensor(rng.standard_normal(p.shape).astype("f"))
            p.grad = flow.to_torch(q.grad).cpu()
        reference.step()
        optimizer.step()
    assert_same(theirs, mine, 0.01 * 0.2)
    for p, q in zip(theirs, mine):
        numpy.testing.assert_allclose(
            optimizer.state[q]["momentum_buffer"].numpy(), reference.state[p]["momentum_buffer"].numpy(), rtol=1e-6, atol=1e-7
        )


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda p: flow.optim.LBFGS([{"params": [p]}, {"params": [p * 1]}]), ValueError, "non-leaf|parameter groups"),
        (lambda p: flow.optim.Adafactor([p], d=0.5), ValueError, "Clipping threshold d should be >= 1 but is: 0.5"),
        (lambda p: flow.optim.Muon([p]), ValueError, "Muon only supports 2D parameters"),
        (lambda p: flow.optim.SparseAdam([p], lr=0.0), ValueError, "Invalid learning rate: 0.0"),
    ],
)
def test_errors_of_others(make: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make(flow.ones(2, requires_grad=True))


def test_a_wrapper_steps_as_its_optimizer() -> None:
    """accelerate's is an Optimizer that never calls `Optimizer.__init__`; the hooks are those of the optimizer inside."""

    class Wrapper(flow.optim.Optimizer):
        def __init__(self, optimizer: Any) -> None:
            self.optimizer = optimizer

        @property
        def param_groups(self) -> Any:
            return self.optimizer.param_groups

        def step(self, closure: Any = None) -> Any:
            return self.optimizer.step(closure)

    p, called = flow.nn.Parameter(flow.ones(2)), []
    wrapper = Wrapper(flow.optim.SGD([p], lr=0.5))
    wrapper.optimizer.register_step_post_hook(lambda *args: called.append(args[0]))
    p.grad = flow.ones(2)
    wrapper.step()
    assert p.tolist() == [0.5, 0.5]
    assert called == [wrapper.optimizer]


@pytest.mark.parametrize(("kind", "options"), [case for case in KINDS if case[0] in ("NAdam", "ASGD", "RAdam")])
def test_numbers_of_states_are_float64_where_that_is_the_default(
    rng: numpy.random.Generator, kind: str, options: dict[str, Any]
) -> None:
    """In float32 the momenta's product moves NAdam's steps by 1e-9, as in torch."""
    for library in (flow, torch):
        library.set_default_dtype(library.float64)
    try:
        theirs, mine = pairs(rng, "float64")
        optimizers = getattr(torch.optim, kind)(theirs, **options), getattr(flow.optim, kind)(mine, **options)
        for step in range(8):
            set_gradients(rng, theirs, mine)
            for optimizer in optimizers:
                optimizer.step()
            if step == 3:  # one that is loaded goes on in float64
                state = optimizers[1].state_dict()
                optimizers = optimizers[0], getattr(flow.optim, kind)(mine, **options)
                optimizers[1].load_state_dict(state)
        assert_same(theirs, mine, 1e-13)
        numbers = [v for v in optimizers[1].state[mine[0]].values() if v.ndim == 0]
        assert numbers and all(v.dtype is flow.float64 for v in numbers)
    finally:
        for library in (flow, torch):
            library.set_default_dtype(library.float32)
