"""Ops of one's own (`flow.library`): a user's kernel under autograd, vmap, autocast, on metas and ranks, profiled."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from typing import Any, Optional

import pytest
import triton
import triton.language as tl

import tritonflow as flow
from tritonflow.autograd import gradcheck, gradgradcheck
from tritonflow.testing import simulate

pytestmark = pytest.mark.cpu_only  # a stand-in for a GPU has no driver of Triton's; tests/device/test_launch.py has what GPUs do


@triton.jit
def product_kernel(x, y, out, n, a, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * tl.load(y + i, mask=i < n) * a, mask=i < n)


def launch(x: Any, y: Any, out: Any, a: float = 1.0) -> None:
    n = x.numel()
    product_kernel[(triton.cdiv(n, 32),)](x, y, out, n, a, BLOCK=32)


@flow.library.triton_op("own_ops::product", mutates_args=())
def product(x: flow.Tensor, y: flow.Tensor, a: float = 1.0) -> flow.Tensor:
    """x * y * a."""
    out = flow.empty_like(x)
    launch(x.contiguous(), y.contiguous(), out, a)
    return out


def _product_backward(ctx: Any, dout: Any) -> Any:
    x, y = ctx.saved_tensors
    return product(dout, y, ctx.a), product(dout, x, ctx.a), None


def _save(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs[:2])
    ctx.a = inputs[2]


product.register_autograd(_product_backward, setup_context=_save)
product.register_sbp("n, n -> n")


@product.register_vmap
def _(info: Any, in_dims: Any, x: Any, y: Any, a: float) -> Any:
    wholes = [t.movedim(dim, 0) if dim is not None else t.expand(info.batch_size, *t.shape) for t, dim in zip((x, y), in_dims)]
    return product(*wholes, a), 0


@flow.library.triton_op("own_ops::scale_", mutates_args=("x",))
def scale_(x: flow.Tensor, y: flow.Tensor) -> None:
    launch(x, y, x)


x, y = flow.randn(40), flow.randn(40)


def test_a_call_and_its_schema() -> None:
    assert (product(x, y, 2.0) == x * y * 2).all() and (product(y=y, x=x) == x * y).all()
    assert product.__doc__ == "x * y * a." and repr(product) == "<CustomOp(own_ops::product)>"
    wrong = "own_ops::product.. Expected a value of type '{}' for argument '{}' but instead found type '{}'"
    for args, text in (((x, 1), ("Tensor", "y", "int")), ((x, y, "2"), ("float or int", "a", "str")), ((None, y), ("Tensor", "x", "NoneType"))):
        with pytest.raises(RuntimeError, match=wrong.format(*text)):
            product(*args)
    with pytest.raises(RuntimeError, match=wrong.format("Tensor", "x", "torch.Tensor")):
        product(flow.to_torch(x), y=y)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        product(x)
    with pytest.raises(TypeError, match="unexpected keyword argument 'b'"):
        product(x, y, b=1)
    assert copy.deepcopy(product) is product and pickle.loads(pickle.dumps(product)) is product
    with pytest.raises(RuntimeError, match="product_kernel: Triton has no complex numbers, at .*test_own_ops.py:.*view_as_real"):
        launch(x, y, flow.empty(40, dtype=flow.complex64))


def test_schemas_of_annotations_and_texts() -> None:
    def function(x: flow.Tensor, y: Optional[flow.Tensor], z: flow.Tensor | None, sizes: Sequence[int], *, flag: bool = False) -> None:  # noqa: UP045
        pass

    for schema in ({}, {"schema": "(Tensor x, Tensor? y, Tensor? z, int[] sizes, *, bool flag=False) -> ()"}):
        op = flow.library.custom_op("own_ops::annotated", function, mutates_args=(), **schema)
        op(x, None, None, [1, 2], flag=True)
        op(x, x, x, (1,))
        for args, options in (((x, 1, None, []), {}), ((x, None, "z", []), {}), ((x, None, None, 3), {}), ((x, None, None, []), {"flag": 1.5})):
            with pytest.raises(RuntimeError, match="Expected a value of type"):
                op(*args, **options)
    with pytest.raises(RuntimeError, match="mutates_args names out; the parameters are x"):
        flow.library.custom_op("own_ops::nothing", lambda x: x, mutates_args=("out",))
    for text in ("Tensor x", "(Matrix x) -> Tensor", "(Tensor) -> Tensor"):
        with pytest.raises(RuntimeError, match="schema"):
            flow.library.custom_op("own_ops::nothing", lambda x: x, mutates_args=(), schema=text)


def test_derivatives() -> None:
    a, b = flow.randn(5, dtype=flow.float64, requires_grad=True), flow.randn(5, dtype=flow.float64, requires_grad=True)
    assert gradcheck(lambda a, b: product(a, b, 3.0), (a, b)) and gradgradcheck(lambda a, b: product(a, b, 3.0), (a, b))
    with flow.no_grad():
        assert product(a, b).grad_fn is None
    assert product(a.detach(), b.detach()).grad_fn is None


def test_without_a_derivative_backward_is_an_error() -> None:
    op = flow.library.triton_op("own_ops::opaque", lambda x: x * 2, mutates_args=())
    z = op(x.clone().requires_grad_())
    assert z.requires_grad
    with pytest.raises(RuntimeError, match="Trying to backward through own_ops::opaque but no autograd formula was registered"):
        z.sum().backward()


def test_lists_and_keywords_have_gradients() -> None:
    @flow.library.custom_op("own_ops::weighted", mutates_args=())
    def weighted(xs: list[flow.Tensor], bias: flow.Tensor, *, weight: float = 1.0) -> list[flow.Tensor]:
        return [each * weight + bias for each in xs]

    def save(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Any) -> None:
        ctx.weight = keyword_only_inputs["weight"]
        assert isinstance(output, list)  # as torch has it, and as the function returns it

    weighted.register_autograd(lambda ctx, grads: ([g * ctx.weight for g in grads], sum(grads)), setup_context=save)
    leaves = [x.clone().requires_grad_(), y.clone().requires_grad_()]
    bias = flow.zeros(40, requires_grad=True)
    first, second = found = weighted(leaves, bias, weight=3.0)
    assert isinstance(found, list)
    (first + 2 * second).sum().backward()
    assert [t.grad[0].item() for t in (*leaves, bias)] == [3.0, 6.0, 3.0]


def test_what_is_written_is_said() -> None:
    z = x.clone()
    version = z._version
    scale_(z, y)
    assert (z == x * y).all() and z._version > version
    written = flow.library.triton_op("own_ops::unsaid", lambda x, out: launch(x, x, out), mutates_args=())
    with pytest.raises(RuntimeError, match="own_ops::unsaid: its function wrote the argument out, which mutates_args does not name"):
        written(x, z)
    with pytest.raises(RuntimeError, match="which mutates_args does not name"):
        flow.compile(lambda z: written(x, z), fullgraph=True)(z)
    unknown = flow.library.triton_op("own_ops::unknown", lambda x, out: launch(x, x, out), mutates_args="unknown")
    unknown(x, z)
    for out in (x.clone().requires_grad_(), x.clone().requires_grad_() * 1):
        with pytest.raises(RuntimeError, match="a leaf Tensor that requires grad|own_ops::unknown writes a tensor that requires grad"):
            unknown(x, out)
    scale_(z, z)  # one tensor for both
    leaf = x.clone().requires_grad_()
    with pytest.raises(RuntimeError, match="a leaf Tensor that requires grad is being used in an in-place operation"):
        scale_(leaf, y)
    saved = leaf * 1
    loss = (saved * saved).sum()
    scale_(saved.detach(), y)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    with pytest.raises(RuntimeError, match="Cannot register autograd formula for non-functional operator own_ops::scale_"):
        scale_.register_autograd(_product_backward)


def test_vmap() -> None:
    xs = flow.randn(3, 40)
    assert (flow.vmap(product, (0, None))(xs, y) == xs * y).all()
    grads = flow.vmap(flow.func.grad(lambda x: product(x, y, 2.0).sum()))(xs)
    assert (grads == (2 * y).expand(3, 40)).all()
    no_rule = flow.library.triton_op("own_ops::no_rule", lambda x: launch(x, x, flow.empty_like(x)), mutates_args=())
    with pytest.raises(RuntimeError, match="vmap: product_kernel: a kernel takes no tensors of several examples, at .*test_own_ops.py:"):
        flow.vmap(no_rule)(xs)


def test_on_the_meta_device() -> None:
    meta = flow.empty(7, 2, device="meta")
    found = product(meta, meta)
    assert found.is_meta and found.shape == (7, 2)
    reads = flow.library.custom_op("own_ops::reads", lambda x: x.new_zeros(int(x.sum().item())), mutates_args=())
    with pytest.raises(NotImplementedError, match="meta"):
        reads(meta)
    reads.register_fake(lambda x: x.new_empty(3))
    assert reads(meta).shape == (3,) and reads(flow.ones(2)).shape == (2,)


def test_autocast() -> None:
    seen = []

    @flow.library.custom_op("own_ops::cast", mutates_args=())
    def op(x: flow.Tensor, others: list[flow.Tensor]) -> flow.Tensor:
        seen.append([x.dtype, *[t.dtype for t in others], flow.is_autocast_enabled("cpu")])
        return x * 1

    inputs = x, [x.double(), flow.arange(3)]
    flow.library.register_autocast(op, "cpu", flow.bfloat16)
    with flow.autocast("cpu"):
        assert op(*inputs).dtype is flow.bfloat16
    assert op(*inputs).dtype is flow.float32
    rest = [flow.float64, flow.int64, False]
    assert seen == [[flow.bfloat16, *rest], [flow.float32, *rest]]
    with pytest.raises(RuntimeError, match="autocast knows 'cpu' and 'cuda', not 'tpu'"):
        op.register_autocast("tpu", flow.bfloat16)


def test_an_op_is_not_explained() -> None:
    """Nothing is boxed, and nothing computed, while a call is explained: an op's function would do both."""
    a = flow.ones(8, placement=flow.placement("cpu", [0]), sbp=flow.sbp.split(0))
    assert flow.boxing.explain(lambda x: x * x, a) is not None
    with pytest.raises(NotImplementedError, match="own_ops::product: flow.boxing.explain of an op of one's own"):
        flow.boxing.explain(lambda x: product(x, x, 2.0), a)


