"""Wrong calls: an error at the call, in the text that OneFlow or torch users know, and every tensor as it was."""

from __future__ import annotations

import ctypes
import re
import threading
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests import where
from tests.ops.sides import ours, twins
from tritonflow.device.device import Device
from tritonflow.device.provider import get_provider

# Evaluated with `flow`, and the tensors of `_tensors`.
CALLS: dict[str, list[tuple[str, type[Exception], str]]] = {
    "types": [
        ("flow.relu(1)", TypeError, "relu(): argument 'x' must be tensor, not int"),
        ("flow.exp(None)", TypeError, "exp(): argument 'x' must be tensor, not NoneType"),
        ("flow.exp([1.0])", TypeError, "exp(): argument 'x' must be tensor, not list"),
        ("flow.tensordot(s, s, float('nan'))", RuntimeError, "both dimension lists should have same length"),
        ("flow.tensordot(flow.tensor(2.5), s, ([0], [0]))", IndexError, "Dimension specified as 0 but tensor has no dimensions"),
        ("flow.nn.functional.interpolate(x[None], ['a'], mode='linear')", TypeError, "must be a number or a sequence of them"),
        ("flow.nn.functional.bilinear(flow.tensor(2.5), s, x[None], None)", RuntimeError, "inputs must have a dimension"),
        ("flow.cat(x)", TypeError, "cat(): argument 'tensors' must be tensor tuple, not Tensor"),
        ("flow.cat([x, 1])", TypeError, "cat(): argument 'tensors' must be tensor tuple"),
        ("flow.softmax(x, 'a')", TypeError, "softmax(): argument 'dim' must be int32, not str"),
        ("flow.sum(x, 1.5)", TypeError, "sum(): argument 'dim' must be int32 list, not float"),
        ("x.reshape('a')", TypeError, "reshape(): argument 'shape' must be shape"),
        ("x.permute(0.5)", TypeError, "permute(): argument 'dims' must be int32 list"),
        ("flow.sum(x, dtype='float')", TypeError, "sum(): argument 'dtype' must be data type, not str"),
        ("x.logical_or('a')", TypeError, "but the arguments were: (Tensor, str)"),
        ("flow.sub('a', x)", TypeError, "but the arguments were: (str, Tensor)"),
        ("flow.nn.functional.adaptive_avg_pool2d(x[None], None)", TypeError, "argument 'output_size' must be int, or a tuple of"),
        ("flow.nn.functional.adaptive_avg_pool2d(x[None], (2, 'a'))", TypeError, "argument 'output_size' must be int, or a tuple of"),
        ("x @ 1", TypeError, "matmul(): argument 'other' must be tensor, not int"),
        ("x + 'a'", TypeError, "unsupported operand type(s) for +: 'Tensor' and 'str'"),
        ("flow.add(x, 'a')", TypeError, "add(): received an invalid combination of arguments. The valid signatures are:"),
        ("x * None", TypeError, "mul(): received an invalid combination of arguments"),
        ("x.__setitem__('a', 1)", IndexError, "only integers, slices (`:`), ellipsis (`...`), None and long or byte"),
        ("flow.tensor('abc')", TypeError, "tensor(): cannot make a tensor of str"),
        ("flow.tensor([[1], [1, 2]])", ValueError, "tensor(): the sequences given do not form a rectangular array"),
        ("flow.from_numpy([1])", TypeError, "expected np.ndarray (got list)"),
        ("flow.from_torch(1)", TypeError, "from_torch(): argument 'x' must be torch.Tensor, not int"),
        ("(leaf * 2).backward('a')", TypeError, "gradients can be either Tensors or None, but got str"),
        ("setattr(x, 'grad', 1)", TypeError, "assigned grad expected to be a Tensor or None but got grad of type int"),
    ],
    "counts": [
        ("flow.relu()", TypeError, "relu(): missing required argument x"),
        ("flow.relu(x, True, 3)", TypeError, "relu(): takes 2 positional arguments but 3 were given"),
        ("flow.add(x)", TypeError, "add(): expected two tensors or more, or a tensor and a number, but got 1 tensor"),
        ("flow.matmul(x)", TypeError, "matmul(): missing required argument other"),
        ("x.exp(1, 2)", TypeError, "exp(): takes 2 positional arguments but 3 were given"),
        ("x.transpose(0)", TypeError, "transpose(): missing required argument dim1"),
    ],
    "keywords": [
        ("flow.relu(x, y=1)", TypeError, "relu(): got an unexpected keyword argument 'y'"),
        ("flow.sum(x, axis_=1)", TypeError, "sum(): got an unexpected keyword argument 'axis_'"),
        ("flow.add(x, x, gamma=2)", TypeError, "but the arguments were: (Tensor, Tensor, gamma=int)"),
        ("flow.relu(x, x=x)", TypeError, "got multiple values for argument 'x'"),
    ],
    "shapes": [
        ("flow.nn.functional.max_pool2d(x[None], 1, 1, [])", RuntimeError, "max_pool2d(): argument 'padding' must be one integer or 2"),
        ("flow.nn.functional.avg_pool2d(x[None], (1, 1, 9))", RuntimeError, "avg_pool2d(): argument 'kernel_size' must be one integer"),
        ("flow.nn.functional.max_pool1d(x, (1, 1))", RuntimeError, "max_pool1d(): argument 'kernel_size' must be one integer, but"),
        ("flow.nn.functional.conv2d(x[None], x[None, None], stride=(1, 1, 9))", RuntimeError, "conv2d(): argument 'stride' must be"),
        ("flow.nn.functional.max_pool2d(x[None], 1, 2**65)", ValueError, "max_pool2d(): argument 'stride' must fit int64, but got"),
        ("flow.nn.functional.adaptive_avg_pool1d(x[None], [])", RuntimeError, "output_size must be 1, but got 0 sizes"),
        ("flow.nn.functional.scaled_dot_product_attention(x, x, x, enable_gqa=True)", IndexError, "enable_gqa expects query, key and"),
        ("x + y", RuntimeError, "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"),
        ("x.mul_(y)", RuntimeError, "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"),
        ("s.add_(x)", RuntimeError, "output with shape [3] doesn't match the broadcast shape [2, 3]"),
        ("x.view(5)", RuntimeError, "shape '[5]' is invalid for input of size 6"),
        ("x.reshape(-1, -1)", RuntimeError, "only one dimension can be inferred"),
        ("x.t().view(6)", RuntimeError, "view size is not compatible with input tensor's size and stride"),
        ("x.expand(3, 3)", RuntimeError, "The expanded size of the tensor (3) must match the existing size (2)"),
        ("x @ x", RuntimeError, "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"),
        ("flow.cat([x, y])", RuntimeError, "Tensors must have same number of dimensions: got 2 and 1"),
        ("flow.stack([x, y])", RuntimeError, "stack expects each tensor to be equal size, but got [2, 3] at entry 0 and [4]"),
        ("x.permute(0)", RuntimeError, "number of dimensions in the tensor input does not match the length"),
        ("x.permute(0, 0)", RuntimeError, "permute(): duplicate dims are not allowed."),
        ("x.backward(y)", RuntimeError, "does not require grad"),
        ("(leaf * 2).backward(y)", RuntimeError, "Mismatch in shape: grad_output"),
        ("(leaf * 2).backward()", RuntimeError, "Grad can be implicitly created only for scalar outputs"),
        ("setattr(leaf, 'grad', y)", RuntimeError, "assigned grad has data of a different size"),
    ],
    "dims": [
        ("flow.softmax(x, 2)", IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 2)"),
        ("flow.sum(x, 5)", IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 5)"),
        ("x.transpose(0, 5)", IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 5)"),
        ("x.unsqueeze(-4)", IndexError, "Dimension out of range (expected to be in range of [-3, 2], but got -4)"),
        ("flow.sum(x, (0, 0))", RuntimeError, "dim 0 appears multiple times in the list of dims"),
        ("x.size(2)", IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 2)"),
        ("flow.tensor(1.0).select(0, 0)", IndexError, "select() cannot be applied to a 0-dim tensor."),
    ],
    "dtypes": [
        ("flow.softmax(i, 0)", NotImplementedError, "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'"),
        ("i.exp_()", RuntimeError, "result type"),
        ("i.div_(2)", RuntimeError, "can't be cast to the desired output type"),
        ("i.add_(1.5)", RuntimeError, "can't be cast to the desired output type"),
        ("b.add_(1)", RuntimeError, "can't be cast to the desired output type"),
        ("b - b", RuntimeError, "Subtraction, the `-` operator, with two bool tensors is not supported"),
        ("x @ i.reshape(3, 1)", RuntimeError, "have the same dtype"),
        ("i.requires_grad_()", RuntimeError, "only Tensors of floating point and complex dtype can require gradients"),
        ("flow.add(i, i, alpha=0.5)", RuntimeError, "For integral input tensors, argument alpha must not be a floating point"),
    ],
    "indices": [
        ("x[5]", IndexError, "Index out of range (expected to be in range of [-2,1], but got 5)"),
        ("x[5]", IndexError, "out of bounds for dimension 0 with size 2"),
        ("x[0, -4]", IndexError, "out of"),
        ("x[0, 0, 0]", IndexError, "too many indices for tensor of dimension 2"),
        ("x[1.5]", IndexError, "only integers, slices (`:`), ellipsis (`...`), None and long or byte"),
        ("x[[0, 2]]", IndexError, "index 2 is out of bounds for dimension 0 with size 2"),
        ("x[x]", IndexError, "tensors used as indices must be long, int, byte or bool tensors"),
        ("x[b]", IndexError, "The shape of the mask [4] at index 0 does not match the shape of the indexed tensor [2, 3]"),
        ("x[[0, 1], [0, 1, 2]]", IndexError, "shape mismatch: indexing tensors could not be broadcast together"),
        ("flow.empty(2, 0)[:, [0, 1]]", IndexError, "index is out of bounds for dimension with size 0"),
        ("flow.empty(0, 2).__setitem__([0, 1], 1.0)", IndexError, "index is out of bounds for dimension with size 0"),
        ("flow.empty(0, 2).index_fill_(0, i, 1.0)", IndexError, "index is out of bounds for dimension with size 0"),
        ("flow.empty(2, 3)[:, 3:].scatter_(1, i.reshape(1, 3), 1.0)", IndexError, "out of bounds for dimension 1 with size 0"),
        ("flow.empty(0, 2).gather(0, i.reshape(3, 1))", IndexError, "out of bounds for dimension 0 with size 0"),
        ("x.__setitem__([0, 2], 1.0)", IndexError, "index 2 is out of bounds for dimension 0 with size 2"),
        ("x.__setitem__(0, y)", RuntimeError, "must match"),
        ("flow.set_rng_state(i)", TypeError, "argument 'state' must be the tuple of two ints that get_state() gives, not Tensor"),
        ("x[::-1]", ValueError, "step must be greater than zero"),
        ("x[::-1]", RuntimeError, "step must be greater than zero"),  # OneFlow's class
        ("x[::0]", ValueError, "slice step cannot be zero"),
        ("x[::0]", RuntimeError, "slice step cannot be zero"),
        ("x[0.0:2.0]", TypeError, "slice indices must be integers or None"),
        ("x[0.0:2.0]", RuntimeError, "slice indices must be integers or None"),
        ("flow.gather(x, 0, i.reshape(1, 3))", IndexError, "index 2 is out of bounds for dimension 0 with size 2"),
        ("flow.index_select(x, 0, i)", IndexError, "out of"),
        ("x.scatter_(0, i.reshape(1, 3), x * 1)", IndexError, "index 2 is out of bounds for dimension 0 with size 2"),
        ("x.scatter_add_(0, i.reshape(1, 3), x * 1)", IndexError, "index 2 is out of bounds for dimension 0 with size 2"),
        ("flow.nn.functional.embedding(i, x)", IndexError, "out of"),
        ("flow.nn.functional.cross_entropy(x, i[:2] + 2)", IndexError, "Target"),
    ],
    "reductions of nothing": [
        ("z.max()", RuntimeError, "max(): Expected reduction dim to be specified for input.numel() == 0"),
        ("z.argmax()", IndexError, "argmax(): Expected reduction dim to be specified for input.numel() == 0"),
        ("flow.amax(z, 0)", IndexError, "amax(): Expected reduction dim 0 to have non-zero size."),
        ("z.argmax(0)", IndexError, "argmax(): Expected reduction dim 0 to have non-zero size."),
        ("z.item()", RuntimeError, "a Tensor with 0 elements cannot be converted to Scalar"),
        ("bool(z)", RuntimeError, "Boolean value of Tensor with no values is ambiguous"),
        ("bool(x)", RuntimeError, "Boolean value of Tensor with more than one value is ambiguous"),
        ("len(flow.tensor(1.0))", TypeError, "len() of a 0-d tensor"),
    ],
    "in place": [
        ("leaf.add_(1)", RuntimeError, "a leaf Tensor that requires grad is being used in an in-place operation."),
        ("leaf[0].mul_(2)", RuntimeError, "a view of a leaf Tensor that requires grad is being used in an in-place operation."),
        ("leaf.__setitem__(0, 1.0)", RuntimeError, "a view of a leaf Tensor that requires grad is being used in an in-place"),
        ("leaf.zero_()", RuntimeError, "a leaf Tensor that requires grad is being used in an in-place operation."),
        ("leaf.__iadd__(1)", RuntimeError, "a leaf Tensor that requires grad is being used in an in-place operation."),
        ("e.add_(1)", RuntimeError, "more than one element of the written-to tensor refers to a single memory location"),
        ("s.__setitem__(0, x)", RuntimeError, "output with shape [] doesn't match the broadcast shape"),
        ("e.copy_(x)", RuntimeError, "more than one element of the written-to tensor refers to a single memory location"),
    ],
    "numbers out of range": [
        ("flow.nn.functional.one_hot(flow.tensor([-1]))", RuntimeError, "Class values must be non-negative"),
        ("flow.nn.functional.one_hot(flow.tensor([-1, 2]))", RuntimeError, "Class values must be non-negative"),
        ("flow.nn.functional.one_hot(i, 2)", RuntimeError, "smaller than num_classes"),
        ("flow.nn.functional.one_hot(i, -2)", RuntimeError, "Class values must be smaller than num_classes"),
        ("flow.nn.functional.one_hot(i, 0)", RuntimeError, "Class values must be smaller than num_classes"),
        ("flow.nn.functional.one_hot(z.long(), 0)", RuntimeError, "Can not infer total number of classes from empty tensor."),
        ("flow.randint(0, 2**65, (2,))", RuntimeError, "to - 1 is out of bounds for int64"),
        ("flow.randint(-2**63 - 1, 0, (2,))", RuntimeError, "from is out of bounds for int64"),
        ("flow.randint(0, 300, (2,), dtype=flow.int8)", RuntimeError, "to - 1 is out of bounds for int8"),
        ("flow.randint(0, 70000, (2,), dtype=flow.float16)", RuntimeError, "to - 1 is out of bounds for float16"),
        ("i.to(flow.uint8).random_(-1, 5)", RuntimeError, "from is out of bounds for uint8"),
        ("flow.bernoulli(flow.tensor([0.5, 2.0]))", RuntimeError, "bernoulli expects every element of the input to be in [0, 1]"),
        ("flow.bernoulli(flow.tensor([float('nan')]))", RuntimeError, "bernoulli expects every element"),
        ("flow.bernoulli(x, 2.0)", RuntimeError, "bernoulli expects p to be in [0, 1], but got p=2.0"),
        ("flow.as_strided(x, (3, 3), (2, 2))", RuntimeError, "are out of bounds for storage of size 24 bytes"),
        ("flow.as_strided(flow.zeros(4), (2,), (1,), 3)", RuntimeError, "are out of bounds for storage of size 16 bytes"),
        ("flow.as_strided(flow.zeros(8)[4:], (4,), (1,), 5)", RuntimeError, "are out of bounds for storage of size 32 bytes"),
        ("flow.as_strided(flow.zeros(8)[:4].detach().data, (9,), (1,))", RuntimeError, "storage of size 32 bytes"),
        ("flow.as_strided(flow.zeros(0), (1,), (1,))", RuntimeError, "are out of bounds for storage of size 0 bytes"),
        ("flow.nn.functional.pad(flow.zeros(0), (1, -1))", RuntimeError, "narrow(): length must be non-negative"),
        ("flow.std(x, 0, correction=2**65)", OverflowError, "a number does not fit into its type"),
        ("flow.topk(flow.tensor(1.0), 2)", IndexError, "selected index k out of range"),
        ("flow.median(flow.tensor(1.0), 2)", IndexError, "Dimension out of range"),
        ("flow.flatten(flow.tensor(1.0), 1)", IndexError, "Dimension out of range"),
        ("flow.movedim(flow.tensor(1.0), 1, 0)", IndexError, "Dimension out of range (expected to be in range of [-1, 0], but got 1)"),
        *[(f"flow.{name}(10**13)", RuntimeError, " out of memory: tried to allocate") for name in ("zeros", "empty", "randn", "arange")],
        ("flow.zeros(1).expand(10**13) + 1", RuntimeError, " out of memory: tried to allocate"),
        ("flow.eye(10**8)", RuntimeError, " out of memory: tried to allocate"),
        ("flow.zeros(10**10, 10**10)", RuntimeError, "Storage size calculation overflowed with sizes=[10000000000, 10000000000]"),
        ("flow.rand(2**32, 2**31)", RuntimeError, "Storage size calculation overflowed with sizes=[4294967296, 2147483648]"),
        ("flow.arange(1e30)", RuntimeError, " out of memory: tried to allocate"),
        ("flow.tensor(2**70)", ValueError, "Overflow when unpacking long long"),
        ("flow.tensor([1, -2**63 - 1])", ValueError, "Overflow when unpacking long long"),
        ("flow.tensor(10**400, dtype=flow.float32)", OverflowError, "int too large to convert to float"),
        ("flow.normal(0.0, float('nan'), (2,))", RuntimeError, "normal expects std >= 0.0, but found std nan"),
        ("x.exponential_(float('nan'))", RuntimeError, "exponential_ expects lambda > 0.0, but found lambda=nan"),
        ("x.uniform_(0, float('inf'))", RuntimeError, "uniform_: to must be finite"),
        ("flow.nn.functional.batch_norm(x, None, None, training=True, eps=-1.0)", ValueError, "eps must be positive during training"),
        ("flow.optim.Adam([leaf], eps=float('nan'))", ValueError, "Invalid epsilon value: nan"),
        ("flow.optim.SGD([leaf], lr=float('nan'))", ValueError, "Invalid learning rate: nan"),
        ("flow.device('cuda', -2)", RuntimeError, "Device index must not be negative"),
        ("flow.add(x, x, alpha=True)", RuntimeError, "Boolean alpha only supported for Boolean results."),
        ("flow.sub(x, 1, alpha=True)", RuntimeError, "Boolean alpha only supported for Boolean results."),
        ("flow.nn.functional.hardtanh(x, 2, 1)", ValueError, "min_val cannot be greater than max_val"),
        ("flow.nn.functional.celu(x, 0.0)", RuntimeError, "ZeroDivisionError: alpha cannot be 0 for CELU"),
        ("flow.nn.functional.softshrink(x, -1.0)", RuntimeError, "lambda must be in range [0, 3.40282e+38] for input dtype Float"),
        ("flow.nn.functional.adaptive_avg_pool2d(x[None], 2**40)", RuntimeError, " out of memory: tried to allocate"),
        ("flow.nn.functional.cross_entropy(x, i[:2], ignore_index=2**63)", ValueError, "'ignore_index' must fit int64, but got"),
        ("flow.nn.functional.nll_loss(x, i[:2], ignore_index=2**63)", ValueError, "'ignore_index' must fit int64, but got"),
        ("flow.sum(leaf, dtype=flow.int64)", RuntimeError, "Autograd not support dtype: Long"),
        ("flow.prod(leaf, dtype=flow.bool)", RuntimeError, "Autograd not support dtype: Bool"),
        ("flow.cumsum(leaf * 2, 0, dtype=flow.int32)", RuntimeError, "Autograd not support dtype: Int"),
    ],
    "OneFlow's texts": [
        ("flow.nn.PReLU(5)(flow.ones(4, 4))", RuntimeError, "num_parameters in prelu must be 1 or 4"),
        ("flow.nn.Softshrink(-0.1)(x)", RuntimeError, "alpha must be greater or equal to 0, but found to be -0.1."),
        ("flow.nn.Hardshrink(inplace=True)(leaf)", RuntimeError, "a leaf Tensor that requires grad is being used in an in-place"),
        ("flow.nn.Softshrink(inplace=True)(leaf)", RuntimeError, "a leaf Tensor that requires grad is being used in an in-place"),
        ("flow.bmm(i, i)", RuntimeError, "Expected 3-dimensional tensor, but got 1-dimensional tensor for argument #1"),
        ("flow.bmm(x[None], x)", RuntimeError, "batch2 must be a 3D tensor: Expected 3-dimensional tensor, but got 2-dimensional"),
        ("flow.mv(x, x)", RuntimeError, "vector + matrix @ vector expected, got 1, 2, 2"),
        ("flow.randperm(-1)", RuntimeError, "Trying to create tensor with negative dimension -1: [-1]"),
        ("flow.tensordot(x, x, [[1, 1], [1, 1]])", RuntimeError, "dim 1 appears multiple times in the list of dims"),
        ("flow.tensordot(x, x, [[0, 1], [0, -2]])", RuntimeError, "dim 0 appears multiple times in the list of dims"),
        ("flow.repeat_interleave(x, i.reshape(-1, 1), dim=1)", RuntimeError, "repeat_interleave only accept 1D vector as repeat"),
        ("flow.tensor(5)[0]", RuntimeError, "select() cannot be applied to a 0-dim tensor."),
        ("flow.tensor(5)[0]", IndexError, "invalid index of a 0-dim tensor. Use `tensor.item()` in Python"),
        ("flow.tensor(5)[0, 0]", IndexError, "too many indices for tensor of dimension 0"),
    ],
    "torch's tensors": [
        ("flow.exp(torch.ones(2))", TypeError, "must be tensor, not torch.Tensor. flow.from_torch() gives a tensor that shares"),
        ("flow.cat([x, torch.ones(2, 3)])", TypeError, "must be tensor tuple, not list of torch.Tensor. flow.from_torch()"),
        ("flow.nn.Linear(3, 2)(torch.ones(2, 3))", TypeError, "not torch.Tensor. flow.from_torch()"),
        ("leaf.backward(torch.ones(2, 3))", TypeError, "got torch.Tensor. flow.from_torch()"),
        ("setattr(leaf, 'grad', torch.ones(2, 3))", TypeError, "of type torch.Tensor. flow.from_torch()"),
        ("flow.exp(numpy.ones(2))", TypeError, "must be tensor, not numpy.ndarray. flow.from_numpy() gives a tensor that shares"),
    ],
    "devices": [
        ("flow.tensor([1.0], device='nonsense')", RuntimeError, "nonsense"),
        ("flow.tensor([1.0], device='cpu:-1')", RuntimeError, "device"),
    ],
}  # fmt: skip
PARAMETERS = [pytest.param(*call, id=f"{group}: {call[0]}") for group, calls in CALLS.items() for call in calls]


