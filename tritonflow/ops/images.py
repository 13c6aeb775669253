"""Layouts of images (n, c, h, w): a GPU with matrix units takes channels-last ones, and makes such from such."""

from __future__ import annotations

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType
from tritonflow.framework.meta import Shape, TensorMeta, channels_last_stride, contiguous_meta
from tritonflow.kernels.facts import DeviceFacts

MATRIX_DTYPES = ("fp16", "bf16", "tf32", "tf32x3")  # products of these are computed in matrix units


def is_channels_last(meta: TensorMeta) -> bool:
    """Whether kernels take images as they lie, with channels as neighbours. On a CPU they want contiguous ones."""
    return meta.is_channels_last and has_matrix_units(facts_of(meta.device))


def has_matrix_units(facts: DeviceFacts) -> bool:
    """Whether a device multiplies halves so fast that it has to load them 16 bytes at a time."""
    return facts.capability >= 80


def channels_last(like: TensorMeta, dtype: DType | None = None) -> TensorMeta:
    """The meta of the same images, channels-last."""
    return TensorMeta.get(like.shape, channels_last_stride(like.shape), dtype or like.dtype, like.device)


def images_like(like: TensorMeta, shape: Shape, dtype: DType) -> TensorMeta:
    """The meta of images that an op makes: channels-last from such ones, else contiguous, as where they have one pixel."""
    made = contiguous_meta(shape, dtype, like.device)
    last = channels_last(made)
    return last if last.is_channels_last and is_channels_last(like) else made
