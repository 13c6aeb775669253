"""flow.vmap against torch.vmap: programs of both, in float64."""

from __future__ import annotations

import warnings
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests import where
from tests.autograd.test_func import same

X = numpy.array([[0.5, -1.5, 2.0], [1.0, 0.25, -0.75]])
W = numpy.array([[0.3, -0.2, 0.9], [1.1, 0.4, -0.6], [0.2, 0.7, 0.5]])


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    return value.detach().cpu().tolist() if hasattr(value, "detach") else value


def tensors(lib: Any) -> list[Any]:
    device = where.device if lib is flow else "cpu"
    return [lib.tensor(a, dtype=lib.float64, device=device) for a in (X, W)]


def loss(w: Any, x: Any) -> Any:
    return ((w @ x).sin() * x).sum()


def written(lib: Any, x: Any) -> Any:
    """In-place ops on views of tensors that have the examples."""
    out = lib.zeros_like(x)
    out[0] = x[1] * 2
    out[1:].add_(x[:2])
    out.mul_(x)
    return out


PROGRAMS: dict[str, Any] = {
    "dims": lambda lib, x, w: lib.vmap(lambda a, b: a @ b, in_dims=(0, None), out_dims=1)(x, w),
    "last": lambda lib, x, w: lib.vmap(lambda a, b: (a * b, a.sum()), in_dims=(-1, 1), out_dims=(-1, 0))(x, x),
    "trees": lambda lib, x, w: lib.vmap(lambda d, e: {"s": d["a"] + e[0], "t": [e[1]]}, in_dims=({"a": 0}, (None, 0)))(
        {"a": x}, (w, x)
    ),
    "nested": lambda lib, x, w: lib.vmap(lambda a: lib.vmap(lambda b: (a * b).cumsum(0))(w))(x),
    "nested, other dims": lambda lib, x, w: lib.vmap(lib.vmap(lambda a, b: a * b, in_dims=(0, None)), in_dims=(1, 0))(x, x.t()),
    "constant": lambda lib, x, w: lib.vmap(lambda a: w.sum())(x),
    "none out": lambda lib, x, w: lib.vmap(lambda a, b: (b * 2, a), in_dims=(0, None), out_dims=(None, 0))(x, w),
    "per example": lambda lib, x, w: lib.vmap(lib.func.grad(loss), in_dims=(None, 0))(w, x),
    "per example and value": lambda lib, x, w: lib.vmap(lib.func.grad_and_value(loss, argnums=(0, 1)), (None, 0))(w, x),
    "grad of vmap": lambda lib, x, w: lib.func.grad(lambda w: lib.vmap(lambda a: loss(w, a))(x).prod())(w),
    "grad of vmap of grad": lambda lib, x, w: lib.func.grad(lambda w: lib.vmap(lib.func.grad(loss, 1), (None, 0))(w, x).sin().sum())(w),
    "vmap of grad of vmap": lambda lib, x, w: lib.vmap(lambda a: lib.func.grad(lambda w: lib.vmap(lambda r: (r @ a) ** 3)(w).sum())(w))(x),
    "closure of a grad": lambda lib, x, w: lib.func.grad(lambda w: (lib.vmap(lambda a: lib.func.grad(loss, 1)(w, a))(x) ** 2).sum())(w),
    "vjp": lambda lib, x, w: lib.vmap(lambda a, c: lib.func.vjp(lambda w: w @ a, w)[1](c)[0])(x, x),
    "vjp outside": lambda lib, x, w: lib.vmap(lib.func.vjp(lambda w: (w @ x[0]).exp(), w)[1])(w),
    "jvp": lambda lib, x, w: lib.vmap(lambda a: lib.func.jvp(lambda v: (w @ v).sin(), (a,), (a * 2,)))(x),
    "jacrev": lambda lib, x, w: lib.vmap(lib.func.jacrev(lambda a: (w @ a).tanh()))(x),
    "jacfwd": lambda lib, x, w: lib.vmap(lib.func.jacfwd(lambda a: (w @ a).tanh()))(x),
    "jacrev of vmap": lambda lib, x, w: lib.func.jacrev(lambda x: lib.vmap(lambda a: (w @ a).tanh())(x))(x),
    "hessian": lambda lib, x, w: lib.vmap(lib.func.hessian(lambda a: (w @ a).exp().prod()))(x),
    "chunks": lambda lib, x, w: lib.vmap(lambda a: (a * 2, a.sum()), chunk_size=2, out_dims=(1, 0))(w),
    "in place": lambda lib, x, w: lib.vmap(lambda a: written(lib, a))(x),
    "in place, gradient": lambda lib, x, w: lib.func.grad(lambda x: (lib.vmap(lambda a: written(lib, a))(x) ** 2).sum())(x),
    "in place, gradient inside": lambda lib, x, w: lib.vmap(lib.func.grad(lambda a: (written(lib, a) ** 2).sum()))(x),
    "numbers": lambda lib, x, w: lib.vmap(lambda a: (a.sum() * lib.ones(2), a.sum() + lib.ones(2, dtype=lib.float32)))(x),
    "half and wide": lambda lib, x, w: lib.vmap(lambda a, s: (a * s).double())(x.float(), x[:, 0]),
    "maml": lambda lib, x, w: lib.func.grad(
        lambda w: lib.vmap(lambda a: loss(w - 0.1 * lib.func.grad(loss)(w, a), a + 1))(x).mean()
    )(w),
    "loops over rows": lambda lib, x, w: lib.vmap(lambda a: lib.stack([row @ a for row in w]) [1:])(x),
    "indexing": lambda lib, x, w: lib.vmap(lambda a, i: (w[i], a[i], w[:, i], w[i, i], a[None, i]))(x, lib.tensor([[0, 2], [1, 1]])),
    "order": lambda lib, x, w: lib.vmap(lambda a: (a.sort(descending=True), a.argmax(), a.topk(2)[0], a.median()))(x),
    "detached": lambda lib, x, w: lib.func.grad(lambda x: lib.vmap(lambda a: (a * a.detach()).sum())(x).sum())(x),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sampled(most=12)
def test_programs(name: str) -> None:
    found = []
    for lib in (torch, flow):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore" if lib is torch else "error")
            found.append(PROGRAMS[name](lib, *tensors(lib)))
    same(plain(found[0]), plain(found[1]))


def test_shapes_and_histories_are_those_of_examples() -> None:
    x = tensors(flow)[0].requires_grad_()
    seen = []

    def function(a: Any) -> Any:
        seen.append((tuple(a.shape), a.stride(), a.ndim, a.numel(), len(a), a.is_contiguous()))
        return a.exp()

    out = flow.vmap(function, in_dims=1)(x)
    assert seen == [((2,), (3,), 1, 2, 2, False)]
    out.sum().backward()
    assert numpy.allclose(x.grad.cpu().numpy(), numpy.exp(X))


ERRORS: dict[str, Any] = {
    "item": lambda lib, x, w: lib.vmap(lambda a: a * a.sum().item())(x),
    "control flow": lambda lib, x, w: lib.vmap(lambda a: a if a.sum() > 0 else -a)(x),
    "written without batch": lambda lib, x, w: lib.vmap(lambda a: w.add_(a))(x),
    "data-dependent shape": lambda lib, x, w: lib.vmap(lambda a: a.nonzero())(x),
    "random": lambda lib, x, w: lib.vmap(lambda a: a + lib.randn(3))(x),
    "randomness": lambda lib, x, w: lib.vmap(lambda a: a, randomness="some")(x),
    "no inputs": lambda lib, x, w: lib.vmap(lambda: w)(),
    "no dimension": lambda lib, x, w: lib.vmap(lambda a: a, in_dims=None)(x),
    "sizes": lambda lib, x, w: lib.vmap(lambda a, b: a)(x, w),
    "number": lambda lib, x, w: lib.vmap(lambda a, b: a)(x, 3.0),
    "structure": lambda lib, x, w: lib.vmap(lambda a, b: a, in_dims=(0,))(x, x),
    "dimension": lambda lib, x, w: lib.vmap(lambda a: a, in_dims=2)(x),
    "out dimension": lambda lib, x, w: lib.vmap(lambda a: a, out_dims=2)(x),
    "out structure": lambda lib, x, w: lib.vmap(lambda a: a, out_dims=(0, 0))(x),
    "batched without dimension": lambda lib, x, w: lib.vmap(lambda a: a, out_dims=None)(x),
    "no tensor": lambda lib, x, w: lib.vmap(lambda a: 3)(x),
    "chunk": lambda lib, x, w: lib.vmap(lambda a: a, chunk_size=0)(x),
    "backward": lambda lib, x, w: lib.vmap(lambda a: a.sum().backward())(x),
    "numpy": lambda lib, x, w: lib.vmap(lambda a: a + a.tolist()[0])(x),
}  # fmt: skip


OTHER_WORDS = ("numpy", "data-dependent shape", "out dimension", "written without batch")


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str) -> None:
    with pytest.raises(Exception) as theirs:
        ERRORS[name](torch, *tensors(torch))
    with pytest.raises(type(theirs.value)) as mine:
        ERRORS[name](flow, *tensors(flow))
    assert str(mine.value)[:24] == str(theirs.value)[:24] or name in OTHER_WORDS