def _tensors() -> SimpleNamespace:
    make = flow.from_torch
    return SimpleNamespace(
        x=make(torch.arange(6.0).reshape(2, 3)),
        y=make(torch.arange(4.0)),
        s=make(torch.arange(3.0)),
        i=make(torch.tensor([0, 1, 2])),
        b=make(torch.tensor([True, False, True, False])),
        z=make(torch.zeros(0)),
        e=make(torch.arange(3.0)).expand(2, 3),
        leaf=make(torch.arange(6.0).reshape(2, 3)).requires_grad_(),
    )


def _state(t: Any) -> Any:
    own = t.detach()
    return (numpy.array(own.numpy()), t.shape, t.stride(), t.dtype, t._version, t.requires_grad, t.grad_fn, t.grad)


@pytest.mark.parametrize(("call", "error", "text"), PARAMETERS)
def test_wrong_call(call: str, error: type[Exception], text: str) -> None:
    tensors = vars(_tensors())
    before = {name: _state(t) for name, t in tensors.items()}
    if where.device == "cuda":  # which tells that there is one, and does not name it
        text = re.sub(r"^index \d+ is out of bounds", "index is out of bounds", text)
    with pytest.raises(error, match=re.escape(text)):
        eval(call, {"flow": flow, "torch": torch, "numpy": numpy, **tensors})
        assert where.device == "cuda", "the CPU tells of it at the call"
        before = {}  # what a GPU tells of later, others may have been written by
        flow.sync()
    for name, state in before.items():
        after = _state(tensors[name])
        assert numpy.array_equal(after[0], state[0]), f"{name} was changed"
        assert after[1:] == state[1:], f"{name} looks different"