def test_on_ranks() -> None:
    """Split where the rule allows it; broadcast without one; gradients flow."""
    whole = flow.library.triton_op("own_ops::whole", lambda x: x.cumsum(0), mutates_args=())
    total = flow.library.triton_op("own_ops::total", lambda x: x.sum(0), mutates_args=())
    total.register_sbp("n m -> m")

    def program() -> Any:
        ranks = flow.placement("cpu", [0, 1])
        a = x.to_global(ranks, flow.sbp.broadcast).to_global(ranks, flow.sbp.split(0)).detach().requires_grad_()
        b = y.to_global(ranks, flow.sbp.broadcast)
        z = product(a, b, 2.0)
        z.sum().backward()
        rows = a.detach().reshape(20, 2)
        sums, behind = total(rows), whole(rows)
        in_place = a.detach().clone()
        scale_(in_place.to_global(ranks, flow.sbp.broadcast), b)
        layouts = [str(t.sbp[0]) for t in (z, sums, behind)]
        return layouts, *[t.to_global(ranks, flow.sbp.broadcast).to_local().tolist() for t in (z, a.grad, sums, behind)]

    expected = [x * y * 2, y * 2, x.reshape(20, 2).sum(0), x.reshape(20, 2).cumsum(0)]
    for layouts, *found in simulate(2)(program)():
        assert layouts == ["S0", "P", "B"]
        for mine, theirs in zip(found, expected):
            assert flow.allclose(flow.tensor(mine), theirs, atol=1e-5)
    with pytest.raises(RuntimeError, match="expected a factor string such as"):
        whole.register_sbp("n m")


