"""flow.autocast: which dtypes functions compute in, against torch.autocast("cpu") where it lists them; scopes, cache, threads."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import tritonflow as flow
from tests import where
from tritonflow.interpreter.autocast import binding
from tritonflow.thread_state import thread_state

OTHER = "cpu" if where.device == "cuda" else "cuda"
DTYPES = ["float32", "float64", "float16", "bfloat16"]
Make = Callable[..., Any]

# name: (call on a library and makers of a 3 x 3 matrix, a vector, images, weights; whether torch's CPU list has it)
CALLS: dict[str, tuple[Callable[[Any, Make], Any], bool]] = {
    "matmul": (lambda f, t: f.matmul(t(3, 3), t(3, 3)), True),
    "operator": (lambda f, t: t(3, 3) @ t(3, 3), True),
    "batched": (lambda f, t: f.matmul(t(2, 3, 3), t(3, 3)), True),
    "mm": (lambda f, t: f.mm(t(3, 3), t(3, 3)), True),
    "bmm": (lambda f, t: f.bmm(t(2, 3, 3), t(2, 3, 3)), True),
    "mv": (lambda f, t: f.mv(t(3, 3), t(3)), False),
    "addmm": (lambda f, t: f.addmm(t(3, 3), t(3, 3), t(3, 3)), True),
    "baddbmm": (lambda f, t: f.baddbmm(t(2, 3, 3), t(2, 3, 3), t(2, 3, 3)), True),
    "linear": (lambda f, t: f.nn.functional.linear(t(2, 3), t(4, 3), t(4)), True),
    "conv1d": (lambda f, t: f.nn.functional.conv1d(t(1, 2, 5), t(3, 2, 2), t(3)), True),
    "conv2d": (lambda f, t: f.nn.functional.conv2d(t(1, 2, 5, 5), t(3, 2, 3, 3), padding="same"), True),
    "conv_transpose2d": (lambda f, t: f.nn.functional.conv_transpose2d(t(1, 2, 3, 3), t(2, 3, 2, 2)), True),
    "attention": (lambda f, t: f.nn.functional.scaled_dot_product_attention(t(1, 2, 3, 4), t(1, 2, 3, 4), t(1, 2, 3, 4)), True),
    "mse_loss": (lambda f, t: f.nn.functional.mse_loss(t(3), t(3)), True),
    "cross_entropy": (lambda f, t: f.nn.functional.cross_entropy(t(2, 3), f.tensor([0, 2])), True),
    "nll_loss": (lambda f, t: f.nn.functional.nll_loss(t(2, 3), f.tensor([0, 2])), True),
    "prod": (lambda f, t: t(3).prod(), True),
    "cat": (lambda f, t: f.cat([t(3), t(3)]), True),
    "stack": (lambda f, t: f.stack([t(3), t(3)]), True),
    "exp": (lambda f, t: t(3).exp(), False),
    "pow": (lambda f, t: t(3) ** 2.5, False),
    "softmax": (lambda f, t: f.softmax(t(3, 3), -1), False),
    "log_softmax": (lambda f, t: f.log_softmax(t(3, 3), -1), False),
    "sum": (lambda f, t: t(3, 3).sum(), False),
    "layer_norm": (lambda f, t: f.nn.functional.layer_norm(t(2, 3), (3,)), False),
    "norm": (lambda f, t: f.norm(t(3)), False),
    "add": (lambda f, t: t(3) + t(3), False),
    "relu": (lambda f, t: f.relu(t(3)), False),
    "mean": (lambda f, t: t(3).mean(), False),
    "max_pool2d": (lambda f, t: f.nn.functional.max_pool2d(t(1, 2, 4, 4), 2), False),
}  # fmt: skip
LOWER = ("matmul", "mv", "linear", "conv2d")
FLOAT32 = ("exp", "pow", "softmax", "log_softmax", "sum", "layer_norm", "norm", "mse_loss", "prod")
AS_IT_IS = ("add", "relu", "mean", "max_pool2d")


def maker(library: Any, *dtypes: str, wide: bool = False) -> Make:
    """Makes tensors of the shapes given, of these dtypes in turn; where `wide`, their values in float64."""
    rng = numpy.random.default_rng(0)
    count = iter(range(100))

    def make(*shape: int) -> Any:
        dtype = getattr(library, dtypes[next(count) % len(dtypes)])
        made = library.tensor(rng.random(shape), dtype=library.float64).to(dtype)
        return made.double() if wide else made

    return make


def name(dtype: Any) -> str:
    return str(dtype).rpartition(".")[2]


@pytest.mark.sampled
@pytest.mark.parametrize("function", [n for n, (_, listed) in CALLS.items() if listed])
@pytest.mark.parametrize("lower", ["bfloat16", "float16"])
@pytest.mark.parametrize("given_dtypes", [(d,) for d in DTYPES] + [("float32", "bfloat16"), ("float16", "float32")])
def test_dtypes_are_those_of_torch(function: str, lower: str, given_dtypes: tuple[str, ...]) -> None:
    call, _ = CALLS[function]
    with torch.autocast("cpu", getattr(torch, lower)):
        try:
            expected = call(torch, maker(torch, *given_dtypes))
        except RuntimeError:
            pytest.skip("torch cannot")
    with flow.autocast(where.device, getattr(flow, lower)):
        got = call(flow, maker(flow, *given_dtypes))
    assert name(got.dtype) == name(expected.dtype)
    exact = call(torch, maker(torch, *given_dtypes, wide=True))
    numpy.testing.assert_allclose(got.double().numpy(), exact.numpy(), rtol=0.1, atol=0.1)


@pytest.mark.parametrize("given_dtype", DTYPES)
def test_dtypes_by_rule(given_dtype: str) -> None:
    """What torch lists for GPUs only is the same on every device here."""
    exempt = given_dtype == "float64"
    with flow.autocast(where.device, flow.bfloat16):
        for names, expected in ((LOWER, "bfloat16"), (FLOAT32, "float32"), (AS_IT_IS, given_dtype)):
            for function in names:
                got = name(CALLS[function][0](flow, maker(flow, given_dtype)).dtype)
                assert got == (given_dtype if exempt else expected), function


@pytest.mark.parametrize("function", CALLS)
def test_nothing_happens_outside(function: str) -> None:
    call, _ = CALLS[function]
    with flow.autocast(where.device):
        pass
    with flow.autocast(where.device, enabled=False), flow.autocast(OTHER):
        assert name(call(flow, maker(flow, "float32")).dtype) == "float32"
    assert name(call(flow, maker(flow, "float16")).dtype) == "float16"


def test_integers_pass() -> None:
    with flow.autocast(where.device):
        x = flow.tensor([[1, 2], [3, 4]])
        assert (x @ x).dtype is flow.int64
        assert x.sum().dtype is flow.int64


def test_in_place_forms_are_not_cast() -> None:
    x = flow.ones(3, dtype=flow.bfloat16)
    with flow.autocast(where.device):
        assert x.exp_() is x and x.dtype is flow.bfloat16
        assert flow.exp(x, inplace=True) is x
        assert x.exp().dtype is flow.float32
    numpy.testing.assert_allclose(x.float().numpy(), numpy.exp(numpy.exp(numpy.ones(3))), rtol=1e-2)


def test_a_network_trains_as_in_torch(rng: numpy.random.Generator) -> None:
    """Convolution, batch norm, linear, layer norm, loss: gradients come in the parameters' dtype and are about those of float64."""

    def network(library: Any) -> Any:
        nn = library.nn
        return nn.Sequential(
            nn.Conv2d(2, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(16, 8), nn.LayerNorm(8),
            nn.GELU(), nn.Linear(8, 3),
        )  # fmt: skip

    theirs, mine = network(torch), network(flow)
    mine.load_state_dict({k: flow.from_torch(v.clone()) for k, v in theirs.state_dict().items()})
    x, y = rng.standard_normal((5, 2, 6, 6)).astype("f"), [0, 2, 1, 1, 0]
    with flow.autocast(where.device, dtype=flow.bfloat16):
        out = mine(flow.tensor(x))
        loss = flow.nn.functional.cross_entropy(out, flow.tensor(y))
    assert name(out.dtype) == "bfloat16" and name(loss.dtype) == "float32"
    loss.backward()
    torch.nn.functional.cross_entropy(theirs.double()(torch.tensor(x).double()), torch.tensor(y)).backward()
    for p, q in zip(theirs.parameters(), mine.parameters()):
        assert q.grad.dtype is flow.float32
        numpy.testing.assert_allclose(q.grad.numpy(), p.grad.numpy(), rtol=0.1, atol=0.03)


def test_scopes_nest_and_end_by_errors() -> None:
    x = flow.ones(2, 2)
    with flow.autocast(where.device, flow.float16):
        assert flow.is_autocast_enabled(where.device) and flow.get_autocast_dtype(where.device) is flow.float16
        with flow.autocast(where.device, enabled=False):
            assert not flow.is_autocast_enabled(where.device) and (x @ x).dtype is flow.float32
            with flow.autocast(where.device, flow.bfloat16):
                assert (x @ x).dtype is flow.bfloat16
        with flow.autocast(OTHER):
            assert flow.is_autocast_enabled(OTHER) and flow.is_autocast_enabled(where.device)
        with pytest.raises(ZeroDivisionError), flow.autocast(where.device, flow.bfloat16):
            raise ZeroDivisionError
        assert (x @ x).dtype is flow.float16
    assert not flow.is_autocast_enabled()
    assert flow.get_autocast_dtype("cpu") is flow.bfloat16 and flow.get_autocast_dtype("cuda") is flow.float16
    assert thread_state.autocast is None and binding.threads == 0


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.sampled_from(["bfloat16", "float16", None]), st.sampled_from([True, False, None])), max_size=5))
def test_any_nesting_is_that_of_torch(scopes: list[tuple[bool, str | None, bool | None]]) -> None:
    """Inside of a scope that names a dtype: the default of a GPU is another."""

    def inside(library: Any, device: str, rest: list[Any]) -> Any:
        if not rest:
            x = library.ones(2, 2)
            state = library.is_autocast_enabled(device), library.is_autocast_cache_enabled()
            return state, name(library.get_autocast_dtype(device)), name((x @ x).dtype)
        enabled, dtype, cached = rest[0]
        with library.autocast(device, dtype and getattr(library, dtype), enabled, cached):
            return inside(library, device, rest[1:])

    scopes = [(False, "bfloat16", None), *scopes]
    assert inside(flow, where.device, scopes) == inside(torch, "cpu", scopes)