def test_random_numbers_differ_or_are_the_same() -> None:
    x = flow.zeros(4, 3)
    for function in (
        lambda a: a + flow.randn(3), lambda a: flow.rand_like(a) + a, lambda a: flow.nn.functional.dropout(a + 1, 0.5),
        lambda a: a + flow.randperm(3), lambda a: flow.bernoulli(flow.full((3,), 0.5)) + a,
    ):  # fmt: skip
        flow.manual_seed(0)
        rows = flow.vmap(function, randomness="different")(flow.zeros(40, 3)).tolist()
        assert len({tuple(row) for row in rows}) > 3
        rows = flow.vmap(function, randomness="same")(x).tolist()
        assert all(row == rows[0] for row in rows)
    inner = flow.vmap(lambda a: flow.vmap(lambda b: b + flow.randn(()), randomness="same")(a), randomness="different")(x)
    assert (inner == inner[:, :1]).all() and len(set(inner[:, 0].tolist())) == 4
    with pytest.raises(RuntimeError, match="same randomness"):
        flow.vmap(lambda a: flow.bernoulli(a), randomness="same")(x)


def test_gradients_of_a_module_for_each_example() -> None:
    """As functorch's tutorial has them."""
    flow.manual_seed(0)
    nn, func = flow.nn, flow.func
    model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.GroupNorm(1, 2), nn.ReLU(), nn.Flatten(), nn.Linear(8, 3)).double()
    images, labels = flow.randn(3, 1, 4, 4, dtype=flow.float64), flow.tensor([0, 2, 1])
    parameters = {name: p.detach() for name, p in model.named_parameters()}

    def loss_of(parameters: Any, image: Any, label: Any) -> Any:
        logits = func.functional_call(model, parameters, (image.unsqueeze(0),))
        return nn.functional.cross_entropy(logits, label.unsqueeze(0))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = flow.vmap(func.grad(loss_of), in_dims=(None, 0, 0))(parameters, images, labels)
    for k in range(3):
        model.zero_grad()
        nn.functional.cross_entropy(model(images[k : k + 1]), labels[k : k + 1]).backward()
        for name, p in model.named_parameters():
            assert numpy.allclose(found[name][k].cpu().numpy(), p.grad.cpu().numpy(), rtol=1e-9, atol=1e-12), name
    assert not any(each.requires_grad for each in found.values())  # nothing outside of the transform wants a gradient


