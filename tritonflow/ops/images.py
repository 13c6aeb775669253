"""Layouts of images (n, c, h, w): from channels-last ones ops make such."""

from __future__ import annotations

from tritonflow.dtypes import DType
from tritonflow.framework.memory_format import channels_last as channels_last_format
from tritonflow.framework.memory_format import suggested_format
from tritonflow.framework.meta import Shape, TensorMeta, channels_last_stride, contiguous_meta
from tritonflow.kernels.facts import DeviceFacts

MATRIX_DTYPES = ("fp16", "bf16", "tf32", "tf32x3")  # products of these are computed in matrix units


def has_matrix_units(facts: DeviceFacts) -> bool:
    """Whether a device multiplies halves so fast that it has to load them 16 bytes at a time."""
    return facts.architecture.matrix_units != "none"


def channels_last(like: TensorMeta, dtype: DType | None = None) -> TensorMeta:
    """The meta of the same images, channels-last."""
    return TensorMeta.get(like.shape, channels_last_stride(like.shape), dtype or like.dtype, like.device)


def images_like(like: TensorMeta, shape: Shape, dtype: DType) -> TensorMeta:
    """The meta of images that an op makes: channels-last from such ones, else contiguous, as where they have one pixel."""
    made = contiguous_meta(shape, dtype, like.device)
    last = channels_last(made)
    return last if last.is_channels_last and suggested_format(like) is channels_last_format else made


def written_last(like: TensorMeta, shape: Shape, dtype: DType) -> TensorMeta:
    """The meta of images that a kernel writes channels-last: contiguous only where that is the same order of elements.

    `images_like` follows torch's rule, which takes some channels-last images with a row, a column or an image only for contiguous
    ones: a kernel that looks at the order of elements must not go by it.
    """
    made = contiguous_meta(shape, dtype, like.device)
    last = channels_last(made)
    return last if last.is_channels_last else made


def laid_out_like(like: TensorMeta, dtype: DType | None = None) -> TensorMeta:
    """The meta of a result with an element for each one of `like`: channels-last as images and volumes are, else contiguous."""
    if like.is_channels_last or like.is_channels_last_3d:
        return channels_last(like, dtype)
    return like.with_dtype(dtype or like.dtype)