def test_a_decorated_function_and_its_recursion() -> None:
    scope = flow.amp.autocast(where.device, dtype=flow.bfloat16)

    @scope
    def product(x: Any, depth: int) -> Any:
        """Multiplies."""
        return product(x, depth - 1) if depth else x @ x

    assert product.__name__ == "product" and product.__doc__ == "Multiplies."
    assert product(flow.ones(2, 2), 3).dtype is flow.bfloat16
    assert thread_state.autocast is None and binding.threads == 0


def test_a_thread_has_its_own_state() -> None:
    found: list[Any] = []
    x = flow.ones(2, 2)
    with flow.autocast(where.device):
        thread = threading.Thread(target=lambda: found.extend([flow.is_autocast_enabled(), (x @ x).dtype]))
        thread.start()
        thread.join()
    assert found == [False, flow.float32]


# ------------------------------------------------------------------------------------------------------------ the cache


def casts(parameter: Any) -> int:
    """How many casts of the parameter the thread has kept."""
    return sum(entry[0] is parameter for entry in thread_state.autocast.cache.values())


def test_a_parameter_is_cast_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from tritonflow.interpreter import autocast

    done = []
    original = autocast.dispatch1
    monkeypatch.setattr(autocast, "dispatch1", lambda *a: done.append(a[1]) or original(*a))
    w, x = flow.ones(2, 2, requires_grad=True), flow.ones(2, 2)
    with flow.autocast(where.device):
        with flow.autocast(where.device):
            y = x @ w
        y = y + (x @ w)
        assert sum(t is w for t in done) == 1 and sum(t is x for t in done) == 2
    y.sum().backward()
    numpy.testing.assert_array_equal(w.grad.numpy(), numpy.full((2, 2), 4.0))
    done.clear()
    with flow.autocast(where.device, cache_enabled=False):
        (x @ w) + (x @ w)
        assert sum(t is w for t in done) == 2
    with flow.autocast(where.device):
        x @ w
        flow.clear_autocast_cache()
        x @ w
    assert sum(t is w for t in done) == 4


