"""Forward mode against torch's, and where it is made of recorded ops."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.autograd.test_func import same
from tests.autograd.test_vmap import W, X, plain, tensors
from tritonflow.autograd import forward_ad

forward_ads = {torch: torch.autograd.forward_ad, flow: forward_ad}


def tangents(lib: Any, function: Any) -> Any:
    x, w = tensors(lib)
    ad = forward_ads[lib]
    with ad.dual_level():
        out = function(lib, ad.make_dual(x, x.cos()), w)
        found = ad.unpack_dual(out)
    return plain([found.primal, found.tangent])


PROGRAMS: list[Any] = [
    lambda lib, x, w: (x @ w).sin() * x,
    lambda lib, x, w: lib.nn.functional.softmax(x, -1).cumsum(0),
    lambda lib, x, w: x.clone().mul_(x)[0].exp(),
    lambda lib, x, w: lib.cat([x, x.detach() * 2])[1:3],
]


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_tangents(number: int) -> None:
    same(tangents(torch, PROGRAMS[number]), tangents(flow, PROGRAMS[number]))


def test_levels() -> None:
    x = flow.tensor([1.0, 2.0])
    with pytest.raises(RuntimeError, match="no level exists"):
        forward_ad.make_dual(x, x)
    with flow.no_grad(), forward_ad.dual_level() as level:
        dual = forward_ad.make_dual(x, flow.ones(2), level=level)
        assert forward_ad.unpack_dual(dual * dual).tangent.tolist() == [2.0, 4.0]
        assert forward_ad.unpack_dual(x * 2).tangent is None
        primal, tangent = forward_ad.unpack_dual(dual)
        assert tangent.tolist() == [1.0, 1.0] and not primal.requires_grad
        with pytest.raises(RuntimeError, match="Nested forward mode"):
            forward_ad.enter_dual_level()
        with pytest.raises(RuntimeError, match="same shape"):
            forward_ad.make_dual(x, flow.ones(3))
        with pytest.raises(ValueError, match="floating point"):
            forward_ad.make_dual(flow.tensor([1]), flow.tensor([1]))
    assert forward_ad.unpack_dual(dual).tangent is None and flow.is_grad_enabled()
    assert forward_ad.enter_dual_level() == 0
    forward_ad.exit_dual_level()
    with pytest.raises(RuntimeError, match="Trying to exit"):
        forward_ad.exit_dual_level()


def hidden(lib: Any, x: Any) -> Any:
    with lib.no_grad():
        c = x * x
        made = lib.empty_like(x)
        made.copy_(c * 2)
        assert not lib.is_grad_enabled()
        with lib.enable_grad():
            y = x * c
    return (c.exp() * x + made * y).sum()


HIDDEN: list[Any] = [
    lambda lib, f, x: f.jvp(lambda x: hidden(lib, x), (x,), (x.cos(),)),
    lambda lib, f, x: f.grad(lambda x: hidden(lib, x))(x),
    lambda lib, f, x: f.jvp(f.grad(lambda x: hidden(lib, x)), (x,), (x.cos(),)),
    lambda lib, f, x: f.grad(lambda x: f.jvp(lambda x: hidden(lib, x), (x,), (x * 0 + 1,))[1])(x),
    lambda lib, f, x: f.jacfwd(f.jacrev(lambda x: hidden(lib, x)))(x),
    lambda lib, f, x: lib.autograd.functional.jacobian(lambda x: hidden(lib, x), x, strategy="forward-mode", vectorize=True),
]


@pytest.mark.parametrize("number", range(len(HIDDEN)))
def test_no_grad_hides_from_gradients_and_not_from_tangents(number: int) -> None:
    same(*[plain(HIDDEN[number](lib, lib.func, tensors(lib)[0][0])) for lib in (torch, flow)])


def test_leaves_are_written_under_no_grad_at_a_level() -> None:
    found = []
    for lib in (torch, flow):
        w, ad = lib.ones(2, requires_grad=True), forward_ads[lib]
        with ad.dual_level():
            dual = ad.make_dual(lib.tensor([1.0, 0.5]), lib.ones(2))
            with lib.no_grad():
                w.add_(1)
                y = dual * w
                with lib.inference_mode():
                    assert ad.unpack_dual(dual * 2).tangent is None
            out = ad.unpack_dual(y * w)
            out.primal.sum().backward()
        assert lib.is_grad_enabled()
        found.append(plain([out.tangent, w.grad]))
    same(*found)


def test_random_numbers_in_columns_of_a_jacobian() -> None:
    x = flow.tensor([1.0, 0.5])
    with pytest.raises(RuntimeError, match="randomness error mode"):
        flow.func.jacfwd(lambda x: x * flow.rand(2))(x)
    with pytest.raises(RuntimeError, match="Only allowed values"):
        flow.func.jacfwd(lambda x: x, randomness="none")
    same_numbers = flow.func.jacfwd(lambda x: x.sum() * flow.rand(2), randomness="same")(x)
    assert (same_numbers[:, 0] == same_numbers[:, 1]).all()
    function = flow.func.jacfwd(lambda x: ((x.sum() * flow.rand(2), x), x * 2), randomness="different", has_aux=True)
    (drawn, eye), aux = function(x)
    assert not (drawn[:, 0] == drawn[:, 1]).any()
    assert eye.tolist() == [[1, 0], [0, 1]] and aux.tolist() == [2, 1]


def test_tangents_have_gradients() -> None:
    found = []
    for lib in (torch, flow):
        x, w = tensors(lib)
        w.requires_grad_()
        ad = forward_ads[lib]
        with ad.dual_level():
            out = ad.unpack_dual((w @ ad.make_dual(x[0], x[1])).sin())
            out.tangent.square().sum().backward()
        found.append(plain([out.primal, w.grad]))
    same(*found)


class Wrong:
    """A jvp that is not the derivative: forward mode must use it, and the check must find it."""

    @staticmethod
    def forward(x: Any) -> Any:
        return x * x

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 2 * ctx.saved_tensors[0]

    @staticmethod
    def jvp(ctx: Any, tangent: Any) -> Any:
        return 3 * tangent * ctx.saved_tensors[0]


def test_the_jvp_of_a_function_is_used() -> None:
    function = type("Wrong", (flow.autograd.Function,), dict(vars(Wrong)))
    x = flow.tensor([1.0, 2.0], dtype=flow.float64, requires_grad=True)
    found = flow.func.jvp(function.apply, (x.detach(),), (flow.ones_like(x.detach()),))[1]
    assert found.tolist() == [3.0, 6.0]
    assert flow.func.jacfwd(function.apply)(x.detach()).tolist() == [[3.0, 0.0], [0.0, 6.0]]
    assert flow.autograd.gradcheck(function.apply, x)
    with pytest.raises(flow.autograd.GradcheckError):
        flow.autograd.gradcheck(function.apply, x, check_forward_ad=True)
    assert not flow.autograd.gradcheck(
        function.apply, x, check_forward_ad=True, check_backward_ad=False, raise_exception=False
    )


def test_gradcheck_of_tangents_and_batches() -> None:
    x = flow.tensor(X, dtype=flow.float64, requires_grad=True)
    w = flow.tensor(W[:2], dtype=flow.float64, requires_grad=True)
    every = {"check_forward_ad": True, "check_batched_grad": True, "check_batched_forward_ad": True}
    assert flow.autograd.gradcheck(lambda x, w: ((x * w).sin(), x.sum(0)), (x, w), **every)
    assert flow.autograd.gradgradcheck(lambda x: x.sin(), (x,), check_fwd_over_rev=True, check_batched_grad=True)


def test_jacobians_by_one_pass() -> None:
    found = []
    for lib in (torch, flow):
        x, w = tensors(lib)
        jacobian = lib.autograd.functional.jacobian
        row = []
        for strategy in ("reverse-mode", "forward-mode"):
            row.append(jacobian(lambda x, w: (x @ w, x.sum()), (x, w), vectorize=True, strategy=strategy))
        row.append(lib.autograd.functional.hessian(lambda x: (x**3).sum().exp(), x[0], vectorize=True))
        row.append(lib.func.jacfwd(lambda x, w: {"a": x @ w}, argnums=(0, 1))(x, w))
        row.append(lib.func.jacrev(lambda x, w: (x @ w, x[0]), argnums=1, chunk_size=3)(x, w))
        found.append(plain(row))
    same(*found)
    assert numpy.shape(found[1][0][0][0]) == (2, 3, 2, 3)


def test_what_a_jvp_reads_is_saved_as_what_a_backward_reads() -> None:
    """The output with its history, and nothing that was written since."""

    class Exp(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x.exp()
            ctx.save_for_forward(y)
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return ctx.saved_tensors[0] * dy

        @staticmethod
        def jvp(ctx: Any, dx: Any) -> Any:
            return ctx.saved_for_forward[0] * dx

    x, one = flow.tensor([0.5, 1.0], dtype=flow.float64), flow.ones(2, dtype=flow.float64)
    second = flow.func.jvp(lambda x: flow.func.jvp(Exp.apply, (x,), (one,))[1], (x,), (one,))[1]
    flow.testing.assert_close(second, x.exp())
    with forward_ad.dual_level():
        y = Exp.apply(forward_ad.make_dual(x, one))
        z = y * 1
        with flow.no_grad():
            y.mul_(2)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            forward_ad.unpack_dual(z)