def test_gradients_inside_have_a_history_where_something_outside_wants_one() -> None:
    """The tensor that all examples share has none, or one."""
    function = flow.vmap(flow.func.grad(lambda p, x: (p * x).pow(2).sum()), in_dims=(None, 0))
    x = flow.arange(6, dtype=flow.float64).reshape(2, 3)
    assert not function(flow.ones(3, dtype=flow.float64), x).requires_grad
    p = flow.ones(3, dtype=flow.float64, requires_grad=True)
    function(p, x).sum().backward()
    assert p.grad.tolist() == (2 * x * x).sum(0).tolist()


def test_an_ensemble_of_modules() -> None:
    """As functorch's tutorial has it."""
    flow.manual_seed(0)
    nn, func = flow.nn, flow.func
    models = [nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.LayerNorm(4), nn.Linear(4, 2)).double() for _ in range(2)]
    state, buffers = func.stack_module_state(models)
    rows = flow.randn(5, 3, dtype=flow.float64)
    outputs = flow.vmap(lambda p, b: func.functional_call(models[0], (p, b), (rows,)))(state, buffers)
    for mine, one in zip(outputs, models):
        assert numpy.allclose(mine.detach().cpu().numpy(), one(rows).detach().cpu().numpy(), rtol=1e-9, atol=1e-12)
    outputs.square().sum().backward()
    assert state["0.weight"].grad.shape == (2, 4, 3)
    models[1](rows).square().sum().backward()
    assert numpy.allclose(state["0.weight"].grad[1].cpu().numpy(), models[1][0].weight.grad.cpu().numpy(), rtol=1e-9)