@pytest.mark.skipif(where.device == "cuda" or torch.cuda.is_available(), reason="has a GPU")
@pytest.mark.parametrize("call", ["flow.tensor([1.0], device='cuda')", "flow.ones(2, device='cuda')", "flow.ones(2).to('cuda')"])
def test_without_a_cuda_driver(call: str) -> None:
    with pytest.raises(RuntimeError, match="(?i)cuda|nvidia|driver"):
        eval(call, {"flow": flow})


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.cuda
def test_mixed_devices() -> None:
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        flow.ones(2) + flow.ones(2, device="cuda")


@pytest.mark.cpu_only(reason="a GPU tells of it behind the write")
def test_failed_write_leaves_all_elements() -> None:
    """An index write with one bad index writes none of the good ones."""
    x = flow.from_torch(torch.zeros(4))
    with pytest.raises(IndexError):
        x[flow.tensor([0, 1, 9])] = 5.0
    assert x.tolist() == [0, 0, 0, 0]


def test_equality_with_foreign_objects() -> None:
    x = flow.ones(2)
    assert (x == None) is False  # noqa: E711
    assert (x != None) is True  # noqa: E711
    assert (x == "a") is False


def test_numbers_at_the_ends_of_their_range() -> None:
    assert flow.tensor(2**70, dtype=flow.float32).item() == 2.0**70
    assert flow.tensor([2**70, 1.5]).dtype is flow.float32 and flow.tensor([2**70], dtype=flow.bool).tolist() == [True]
    assert flow.topk(flow.tensor(3.0), 0)[0].item() == 3 and flow.movedim(flow.tensor(3.0), 0, -1).item() == 3
    assert flow.as_strided(flow.zeros(8)[4:].detach(), (4,), (1,), 4).tolist() == [0.0] * 4
    x = flow.zeros(8)
    x.data = x[:2]
    for alias in (x, flow.Tensor(flow.zeros(8)[:2]), flow.zeros(8)[:2].detach().view(1, 2).detach()):
        assert flow.as_strided(alias, (8,), (1,)).tolist() == [0.0] * 8
    assert flow.zeros(0, 10**13).shape == (0, 10**13)
    with flow.no_grad():
        assert flow.sum(flow.ones(2, requires_grad=True), dtype=flow.int64).item() == 2


