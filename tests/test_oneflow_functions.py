"""The functions and layers that only OneFlow has (tritonflow/compat): values in float64 against torch or NumPy, one gradient each."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch
from torch.nn import functional as TF

import tritonflow as flow

C = flow._C
SCORES = numpy.array([0.9, 0.8, 0.95, 0.7, 0.6])
BOXES = numpy.array([[0, 0, 2, 2], [0.1, 0, 2, 2], [3, 3, 5, 5], [3, 3.2, 5, 5], [8, 8, 9, 9.0]])


def draw(*shape: int) -> Any:
    return numpy.random.default_rng(sum(shape)).standard_normal(shape)


def glu(x: Any, w: Any, b: Any) -> Any:
    hidden, gate = TF.linear(x, w, b).chunk(2, -1)
    return hidden * TF.silu(gate)


def mlp(x: Any, *parts: Any) -> Any:
    return TF.linear(TF.relu(TF.linear(x, parts[0], parts[1])), parts[2], parts[3])


def attention(q: Any, k: Any, v: Any) -> Any:
    q, k, v = (x.reshape(2, 3, 2, -1).transpose(1, 2) for x in (q, k, v))
    return TF.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)


def masked(x: Any) -> Any:
    return torch.softmax(torch.where(torch.tril(torch.ones(3, 3)).bool(), x * 2, -9.0), -1)


def ciou(v: Any, iou: Any, rho2: Any, c2: Any) -> Any:
    return iou - (rho2 / c2 + v * (v / (v - iou + 1.001)).detach())


def interaction(first: Any, second: Any) -> Any:
    rows = torch.cat([first, second], 1)
    i, j = torch.tril_indices(3, 3, -1)
    return (rows @ rows.transpose(1, 2))[:, i, j]


X = draw(2, 3)
GATHER = numpy.array([[[0, 1], [1, 0]], [[2, 2], [0, 1]]])
CASES: dict[str, tuple[Callable[..., Any], Callable[..., Any], list[Any]]] = {
    "batch_gather": (
        lambda x: C.batch_gather(x, flow.tensor([[1, 0, 1], [2, 2, 0]])),
        lambda x: torch.stack([x[0, [1, 0, 1]], x[1, [2, 2, 0]]]),
        [draw(2, 3, 4)],
    ),
    "gather_nd": (
        lambda x: C.gather_nd(x, flow.tensor(GATHER)),
        lambda x: x[GATHER[..., 0], GATHER[..., 1]],
        [draw(3, 3, 2)],
    ),
    "scatter_nd": (
        lambda x: flow.scatter_nd(flow.tensor([[1], [3], [1]]), x, (5, 2)),
        lambda x: torch.zeros(5, 2, dtype=x.dtype).index_put((torch.tensor([1, 3, 1]),), x, True),
        [draw(3, 2)],
    ),
    "tensor_scatter_nd_update": (
        lambda x, u: flow.tensor_scatter_nd_update(x, flow.tensor([[1], [3]]), u),
        lambda x, u: x.index_put((torch.tensor([1, 3]),), u),
        [draw(5, 2), draw(2, 2)],
    ),
    "slice_update": (
        lambda x, u: C.slice_update(x, u, [0, 1], [2, 4], [1, 2]),
        lambda x, u: torch.stack([x[0], x[1]]).index_put((torch.tensor([[0], [1]]), torch.tensor([1, 3])), u),
        [draw(2, 5), draw(2, 2)],
    ),
    "broadcast_like": (lambda x: flow.broadcast_like(x, flow.ones(2, 4, 3), [1]), lambda x: x[:, None].expand(2, 4, 3), [X]),
    "reduce_sum_like": (lambda x: C.reduce_sum_like(x, flow.ones(3, dtype=x.dtype), 0), lambda x: x.sum(0), [X]),
    "split_like": (lambda x: C.split_like(x, [x[:, :1], x[:, 1:]], 1)[1], lambda x: x[:, 1:], [X]),
    "softmax_cross_entropy": (
        C.softmax_cross_entropy, lambda x, y: -(y * torch.log_softmax(x, -1)).sum(-1), [X, numpy.abs(X) / 9],
    ),
    "sparse_softmax_cross_entropy": (
        lambda x: flow.nn.functional.sparse_softmax_cross_entropy(x, flow.tensor([2, 0])),
        lambda x: TF.cross_entropy(x, torch.tensor([2, 0]), reduction="none"),
        [X],
    ),
    "sparse_cross_entropy": (
        lambda x: C.sparse_cross_entropy(x, flow.tensor([2, 5]), 3),
        lambda x: -x[0, 2].log() * torch.tensor([1.0, 0.0], dtype=x.dtype),
        [numpy.abs(X)],
    ),
    "combined_margin_loss": (
        lambda x: C.combined_margin_loss(x, flow.tensor([2, 0]), 1.1, 0.2, 0.3),
        lambda x: torch.where(torch.eye(3)[[2, 0]].bool(), (x.acos() * 1.1 + 0.2).cos() - 0.3, x),
        [X / 4],
    ),
    "bias_add": (lambda x, b: C.bias_add(x, b, 0), lambda x, b: x + b[:, None], [X, draw(2)]),
    "fused_bias_add_gelu": (lambda x, b: C.fused_bias_add_gelu(x, b, axis=1), lambda x, b: TF.gelu(x + b), [X, draw(3)]),
    "fused_glu": (lambda *a: C.fused_glu(*a, activation="silu"), glu, [X, draw(4, 3), draw(4)]),
    "fused_mlp": (
        lambda x, *a: C.fused_mlp(x, [a[0], a[2]], [a[1], a[3]], True), mlp, [X, draw(4, 3), draw(4), draw(2, 4), draw(2)],
    ),
    "fused_matmul_bias": (C.fused_matmul_bias, lambda x, w, b, y: TF.linear(x, w, b) + y, [X, draw(4, 3), draw(4), draw(2, 4)]),
    "fused_scale_mask_softmax": (
        lambda x: C.fused_scale_mask_softmax(x, flow.ones(3, 3).tril().bool(), fill_value=-9.0, scale=2.0),
        masked, [draw(3, 3)],
    ),
    "fused_scale_tril_softmax_mask_scale": (
        lambda x: C.fused_scale_tril_softmax_mask_scale(x, p=0.0, diagonal=0, tril_scale_value=2.0, tril_fill_value=-9.0)[0],
        masked, [draw(3, 3)],
    ),
    "fused_self_attention": (
        lambda x: C.fused_self_attention(x, 2, 0.5)[0],
        lambda x: 0.5 * torch.einsum("qbhd,kbhd->bhqk", x.reshape(3, 2, 2, 6)[..., :2], x.reshape(3, 2, 2, 6)[..., 2:4]),
        [draw(3, 2, 12)],
    ),
    "fused_multi_head_attention_inference": (
        lambda *a: C.fused_multi_head_attention_inference(*a, 2, causal=True), attention, [draw(2, 3, 4), draw(2, 3, 4), draw(2, 3, 4)],
    ),
    "fused_weighted_sum": (lambda *a: C.fused_weighted_sum(list(a), [0.5, 2.0], 3.0), lambda a, b: 1.5 * a + 6 * b, [X, X[::-1].copy()]),
    "fused_dot_feature_interaction": (
        lambda a, b: C.fused_dot_feature_interaction([a, b]), interaction, [draw(2, 1, 4), draw(2, 2, 4)],
    ),
    "fused_cross_feature_interaction": (
        lambda *a: C.fused_cross_feature_interaction(*a, "matrix"),
        lambda x, w, x0, b: (x @ w.T + b) * x0 + x,
        [X, draw(3, 3), draw(2, 3), draw(3)],
    ),
    "rms_layer_norm": (
        lambda x, w: C.rms_layer_norm(x, w, 1e-6), lambda x, w: TF.rms_norm(x, (3,), w, 1e-6), [X, draw(3)],
    ),
    "normalization": (
        lambda x, w, b: C.normalization(x, None, None, w, b, is_training=True),
        lambda x, w, b: TF.batch_norm(x, None, None, w, b, True),
        [draw(4, 3), draw(3), draw(3)],
    ),
    "reciprocal_no_nan": (C.reciprocal_no_nan, lambda x: torch.where(x == 0, 0, 1 / torch.where(x == 0, 1, x)), [numpy.array([0, 2.0])]),
    "fused_get_iou": (lambda *a: C.fused_get_iou(*a, 1e-3), lambda w, h, v, g, i: i / (w * h + v * g - i + 1e-3), list(draw(5, 3) + 4)),
    "fused_get_ciou_result": (lambda *a: C.fused_get_ciou_result(*a, 1e-3)[0], ciou, list(draw(4, 3) + 4)),
    "fused_get_ciou_diagonal_angle": (
        lambda *a: C.fused_get_ciou_diagonal_angle(*a, 0.0),
        lambda w, h, v, g: 4 / math.pi**2 * ((v / g).atan() - (w / h).atan()) ** 2,
        list(draw(4, 3)),
    ),
    "matmul": (lambda x, y: C.matmul(x, y, False, True, 0.5), lambda x, y: 0.5 * x @ y.T, [X, draw(2, 3)]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients(name: str) -> None:
    ours, reference, arrays = CASES[name]
    inputs = [flow.tensor(a, requires_grad=True) for a in arrays]
    others = [torch.tensor(a, requires_grad=True) for a in arrays]
    result, expected = ours(*inputs), reference(*others)
    numpy.testing.assert_allclose(result.detach().cpu().numpy(), expected.detach().numpy(), rtol=1e-10, atol=1e-12)
    weight = draw(*expected.shape)
    gradients = flow.autograd.grad(result, inputs, flow.tensor(weight))
    wanted = torch.autograd.grad(expected, others, torch.tensor(weight))
    for gradient, want in zip(gradients, wanted):
        numpy.testing.assert_allclose(gradient.cpu().numpy(), want.numpy(), rtol=1e-9, atol=1e-11)


def test_boxes_that_remain() -> None:
    kept = flow.nms(flow.tensor(BOXES), flow.tensor(SCORES), 0.5)
    assert kept.tolist() == [2, 0, 4]
    assert C.nms(flow.tensor(BOXES), 0.5, 2).tolist() == [True, False, True, False, False]
    assert flow.nms(flow.zeros(0, 4), flow.zeros(0), 0.5).tolist() == []


def test_boxes_around_and_between() -> None:
    edges = [flow.tensor(BOXES[:, i]) for i in (0, 2)], [flow.tensor(BOXES[:, i]) for i in (1, 3)]
    (x1, x2), (y1, y2) = edges
    other = [t.flip(0) for t in (x1, x2, y1, y2)]
    pairs = (x1, x2, other[0], other[1], y1, y2, other[2], other[3])
    inter = [max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1])) for a, b in zip(BOXES, BOXES[::-1])]
    diagonal = [(max(a[2], b[2]) - min(a[0], b[0])) ** 2 + (max(a[3], b[3]) - min(a[1], b[1])) ** 2 for a, b in zip(BOXES, BOXES[::-1])]
    between = [((a[0] + a[2] - b[0] - b[2]) ** 2 + (a[1] + a[3] - b[1] - b[3]) ** 2) / 4 for a, b in zip(BOXES, BOXES[::-1])]
    numpy.testing.assert_allclose(C.fused_get_intersection_area(*pairs).cpu().numpy(), inter, atol=1e-12)
    numpy.testing.assert_allclose(C.fused_get_convex_diagonal_squared(*pairs, 0.0).cpu().numpy(), diagonal, rtol=1e-12)
    numpy.testing.assert_allclose(C.fused_get_center_dist(*pairs).cpu().numpy(), between, rtol=1e-12)


def test_top_k_and_scores() -> None:
    predictions = flow.tensor([[0.0, 1, 2, 3], [3.0, 2, 1, 0], [1.0, 1, 1, 1], [1.0, math.inf, 0, 0]])
    assert flow.in_top_k(flow.tensor([3, 1, 0, 0]), predictions, 1).tolist() == [True, False, True, False]
    label, scores = flow.tensor([0, 1, 1, 0, 1]), flow.tensor([0.2, 0.2, 0.9, 0.5, 0.1])
    pairs = [(p > n) + 0.5 * (p == n) for p in (0.2, 0.9, 0.1) for n in (0.2, 0.5)]
    assert flow.roc_auc_score(label, scores).item() == pytest.approx(sum(pairs) / 6)


def test_greedy_decoding() -> None:
    classes = [1, 1, 2, 0, 0, 1]  # class 2 is the blank
    scores = flow.full((6, 2, 3), -5.0)
    for step, name in enumerate(classes):
        scores[step, :, name] = -1.0
    lengths = flow.tensor([6, 4])
    decoded, total = C.ctc_greedy_decoder(scores, lengths)
    assert decoded.tolist() == [[1, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0]]
    assert total.tolist() == [[6.0], [4.0]]
    assert C.ctc_greedy_decoder(scores, lengths, False)[0].tolist() == [[1, 1, 0, 0, 1, 0], [1, 1, 0, 0, 0, 0]]


@pytest.mark.parametrize("dtype", [flow.bool, flow.int32])
def test_where_of_a_condition(dtype: Any) -> None:
    condition = flow.tensor([[0, 1], [1, 0]], dtype=dtype)
    x, y = (flow.tensor(draw(2, n), requires_grad=True) for n in (2, 1))
    expected = flow.where(condition.bool(), x, y)
    for result in (condition.where(x, y), x.where(condition.bool(), y)):
        numpy.testing.assert_array_equal(result.detach().numpy(), expected.detach().numpy())
    numpy.testing.assert_array_equal(condition.where(x, 3.0).tolist(), flow.where(condition.bool(), x, 3.0).tolist())


@pytest.mark.parametrize(
    ("error", "text", "call"),
    [
        (RuntimeError, "must match the size of tensor b", lambda x: C.bias_add(x, flow.ones(5))),
        (IndexError, "Dimension out of range", lambda x: C.bias_add(x, flow.ones(5), 3)),
        (RuntimeError, "Tensor a's dim should >= 1", lambda x: C.matmul(flow.ones(()), x, False, False, 1.0)),
        (RuntimeError, "The number of weights should be equal to biases", lambda x: C.fused_mlp(x, [x], [], False)),
        (TypeError, "must be int32 or int64", lambda x: flow.batch_gather(x, x)),
        (RuntimeError, "must be greater than 0", lambda x: C.slice_update(x, x, [0], [1], [0])),
        (TypeError, "The dtype of label must be integer", lambda x: C.sparse_softmax_cross_entropy(x, flow.ones(2))),
        (RuntimeError, "must be equal to the element number", lambda x: C.reshape_like(x, flow.ones(5))),
        (RuntimeError, "The dimension of input tensor", lambda x: flow.nn.functional.deform_conv2d(x, x, x)),
        (AttributeError, "has no attribute 'no_such_op'", lambda x: C.no_such_op(x)),
    ],
)
def test_wrong_calls(error: type, text: str, call: Callable[[Any], Any]) -> None:
    with pytest.raises(error, match=text):
        call(flow.ones(2, 3))


def deformed(x: Any, offset: Any, weight: Any, mask: Any) -> Any:
    """`deform_conv2d` tap by tap, with torch's bilinear sampling: stride (1, 2), padding (1, 0), dilation (2, 1)."""
    height, width, total = x.shape[2], x.shape[3], 0
    for tap in range(6):
        moves = offset.reshape(2, 2, 6, 2, *offset.shape[2:])[:, :, tap].flatten(0, 1)
        y = moves[:, 0] + (torch.arange(offset.shape[2]) - 1 + tap // 3 * 2)[:, None]
        z = moves[:, 1] + torch.arange(offset.shape[3]) * 2 + tap % 3
        grid = torch.stack([2 * z / (width - 1) - 1, 2 * y / (height - 1) - 1], -1)
        pixels = TF.grid_sample(x.reshape(4, 2, height, width), grid, align_corners=True)
        pixels = pixels * mask.reshape(4, 6, 1, *offset.shape[2:])[:, tap]
        total = total + TF.conv2d(pixels.reshape(2, 4, *offset.shape[2:]), weight.flatten(2)[..., tap, None, None], groups=2)
    return total


def test_deformable_convolution() -> None:
    arrays = [draw(2, 4, 5, 7), draw(2, 24, 5, 3) * 2, draw(6, 2, 2, 3), draw(2, 12, 5, 3)]
    ours = [flow.tensor(a, requires_grad=True) for a in arrays]
    theirs = [torch.tensor(a, requires_grad=True) for a in arrays]
    bias = flow.arange(6, dtype=flow.float64)
    x, offset, weight, mask = ours
    result = flow.nn.functional.deform_conv2d(x, offset, weight, bias, (1, 2), (1, 0), (2, 1), mask)
    expected = deformed(*theirs)
    found = (result - bias.reshape(-1, 1, 1)).detach().numpy()
    numpy.testing.assert_allclose(found, expected.detach().numpy(), rtol=1e-9, atol=1e-12)
    result.square().sum().backward()
    (expected + torch.arange(6.0)[:, None, None]).square().sum().backward()
    for a, b in zip(ours, theirs):
        numpy.testing.assert_allclose(a.grad.numpy(), b.grad.numpy(), rtol=1e-8, atol=1e-9)
    plain = flow.nn.functional.deform_conv2d(x, flow.zeros(2, 12, 6, 3).double(), weight, None, (1, 2), (1, 0))
    numpy.testing.assert_allclose(
        plain.detach().numpy(), flow.nn.functional.conv2d(x, weight, None, (1, 2), (1, 0), 1, 2).detach().numpy(), rtol=1e-9, atol=1e-12
    )


def test_contiguous_in_place() -> None:
    weight = flow.tensor(draw(3, 4), requires_grad=True)
    x = weight.t()
    assert x.contiguous_() is x and x.is_contiguous()
    numpy.testing.assert_array_equal(x.detach().numpy(), weight.detach().numpy().T)
    x[0].sum().backward()
    assert weight.grad.tolist() == [[1.0, 0.0, 0.0, 0.0]] * 3


def test_a_global_tensor_goes_to_a_type_of_device() -> None:
    x = flow.ones(2, placement=flow.placement("cpu", [0]), sbp=flow.sbp.broadcast)
    for call in (lambda: x.to("cpp"), lambda: x.to(device="cpp")):
        with pytest.raises(RuntimeError, match="Only string device without device id .* but got cpp"):
            call()


def test_layers() -> None:
    x = flow.randn(4, 3)
    norm = flow.nn.FusedBatchNorm1d(3)
    numpy.testing.assert_array_equal(norm(x, x).detach().numpy(), flow.relu(flow.nn.BatchNorm1d(3)(x) + x).detach().numpy())
    net = flow.nn.FusedMLP(3, [5], 2, [0.5], 0.5).eval()
    expected = mlp(*(torch.tensor(t.detach().numpy()) for t in (x, net.weight_0, net.bias_0, net.weight_1, net.bias_1))).relu()
    numpy.testing.assert_allclose(net(x).detach().numpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
    assert flow.zeros(3, 4).xavier_uniform_().abs().max() > 0


def test_dtypes_of_numpy() -> None:
    for name in ("bool", "uint8", "int8", "int32", "int64", "float16", "float32", "float64"):
        assert flow.convert_oneflow_dtype_to_numpy_dtype(getattr(flow, name)) == numpy.dtype(name)
    with pytest.raises(TypeError, match="numpy has no dtype"):
        flow.convert_oneflow_dtype_to_numpy_dtype(flow.bfloat16)


@pytest.mark.parametrize(("name", "limit"), [("Hardshrink", 0.5), ("Hardshrink", 0.0), ("Softshrink", 0.5), ("Softshrink", 0.0)])
def test_shrinking_layers_take_inplace_as_in_oneflow(name: str, limit: float) -> None:
    values = numpy.array([[-2.0, -0.5, -0.25, 0.0], [0.25, 0.5, 0.75, 1.5]])
    given = torch.tensor(values, requires_grad=True)
    expected = getattr(torch.nn, name)(limit)(given)
    expected.square().sum().backward()
    for layer in (getattr(flow.nn, name)(limit, inplace=True), getattr(flow.nn, name)(limit)):
        for run in (layer, flow.compile(layer)):
            x = flow.tensor(values, requires_grad=True)
            before = (x * 1).T.contiguous().T  # not contiguous
            y = run(before)
            assert (y is before) is layer.inplace
            assert not layer.inplace or numpy.array_equal(before.detach().numpy(), y.detach().numpy())
            assert numpy.array_equal(y.detach().numpy(), expected.detach().numpy())
            y.square().sum().backward()
            assert numpy.array_equal(x.grad.numpy(), given.grad.numpy())
    assert repr(getattr(flow.nn, name)(limit)) == repr(getattr(torch.nn, name)(limit))
    saved = getattr(flow.nn, name)(limit)
    del saved.__dict__["inplace"]  # as torch's pickles have it
    assert saved(flow.tensor(values)).shape == values.shape