def test_a_loop_says_so_once() -> None:
    from tritonflow.rules.batch import examples

    examples._warned.discard("nll_loss")
    logits, weights = flow.zeros(2, 3, 4), flow.ones(2, 4)

    def function(x: Any, w: Any) -> Any:
        return flow.nn.functional.nll_loss(x, flow.tensor([0, 1, 2]), weight=w)

    with pytest.warns(UserWarning, match="performance drop"):
        flow.vmap(function)(logits, weights)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        flow.vmap(function)(logits, weights)


def test_empty_batches() -> None:
    x = flow.zeros(0, 3, dtype=flow.float64)
    assert flow.vmap(lambda a: (a @ flow.ones(3, 2, dtype=flow.float64)).sum())(x).shape == (0,)
    assert flow.vmap(flow.func.grad(lambda a: (a * a).sum()))(x).shape == (0, 3)


def test_inside_of_a_graph() -> None:
    x, w = tensors(flow)
    function = flow.vmap(flow.func.grad(loss), in_dims=(None, 0))
    compiled = flow.compile(lambda w, x: function(w, x))
    same(plain(function(w, x)), plain(compiled(w, x)))


def test_a_tensor_that_escapes_is_refused() -> None:
    kept: list[Any] = []
    flow.vmap(lambda a: kept.append(a) or a)(flow.ones(2, 3))
    with pytest.raises(RuntimeError, match="outside of it"):
        kept[0] + 1


class Cube(torch.autograd.Function):
    """Both libraries have the methods below."""

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        x, y = ctx.saved_tensors
        return grad * 3 * x**2 * y, grad * x**3

    @staticmethod
    def jvp(ctx: Any, a: Any, b: Any) -> Any:
        x, y = ctx.saved_tensors
        return (0 if a is None else 3 * x**2 * y * a) + (0 if b is None else x**3 * b)


def cubes(lib: Any) -> list[Any]:
    """The function with a rule that is generated, and with one of its own."""
    shared = {name: Cube.__dict__[name] for name in ("setup_context", "backward", "jvp")}
    forward = staticmethod(lambda x, y: x**3 * y)
    generated = type("Generated", (lib.autograd.Function,), {**shared, "forward": forward, "generate_vmap_rule": True})
    own = type("Own", (lib.autograd.Function,), {**shared, "forward": forward})

    def vmap(info: Any, in_dims: Any, x: Any, y: Any) -> Any:
        assert info.batch_size == 2 and info.randomness == "error" and in_dims == (0, None)
        return own.apply(x, y), 0

    own.vmap = staticmethod(vmap)
    return [generated, own]


def calls_of(lib: Any, cube: Any) -> list[Any]:
    x, y = tensors(lib)[0], tensors(lib)[1][0]

    def total(a: Any, b: Any) -> Any:
        return cube.apply(a, b).sum()

    return [
        lib.vmap(lambda a: cube.apply(a, y))(x),
        lib.vmap(lib.func.grad(total), in_dims=(0, None))(x, y),
        lib.func.grad(lambda y: lib.vmap(total, (0, None))(x, y).prod())(y),
        lib.func.grad(lambda x: lib.vmap(lib.func.grad(total), (0, None))(x, y).sin().sum())(x),
    ]