def test_threads_do_not_share_an_error_word() -> None:
    """A kernel of one thread that has met a bad index is not what another thread, which looks first, is told of."""
    word = get_provider(Device("cpu")).error_word
    elsewhere: list[int] = []

    def fail() -> None:
        ctypes.c_int32.from_address(word.ptr).value = 1  # as a kernel does
        elsewhere.append(word.ptr)
        barrier.wait(10)
        barrier.wait(10)
        elsewhere.append(word.take())

    barrier = threading.Barrier(2)
    thread = threading.Thread(target=fail)
    thread.start()
    barrier.wait(10)
    mine = word.take()
    barrier.wait(10)
    thread.join(10)
    assert elsewhere[0] != word.ptr and (mine, elsewhere[1], word.take()) == (0, 1, 0)


def test_names_of_no_device_are_unequal_to_devices() -> None:
    device = flow.ones(1, device="cpu").device
    assert device == "cpu" and device != "cuda:0" and device != 0
    assert (device == "npu") is False and device != "npu" and device not in ("xpu", "cpu:x", "")


@pytest.mark.cpu_only(reason="a GPU tells that there is one, and does not name it")
@pytest.mark.parametrize("index", [[1, 7], [[1, -6], [3, 0]], [0, 2**40]])
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32])
def test_a_bad_index_is_named_as_torch_names_it(index: list[Any], dtype: torch.dtype) -> None:
    """Whatever the strides of the indices; `gather` and `scatter` do not count from the end."""
    if dtype is torch.int32 and index[1] == 2**40:
        index = [0, 2**30]
    i, x = torch.tensor(index, dtype=dtype).T, torch.arange(5.0)
    calls: list[Any] = [lambda x, i: x[i], lambda x, i: x.__setitem__(i, 1.0), lambda x, i: x.index_put((i,), x[0], accumulate=True)]
    if dtype is torch.int64:
        calls += [lambda x, i: x.gather(0, i.flatten()), lambda x, i: x.scatter(0, i.flatten(), 1.0)]
    for call in calls:
        with pytest.raises((IndexError, RuntimeError)) as expected:
            call(x, i)
        text = re.findall(r"index -?\d+ is out of bounds for dimension 0 with size 5", str(expected.value))[0]
        with pytest.raises(IndexError, match=text):
            call(ours(x), ours(i))


SPECIAL = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1e38, -1e38, 1e-45]


@pytest.mark.parametrize("call", ["x + x", "x * x", "x / x", "x - x", "x > x", "x == x", "x.sum()", "x.max()", "x.sort()[0]", "x.argmax()"])
def test_special_values_as_torch(call: str) -> None:
    x = torch.tensor(SPECIAL)
    expected, actual = eval(call, {"x": twins(x)}), eval(call, {"x": ours(x)})
    torch.testing.assert_close(flow.to_torch(actual), expected, equal_nan=True, rtol=0, atol=0)