@pytest.mark.parametrize("options", [{}, {"reduction": "none"}, {"label_smoothing": 0.1, "reduction": "sum"}])
def test_a_loss_reads_logits_of_a_half_type(options: dict[str, Any]) -> None:
    """The bits are those of a cast to float32, the loss, and a cast of its gradient."""
    loss_of = flow.nn.functional.cross_entropy
    rng = numpy.random.default_rng(0)
    x = flow.tensor(3 * rng.standard_normal((7, 11))).to(flow.bfloat16).requires_grad_()
    t, w = flow.tensor(rng.integers(0, 11, 7)), flow.tensor(rng.random(11), dtype=flow.bfloat16)
    expected = loss_of(x.float(), t, w.float(), **options)
    (grad,) = flow.autograd.grad([expected.sum()], [x])
    with flow.autocast(where.device):
        loss = loss_of(x, t, w, **options)
        assert loss_of(x, flow.softmax(x, 1)).dtype is flow.float32
    (own,) = flow.autograd.grad([loss.sum()], [x], retain_graph=True)
    assert loss.dtype is flow.float32 and own.dtype is flow.bfloat16
    assert loss.tolist() == expected.tolist() and own.tolist() == grad.tolist()
    (recorded,) = flow.autograd.grad([loss.sum()], [x], create_graph=True)
    numpy.testing.assert_allclose(recorded.float().numpy(), grad.float().numpy(), rtol=1e-2, atol=1e-4)
    recorded.float().square().sum().backward()
    assert x.grad is not None and x.grad.dtype is flow.bfloat16