def test_functions_with_a_rule() -> None:
    same(*[plain([calls_of(lib, cube) for cube in cubes(lib)]) for lib in (torch, flow)])


def test_functions_without_a_rule_are_refused() -> None:
    class Plain(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

    class Late(flow.autograd.Function):
        @staticmethod
        def forward(x: Any) -> Any:
            return x * 2

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            pass

    with pytest.raises(RuntimeError, match="setup_context"):
        flow.vmap(Plain.apply)(flow.ones(2))
    with pytest.raises(RuntimeError, match="does not have vmap support"):
        flow.vmap(Late.apply)(flow.ones(2))


def test_what_a_batched_tensor_is() -> None:
    """For those who look at one: its text, and the tensor of all slices."""
    seen: list[Any] = []

    def look(a: Any) -> Any:
        seen.append((repr(a), flow.func.debug_unwrap(a).tolist(), a.storage_offset()))
        return flow.func.functionalize(lambda b: b.clone().mul_(2))(a)

    assert flow.vmap(look)(flow.ones(2, 1, device="cpu")).tolist() == [[2.0], [2.0]]
    assert seen == [("BatchedTensor(lvl=1, bdim=0, value=\n    tensor([[1.],\n            [1.]])\n)", [[1.0], [1.0]], 0)]
    with pytest.raises(RuntimeError, match="invalid argument for `remove`"):
        flow.func.functionalize(look, remove="views")


def test_ops_of_a_library() -> None:
    x = flow.tensor([[1.0, 2.0], [3.0, 4.0]])

    @flow.library.custom_op("tests_vmap::cube", mutates_args=())
    def cube(a: Any) -> Any:
        return a**3

    assert flow.vmap(cube)(x).tolist() == [[1.0, 8.0], [27.0, 64.0]]
    cube.register_autograd(
        lambda ctx, grad: grad * 3 * ctx.saved_tensors[0] ** 2,
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
    )
    assert flow.vmap(flow.func.grad(lambda a: cube(a).sum()))(x).tolist() == [[3.0, 12.0], [27.0, 48.0]]
    calls = []

    @cube.register_vmap
    def rule(info: Any, in_dims: Any, a: Any) -> Any:
        calls.append((info.batch_size, in_dims, tuple(a.shape)))
        return cube(a), 0

    assert flow.vmap(cube)(x).tolist() == [[1.0, 8.0], [27.0, 64.0]]
    assert calls == [(2, (0,), (2, 2))]


# ------------------------------------------------------------------- numbers that differ from example to example

CUBES = numpy.arange(2 * 36, dtype=numpy.float64).reshape(2, 2, 3, 3, 2) ** 1.5 - 100
ROWS = numpy.array([[0.5, -1.5, 2.0, 0.1], [1.0, 0.25, -0.75, 0.3]])
FIRST, SEVERAL = numpy.array([1, 0]), numpy.array([[1, 0, 1], [0, 0, 1]])


def set_at(x: Any, index: Any, value: Any) -> Any:
    x = x * 1
    x[index] = value
    return x


def increased(x: Any, index: Any, value: Any) -> Any:
    x = x * 1
    x[index] += value
    return x


# of a cube c of shape (2, 3, 3, 2), a row r of 4 numbers, one index k and three indices i
WITH_INDICES: dict[str, Any] = {
    "first": lambda lib, c, r, k, i: c[k],
    "last": lambda lib, c, r, k, i: c[..., k],
    "from the end": lambda lib, c, r, k, i: c[k - 2, :, -1],
    "largest": lambda lib, c, r, k, i: r[r.argmax()] * r[r.argmin()],
    "two": lambda lib, c, r, k, i: c[k, 1, k],
    "beside slices": lambda lib, c, r, k, i: c[:, k, ::2, None],
    "before others": lambda lib, c, r, k, i: c[:, k, :, i],
    "behind others": lambda lib, c, r, k, i: c[:, i, :, k],
    "between others": lambda lib, c, r, k, i: c[i, k, i],
    "around others": lambda lib, c, r, k, i: c[k, i, :, k],
    "with a list": lambda lib, c, r, k, i: c[k, [[0], [2]], i],
    "of what is not batched": lambda lib, c, r, k, i: lib.arange(4.0, dtype=lib.float64)[k] * r,
    "sorted": lambda lib, c, r, k, i: r[r.argsort()[:2]],
    "write": lambda lib, c, r, k, i: set_at(c, k, 0.0),
    "write a row": lambda lib, c, r, k, i: set_at(c, (0, k, slice(0, 2), k), r[:2]),
    "write beside others": lambda lib, c, r, k, i: set_at(c, (slice(None), i, slice(None), k), r[:3]),
    "write at the largest": lambda lib, c, r, k, i: set_at(r, r.argmax(), r.sum()),
    "increase": lambda lib, c, r, k, i: increased(r, k, r[3]),
    "clamp": lambda lib, c, r, k, i: r.clamp(min=r.mean()),
    "clamp above": lambda lib, c, r, k, i: r.clip(max=r.mean()),
    "clamp between": lambda lib, c, r, k, i: r.clamp(r.mean(), r.max() * 0.5),
    "clamp mixed": lambda lib, c, r, k, i: r.clamp(r.mean(), lib.tensor(0.4, dtype=lib.float64)),
    "clamp what is not batched": lambda lib, c, r, k, i: lib.arange(4.0, dtype=lib.float64).clamp(r.mean(), r.max()),
    "clamp in place": lambda lib, c, r, k, i: (r * 1).clamp_(min=r.mean()),
    "clamp_min": lambda lib, c, r, k, i: lib.clamp_max(lib.clamp_min(r, r.mean()), r.max() * 0.5),
    "fill": lambda lib, c, r, k, i: (r * 1).fill_(r.mean()),
    "index_fill": lambda lib, c, r, k, i: r.index_fill(0, i, r.mean()),
    "masked_fill": lambda lib, c, r, k, i: r.masked_fill(r > 0, r.mean()),
}  # fmt: skip


@pytest.mark.parametrize("name", WITH_INDICES)
def test_indices_and_bounds_of_each_example(name: str) -> None:
    """As a loop over the examples, with the gradient."""

    def call(lib: Any, batched: bool) -> Any:
        c, r = (lib.tensor(a, requires_grad=True) for a in (CUBES, ROWS))
        k, i = lib.tensor(FIRST), lib.tensor(SEVERAL)

        def function(*args: Any) -> Any:
            return WITH_INDICES[name](lib, *args)

        if batched:
            found = lib.vmap(function)(c, r, k, i)
        else:
            found = lib.stack([function(c[n], r[n], k[n], i[n]) for n in range(2)])
        wanted = lib.autograd.grad((found * found).sum(), (c, r), allow_unused=True)
        zeros = [lib.zeros(x.shape, dtype=lib.float64) if g is None else g for x, g in zip((c, r), wanted)]
        return [plain(t) for t in (found, *zeros)]

    for mine, right in zip(call(flow, True), call(torch, False)):
        numpy.testing.assert_allclose(mine, right, rtol=1e-12)


def test_an_index_of_each_example_in_a_graph_and_in_nested_calls() -> None:
    r, k = flow.tensor(ROWS), flow.tensor(FIRST)
    right = [ROWS[0, 1], ROWS[1, 0]]
    assert flow.compile(flow.vmap(lambda a, n: a[n]))(r, k).tolist() == right
    assert flow.vmap(flow.vmap(lambda a, n: a[n], (None, 0)), (0, None))(r, k).tolist() == ROWS[:, FIRST].tolist()


@pytest.mark.parametrize(
    "call", [lambda a: a.add(a, alpha=a.sum()), lambda a: a.roll(a.argmax()), lambda a: a[: a.argmax()], lambda a: a.sum(a.argmax())]
)
def test_a_number_of_each_example_where_only_a_number_will_do(call: Any) -> None:
    with pytest.raises(RuntimeError, match=r"vmap over calling .item\(\)"):
        flow.vmap(call)(flow.tensor(ROWS))
