"""Functors of 3-d pooling, which is 2-d pooling of slices and then along the depth, and of other pools made of these.

A volume (n, c, d, h, w) is a batch of slices (n, c * d, h, w); after that its columns are an image (n, c, d, h * w).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.binding.library import function
from tritonflow.binding.target import beside
from tritonflow.dtypes import float64, int64
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, InvalidArgumentError, ShapeError, type_name
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.arithmetic_division import div_rounded
from tritonflow.functions.arithmetic_powers import scalar_pow
from tritonflow.functions.cast import cast, widened
from tritonflow.functions.conv import each_dim
from tritonflow.functions.creation import full, ones
from tritonflow.functions.generated import abs as abs_of
from tritonflow.functions.generated import div, mul, relu, scalar_mul, sign
from tritonflow.functions.generated import round as round_of
from tritonflow.functions.index_gather import gather
from tritonflow.functions.pool import adaptive_avg_pool2d, avg_pool1d, avg_pool2d, max_pool2d
from tritonflow.functions.view import reshape, squeeze, unshared, unsqueeze
from tritonflow.ops.dtype_rules import require

Ints = tuple[int, ...]


def _slices(x: Tensor) -> Any:
    n, c, d, h, w = x.meta.shape
    return reshape(x, (n, c * d, h, w))


def _columns(x: Tensor, n: int, c: int) -> Any:
    """Pooled slices as images of depth and position."""
    _, planes, h, w = x.meta.shape
    return reshape(x, (n, c, planes // c, h * w))


def _volume(x: Tensor, h: int, w: int) -> Any:
    return reshape(x, (*x.meta.shape[:3], h, w))


def _narrow(y: Tensor, like: Tensor) -> Any:
    return y if y.meta.dtype is like.meta.dtype else cast(y, like.meta.dtype)


def _check_volume(name: str, x: Tensor) -> None:
    shape = x.meta.shape
    if len(shape) != 5 or 0 in shape[1:]:
        raise ShapeError(
            f"{name}(): Expected 4D or 5D (batch mode) tensor with optional 0 dim batch size for input, but got: {list(shape)}"
        )


def _window(name: str, kernel_size: Ints, stride: Ints | None, padding: Ints) -> tuple[Ints, Ints, Ints]:
    kernel = each_dim(name, "kernel_size", kernel_size, 3)
    step = each_dim(name, "stride", stride, 3) if stride else kernel
    return kernel, step, each_dim(name, "padding", padding, 3)


@function(
    "Any (Tensor input, Int32List[3] kernel_size, Int32List[3] stride=None, Int32List[3] padding=0, Int32List[3] "
    "dilation=1, Bool ceil_mode=False, Bool return_indices=False)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.max_pool3d", samples="pool3d",
)
def max_pool3d(
    input: Tensor, kernel_size: Ints, stride: Ints | None = None, padding: Ints = (0,), dilation: Ints = (1,),
    ceil_mode: bool = False, return_indices: bool = False,
) -> Any:  # fmt: skip
    """The maximum of every window.

    As `flow.max_pool2d`, over volumes: D' = floor((D + 2 * pD - dD * (kD - 1) - 1) / sD) + 1, H' and W'
    alike.

    Args:
        input: the input.
        kernel_size: the size of the window: an int for all dimensions, or one for each.
        stride: the step of the window; `kernel_size` unless given.
        padding: how far windows reach over both ends, at most half of their size.
        dilation: the step between elements of the window.
        ceil_mode: whether a last window may reach over the end.
        return_indices: whether the position of each maximum in its volume D x H x W is returned as well.

    Shape:
        (N, C, D, H, W) -> (N, C, D', H', W'), also without N.

    Raises:
        RuntimeError: other dimensions, sizes that are not positive, a padding over half of the window, or
            an empty result.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.max_pool3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.max_pool3d(flow.arange(64.0).reshape(1, 4, 4, 4), 2).flatten()
        tensor([21., 23., 29., 31., 53., 55., 61., 63.])
    """
    # The first maximum of a window, slice by slice, is the first along the depth of the slices' first maxima.
    if input.meta.ndim == 4:
        found = max_pool3d(unsqueeze(input, 0), kernel_size, stride, padding, dilation, ceil_mode, return_indices)
        return tuple(unshared(squeeze(t, (0,))) for t in found) if return_indices else unshared(squeeze(found, (0,)))
    _check_volume("max_pool3d", input)
    kernel, step, amount = _window("max_pool3d", kernel_size, stride, padding)
    gap = each_dim("max_pool3d", "dilation", dilation, 3)
    (n, c), area = input.meta.shape[:2], input.meta.shape[3] * input.meta.shape[4]
    flat, where_flat = max_pool2d(_slices(input), kernel[1:], step[1:], amount[1:], gap[1:], ceil_mode, True)
    h, w = flat.meta.shape[2:]
    deep = ((kernel[0], 1), (step[0], 1), (amount[0], 0), (gap[0], 1))
    values, where_deep = max_pool2d(_columns(flat, n, c), *deep, ceil_mode, True)
    if not return_indices:
        return unshared(_volume(values, h, w))
    depth = values.meta.shape[2]
    flat_positions = reshape(where_flat, (n, c, input.meta.shape[2] * h * w))
    chosen = reshape(where_deep, (n, c, depth * h * w))
    inside = gather(flat_positions, 2, chosen)
    slices = chosen // (h * w)
    positions = reshape(add(scalar_mul(slices, area), inside), (n, c, depth, h, w))
    return unshared(_volume(values, h, w)), positions


@function(
    "Tensor (Tensor input, Int32List[3] kernel_size, Int32List[3] stride=None, Int32List[3] padding=0, Bool "
    "ceil_mode=False, Bool count_include_pad=True, Int64 divisor_override=None)",
    export="nn.functional", reference="torch.nn.functional.avg_pool3d", samples="pool3d", tolerance="reduction",
)
def avg_pool3d(
    input: Tensor, kernel_size: Ints, stride: Ints | None = None, padding: Ints = (0,), ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None,
) -> Any:  # fmt: skip
    """The mean of every window.

    As `avg_pool2d`, over volumes: D' = floor((D + 2 * pD - kD) / sD) + 1, H' and W' alike. The means of
    int64 are cut off towards 0.

    Args:
        input: the input.
        kernel_size: the size of the window: an int for all dimensions, or one for each.
        stride: the step of the window; `kernel_size` unless given.
        padding: zeros at both ends, at most half of the window.
        ceil_mode: whether a last window may reach over the end.
        count_include_pad: whether the zeros of the padding count as elements of a mean.
        divisor_override: the divisor, if not the number of elements.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, D, H, W) -> (N, C, D', H', W'), also without N.

    Raises:
        RuntimeError: other dimensions, sizes that are not positive, a padding over half of the window, a
            divisor of 0, or an empty result.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.avg_pool3d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.avg_pool3d(flow.arange(8.0).reshape(1, 2, 2, 2), 2).flatten()
        tensor([3.5000])
    """
    # A mean over a box is a mean over means; a divisor is that of the slices' sums, and the depth's is 1.
    if input.meta.ndim == 4:
        rest = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
        return unshared(squeeze(avg_pool3d(unsqueeze(input, 0), *rest), (0,)))
    require("avg_pool3d", "int64|floating", input.meta.dtype, "input")
    _check_volume("avg_pool3d", input)
    if divisor_override == 0:
        raise InvalidArgumentError("divisor must be not zero")
    kernel, step, amount = _window("avg_pool3d", kernel_size, stride, padding)
    if input.meta.dtype is int64:
        return _integer_means(input, kernel, step, amount, ceil_mode, count_include_pad, divisor_override)
    n, c = input.meta.shape[:2]
    x = _slices(widened(input))
    flat = avg_pool2d(x, kernel[1:], step[1:], amount[1:], ceil_mode, count_include_pad, divisor_override)
    h, w = flat.meta.shape[2:]
    deep = ((kernel[0], 1), (step[0], 1), (amount[0], 0))
    last = None if divisor_override is None else 1
    means = avg_pool2d(_columns(flat, n, c), *deep, ceil_mode, count_include_pad, last)
    return unshared(_volume(_narrow(means, input), h, w))


def _integer_means(
    x: Tensor, kernel: Ints, step: Ints, amount: Ints, ceil_mode: bool, count_include_pad: bool, divisor: int | None
) -> Any:
    """Sums by counts, cut off towards zero: a mean of means that were cut off is another number.

    Counts are those of torch's: the sums of ones by their means.
    """
    n, c = x.meta.shape[:2]
    window = ((kernel[0], 1), (step[0], 1), (amount[0], 0))

    def sums(x: Tensor) -> Any:
        flat = avg_pool2d(_slices(x), kernel[1:], step[1:], amount[1:], ceil_mode, True, 1)
        return _volume(avg_pool2d(_columns(flat, *x.meta.shape[:2]), *window, ceil_mode, True, 1), *flat.meta.shape[2:])

    found = sums(x)
    if divisor is not None:
        return div_rounded(found, full((), divisor, dtype=int64, **beside(x)), "trunc")
    one = ones((1, 1, *x.meta.shape[2:]), dtype=float64, **beside(x))
    mean = avg_pool3d(one, kernel, step, amount, ceil_mode, count_include_pad)
    return div_rounded(found, cast(round_of(div(sums(one), mean)), int64), "trunc")


@function(
    "Tensor (Tensor input, PyObject output_size)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.adaptive_avg_pool3d", samples="adaptive_pool3d",
    tolerance="reduction",
)
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Any:
    """Means of windows that cover the volume, as many as asked for.

    Window i of a dimension has the elements from floor(i * D / D') up to ceil((i + 1) * D / D').

    Args:
        input: the input.
        output_size: (D', H', W'), or one number for all; None keeps the size of the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, D, H, W) -> (N, C, D', H', W'), also without N.

    Raises:
        RuntimeError: other dimensions, an empty volume, or a negative size.
        TypeError: sizes that are no integers; an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.adaptive_avg_pool3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.adaptive_avg_pool3d(flow.arange(8.0).reshape(1, 2, 2, 2), (2, 1, 1)).flatten()
        tensor([1.5000, 5.5000])
    """
    if input.meta.ndim == 4:
        return unshared(squeeze(adaptive_avg_pool3d(unsqueeze(input, 0), output_size), (0,)))
    depth, *image = adaptive_sizes("adaptive_avg_pool3d", input, output_size, 3)
    if input.meta.ndim != 5:
        raise ShapeError(f"adaptive_avg_pool3d(): Expected 4D or 5D tensor, but got {list(input.meta.shape)}")
    n, c = input.meta.shape[:2]
    columns = _columns(adaptive_avg_pool2d(_slices(widened(input)), tuple(image)), n, c)
    means = adaptive_avg_pool2d(columns, (depth, columns.meta.shape[3]))
    return unshared(_volume(_narrow(means, input), *image))


def adaptive_sizes(name: str, input: Tensor, output_size: Any, dims: int) -> tuple[int, ...]:
    """The sizes of the result: a size of None is the input's."""
    shape = input.meta.shape[-dims:]
    wanted = (output_size,) * dims if output_size is None or isinstance(output_size, int) else output_size
    if not isinstance(wanted, Sequence) or not all(o is None or isinstance(o, int) for o in wanted):
        raise ArgumentTypeError(
            f"{name}(): argument 'output_size' must be int, or a tuple of ints or None, not {type_name(output_size)}"
        )
    if isinstance(output_size, Sequence) and input.meta.ndim <= len(output_size):
        raise ArgumentValueError(f"Input dimension should be at least {len(output_size) + 1}")
    if len(wanted) != dims:
        raise ShapeError(f"{name}: internal error: output_size.size() must be {dims}")
    if 0 in shape:
        raise ShapeError(
            f"{name}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes"
            f" {list(input.meta.shape)} with dimension {input.meta.ndim - dims + list(shape).index(0)} being empty"
        )
    sizes = tuple([n if o is None else o for n, o in zip(shape, wanted)])
    if any(n < 0 for n in sizes):
        raise ShapeError(
            f"{name}: elements of output_size must be greater than or equal to 0 but received {list(sizes)}"
        )
    return sizes


def _powered(input: Tensor, p: float, pooled: Any, count: int) -> Any:
    """(sum over windows of |x|^p)^(1/p) as torch has it: a negative sum counts as 0."""
    total = pooled(scalar_pow(widened(input), p))
    return _narrow(scalar_pow(scalar_mul(mul(sign(total), relu(abs_of(total))), count), 1.0 / p), input)


@function(
    "Tensor (Tensor input, Double norm_type, Int32List[1] kernel_size, Int32List[1] stride=None, Bool ceil_mode=False)",
    export="nn.functional", reference="torch.nn.functional.lp_pool1d", samples="lp_pool", tolerance="norm",
)
def lp_pool1d(
    input: Tensor, norm_type: float, kernel_size: Ints, stride: Ints | None = None, ceil_mode: bool = False
) -> Any:
    """The p-norm of every window.

    It is (sum of |x| ** p) ** (1 / p) for an even p. Of an odd one the powers keep their signs, and a
    negative sum counts as 0, as in torch.

    Args:
        input: the input.
        norm_type: p.
        kernel_size: the size of the window: an int for all dimensions, or one for each.
        stride: the step of the window; `kernel_size` unless given.
        ceil_mode: whether a last window may reach over the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, L) -> (N, C, L'), L' as of avg_pool1d.

    Raises:
        RuntimeError: other dimensions, sizes that are not positive, or an empty result.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.lp_pool1d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.lp_pool1d(flow.tensor([[3.0, 4.0, 0.0, 2.0]]), 2, 2)
        tensor([[5., 2.]])
    """
    require("lp_pool1d", "floating", input.meta.dtype, "input")
    (size,) = each_dim("lp_pool1d", "kernel_size", kernel_size, 1)
    return _powered(input, norm_type, lambda x: avg_pool1d(x, (size,), stride, (0,), ceil_mode), size)


@function(
    "Tensor (Tensor input, Double norm_type, Int32List[2] kernel_size, Int32List[2] stride=None, Bool ceil_mode=False)",
    export="nn.functional", reference="torch.nn.functional.lp_pool2d", samples="lp_pool", tolerance="norm",
)
def lp_pool2d(
    input: Tensor, norm_type: float, kernel_size: Ints, stride: Ints | None = None, ceil_mode: bool = False
) -> Any:
    """The p-norm of every window.

    It is (sum of |x| ** p) ** (1 / p) for an even p. Of an odd one the powers keep their signs, and a
    negative sum counts as 0, as in torch.

    Args:
        input: the input.
        norm_type: p.
        kernel_size: the size of the window: an int for all dimensions, or one for each.
        stride: the step of the window; `kernel_size` unless given.
        ceil_mode: whether a last window may reach over the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W) -> (N, C, H', W'), H' and W' as of avg_pool2d.

    Raises:
        RuntimeError: other dimensions, sizes that are not positive, or an empty result.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.lp_pool2d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.lp_pool2d(flow.tensor([[[3.0, 4.0], [0.0, 0.0]]]), 2, 2)
        tensor([[[5.]]])
    """
    require("lp_pool2d", "floating", input.meta.dtype, "input")
    size = each_dim("lp_pool2d", "kernel_size", kernel_size, 2)
    return _powered(input, norm_type, lambda x: avg_pool2d(x, size, stride, (0,), ceil_mode), size[0] * size[1])


@function(
    "Tensor (Tensor input, Double norm_type, Int32List[3] kernel_size, Int32List[3] stride=None, Bool ceil_mode=False)",
    export="nn.functional", reference="torch.nn.functional.lp_pool3d", samples="lp_pool", tolerance="norm",
)
def lp_pool3d(
    input: Tensor, norm_type: float, kernel_size: Ints, stride: Ints | None = None, ceil_mode: bool = False
) -> Any:
    """The p-norm of every window.

    It is (sum of |x| ** p) ** (1 / p) for an even p. Of an odd one the powers keep their signs, and a
    negative sum counts as 0, as in torch.

    Args:
        input: the input.
        norm_type: p.
        kernel_size: the size of the window: an int for all dimensions, or one for each.
        stride: the step of the window; `kernel_size` unless given.
        ceil_mode: whether a last window may reach over the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, D, H, W) -> (N, C, D', H', W'), D', H' and W' as of avg_pool3d.

    Raises:
        RuntimeError: other dimensions, sizes that are not positive, or an empty result.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.lp_pool3d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.lp_pool3d(flow.ones(1, 2, 2, 2), 2, 2)
        tensor([[[[2.8284]]]])
    """
    require("lp_pool3d", "floating", input.meta.dtype, "input")
    size = each_dim("lp_pool3d", "kernel_size", kernel_size, 3)
    count = size[0] * size[1] * size[2]
    return _powered(input, norm_type, lambda x: avg_pool3d(x, size, stride, (0,), ceil_mode), count)