def test_a_cast_without_history_is_not_used_for_training() -> None:
    w, x = flow.ones(2, 2, requires_grad=True), flow.ones(2, 2)
    with flow.autocast(where.device):
        with flow.no_grad():
            x @ w
        y = x @ w
    y.sum().backward()
    assert w.grad is not None


def test_a_cast_is_renewed_when_the_parameter_has_changed() -> None:
    w, x = flow.ones(2, 2, requires_grad=True), flow.ones(2, 2)
    with flow.autocast(where.device):
        x @ w
        with flow.no_grad():
            w.mul_(3.0)
        assert (x @ w).tolist() == [[6, 6], [6, 6]]


def test_backward_twice_through_one_cast() -> None:
    w, x = flow.ones(2, 2, requires_grad=True), flow.ones(2, 2)
    with flow.autocast(where.device):
        for _ in range(2):
            (x @ w).sum().backward()
    numpy.testing.assert_array_equal(w.grad.numpy(), numpy.full((2, 2), 4.0))


def test_two_losses_share_a_cast() -> None:
    w, x = flow.ones(2, 2, requires_grad=True), flow.ones(2, 2)
    with flow.autocast(where.device):
        first, second = (x @ w).sum(), (x @ w).exp().sum()
    first.backward()
    second.backward()
    numpy.testing.assert_allclose(w.grad.numpy(), numpy.full((2, 2), 2 + 2 * numpy.exp(2)), rtol=1e-2)