def test_a_local_tensor_among_global_ones() -> None:
    everywhere = flow.ones(40, placement=flow.placement("cpu", [0]), sbp=flow.sbp.broadcast)
    with pytest.raises(RuntimeError, match="own_ops::product: some tensors are global .consistent., and one of size .40. is local"):
        product(everywhere, x)
    flow.library.impl("own_ops::composite", "default", lambda x: x * 2)
    split = everywhere.to_global(sbp=flow.sbp.split(0))
    assert flow.library.find_op("own_ops::composite")(split).sbp == (flow.sbp.split(0),)
    with pytest.raises(RuntimeError, match="product_kernel: a kernel takes local tensors, .* at .*test_own_ops.py:.*register_sbp"):
        launch(everywhere, everywhere, everywhere)


def test_the_profiler_has_its_name() -> None:
    with flow.profiler.profile() as prof:
        product(x, y)
        launch(x, y, flow.empty(40))
    found = [(average.kind, average.name) for average in prof.key_averages()]
    assert ("range", "own_ops::product") in found
    assert ("instruction", "own_ops::product.product_kernel") in found and ("instruction", "product_kernel") in found


def test_opcheck() -> None:
    leaf = x.clone().requires_grad_()
    assert set(flow.library.opcheck(product, (leaf, y), {"a": 2.0}).values()) == {"SUCCESS"}
    assert set(flow.library.opcheck("own_ops::scale_", (x, y)).values()) == {"SUCCESS"}
    alias = flow.library.custom_op("own_ops::alias", lambda x: x.reshape(-1), mutates_args=())
    alias.register_fake(lambda x: x.new_empty(2))
    found = flow.library.opcheck(alias, (leaf,), raise_exception=False)
    assert "shares its memory" in str(found["test_schema"]) and "no derivative" in str(found["test_autograd_registration"])
    assert "on the meta device it gives" in str(found["test_faketensor"])
    assert "shares memory" in str(found["test_aot_dispatch_dynamic"])
    with pytest.raises(RuntimeError, match="shares its memory"):
        flow.library.opcheck(alias, (x,), test_utils="test_schema")
    for wrong in ({"test_utils": "test_nothing"}, {"op": "own_ops::never"}):
        with pytest.raises(RuntimeError, match="opcheck"):
            flow.library.opcheck(**{"op": alias, "args": (x,), **wrong})