def test_backward_inside_is_that_outside() -> None:
    w, x = flow.full((2, 2), 0.3, requires_grad=True), flow.full((2, 2), 0.7)
    grads = []
    for inside in (True, False):
        w.grad = None
        with flow.autocast(where.device):
            loss = (x @ w).exp().sum()
            if inside:
                loss.backward()
                assert flow.is_autocast_enabled(where.device)
        if not inside:
            loss.backward()
        grads.append(w.grad.numpy())
    numpy.testing.assert_array_equal(*grads)


# ----------------------------------------------------------------------------------------------------- functions, errors


def test_custom_functions() -> None:
    seen: list[Any] = []

    class Product(flow.autograd.Function):
        @staticmethod
        @flow.amp.custom_fwd(device_type=where.device)
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(x, y)
            return x @ y

        @staticmethod
        @flow.amp.custom_bwd(device_type=where.device)
        def backward(ctx: Any, dz: Any) -> Any:
            x, y = ctx.saved_tensors
            seen.append((dz @ y.t()).dtype)
            return (dz @ y.t()).float(), (x.t() @ dz).float()

    x, y = flow.ones(2, 2, requires_grad=True), flow.ones(2, 2, requires_grad=True)
    with flow.autocast(where.device, flow.bfloat16):
        z = Product.apply(x, y)
    assert z.dtype is flow.bfloat16
    z.sum().backward()
    assert seen == [flow.bfloat16] and x.grad.dtype is flow.float32


def test_custom_functions_with_inputs_cast() -> None:
    class Identity(flow.autograd.Function):
        @staticmethod
        @flow.amp.custom_fwd(device_type=where.device, cast_inputs=flow.float32)
        def forward(ctx: Any, x: Any, more: Any) -> Any:
            assert not flow.is_autocast_enabled(where.device)
            assert more["a"][0].dtype is flow.float32
            return x @ x

        @staticmethod
        @flow.amp.custom_bwd(device_type=where.device)
        def backward(ctx: Any, dy: Any) -> Any:
            return dy, None

    x = flow.ones(2, 2, dtype=flow.bfloat16)
    with flow.autocast(where.device):
        assert Identity.apply(x, {"a": [x]}).dtype is flow.float32


def test_setters() -> None:
    x = flow.ones(2, 2)
    try:
        flow.set_autocast_enabled(where.device, True)
        flow.set_autocast_dtype(where.device, flow.float16)
        flow.set_autocast_cache_enabled(False)
        assert (x @ x).dtype is flow.float16 and not flow.is_autocast_cache_enabled()
        with flow.autocast(where.device):
            assert (x @ x).dtype is flow.float16
    finally:
        flow.set_autocast_enabled(where.device, False)
        thread_state.autocast = None
    assert binding.threads == 0


@pytest.mark.parametrize("device_type", ["mps", "xpu", "hpu"])
def test_autocast_is_off_on_absent_types(device_type: str) -> None:
    with flow.autocast("cpu"):
        assert flow.is_autocast_enabled(device_type) is torch.is_autocast_enabled(device_type) is False


def test_errors() -> None:
    for call in (flow.autocast, flow.is_autocast_enabled, flow.get_autocast_dtype):
        with pytest.raises(RuntimeError, match="unsupported autocast device_type 'tpu'"):
            call("tpu")
    with pytest.raises(TypeError, match="device_type"):
        flow.autocast(flow.float16)
    with pytest.raises(TypeError, match="float32"):
        flow.set_autocast_dtype(where.device, flow.float32)
    with pytest.warns(UserWarning, match="target dtype is not supported. Disabling autocast"):
        scope = flow.autocast(where.device, dtype=flow.float32)
    with scope:
        assert not flow.is_autocast_enabled(where.device)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        flow.autocast(where.device, dtype=flow.float32, enabled=False)
    with flow.autocast(where.device), pytest.raises(RuntimeError, match="same dtype"):
        flow.ones(2, 2, dtype=flow.float64) @ flow.ones(2, 2)
