"""Numbers of the blocks of GGUF's tensors: a block has a few scales, and codes of 4, 5, 6 or 8 bits.

Source: https://github.com/ggml-org/llama.cpp (ggml-quants.c, ggml-common.h).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow.dtypes import DType, bfloat16, float16, float32, float64, int8, int16, int32, int64


class Kind(NamedTuple):
    """A type of GGUF's tensors.

    Attributes:
        name: as the `gguf` package has it, in small letters.
        elements, nbytes: of a block; 0 bytes of kinds whose sizes are not known here.
        numbers: a function from blocks, (n, nbytes) of uint8, to (n, elements) of float32; or the dtype of plain numbers; or None
            of those that are not read.
    """

    name: str
    elements: int
    nbytes: int
    numbers: Callable[[Any], Any] | DType | None


def halves(pairs: Any) -> Any:
    """float32 from pairs of bytes, which are halves: (n, 2) to (n, 1)."""
    return pairs.contiguous().view(float16).to(float32)


def nibbles(parts: Any) -> Any:
    """Codes of 4 bits, int32: those in the lower bits of a block's bytes, then those in the upper ones."""
    wide = parts.to(int32)
    return _C.cat([wide & 15, wide >> 4], -1)


def _fifth_bits(parts: Any) -> Any:
    """16 where bit j of 32 is set, for each j: (n, 4) of bytes to (n, 32)."""
    shifts = _C.arange(8, dtype=int32, device=parts.device)
    return (((parts.to(int32).unsqueeze(-1) >> shifts) & 1) << 4).reshape(parts.shape[0], 32)


def _q4_0(b: Any) -> Any:
    return halves(b[:, :2]) * (nibbles(b[:, 2:]) - 8)


def _q4_1(b: Any) -> Any:
    return halves(b[:, :2]) * nibbles(b[:, 4:]) + halves(b[:, 2:4])


def _q5_0(b: Any) -> Any:
    return halves(b[:, :2]) * ((nibbles(b[:, 6:]) | _fifth_bits(b[:, 2:6])) - 16)


def _q5_1(b: Any) -> Any:
    return halves(b[:, :2]) * (nibbles(b[:, 8:]) | _fifth_bits(b[:, 4:8])) + halves(b[:, 2:4])


def _q8_0(b: Any) -> Any:
    return halves(b[:, :2]) * b[:, 2:].contiguous().view(int8)


def scales_and_least(b: Any) -> tuple[Any, Any]:
    """Of the eight groups of a block of q4_k or q5_k, (n, 8): the scale, and what is subtracted, of 6 bits each in 12 bytes."""
    d, least = halves(b[:, :2]), halves(b[:, 2:4])
    first, second, third = (b[:, 4 + 4 * i : 8 + 4 * i].to(int32) for i in range(3))
    scales = _C.cat([first & 63, (third & 15) | ((first >> 6) << 4)], -1)
    return d * scales, least * _C.cat([second & 63, (third >> 4) | ((second >> 6) << 4)], -1)


def _of_groups(b: Any, codes: Any) -> Any:
    """Numbers of eight groups of 32 codes."""
    scales, least = scales_and_least(b)
    return (scales.unsqueeze(-1) * codes.reshape(-1, 8, 32) - least.unsqueeze(-1)).reshape(-1, 256)


def _q4_k(b: Any) -> Any:
    return _of_groups(b, nibbles(b[:, 16:].reshape(-1, 4, 32)))


def _q5_k(b: Any) -> Any:
    """Bit j of byte l of 32 is the fifth one of element l of group j."""
    shifts = _C.arange(8, dtype=int32, device=b.device).unsqueeze(-1)
    fifth = ((b[:, 16:48].to(int32).unsqueeze(1) >> shifts) & 1) << 4
    return _of_groups(b, nibbles(b[:, 48:].reshape(-1, 4, 32)).reshape(-1, 8, 32) | fifth)


def _q6_k(b: Any) -> Any:
    """Two halves of 128 elements: 64 bytes of lower bits, 32 bytes with two upper bits for each quarter, scales of 16 elements."""
    low = nibbles(b[:, :128].reshape(-1, 2, 64)).reshape(-1, 2, 4, 32)
    shifts = 2 * _C.arange(4, dtype=int32, device=b.device).unsqueeze(-1)
    high = (b[:, 128:192].reshape(-1, 2, 1, 32).to(int32) >> shifts) & 3
    codes = (low | (high << 4)) - 32
    scales = halves(b[:, 208:210]) * b[:, 192:208].contiguous().view(int8)
    return (scales.unsqueeze(-1) * codes.reshape(-1, 16, 16)).reshape(-1, 256)


KINDS = {
    0: Kind("f32", 1, 4, float32),
    1: Kind("f16", 1, 2, float16),
    2: Kind("q4_0", 32, 18, _q4_0),
    3: Kind("q4_1", 32, 20, _q4_1),
    6: Kind("q5_0", 32, 22, _q5_0),
    7: Kind("q5_1", 32, 24, _q5_1),
    8: Kind("q8_0", 32, 34, _q8_0),
    12: Kind("q4_k", 256, 144, _q4_k),
    13: Kind("q5_k", 256, 176, _q5_k),
    14: Kind("q6_k", 256, 210, _q6_k),
    24: Kind("i8", 1, 1, int8),
    25: Kind("i16", 1, 2, int16),
    26: Kind("i32", 1, 4, int32),
    27: Kind("i64", 1, 8, int64),
    28: Kind("f64", 1, 8, float64),
    30: Kind("bf16", 1, 2, bfloat16),
    **{number: Kind(name, 256, size, None) for number, name, size in (
        (10, "q2_k", 84), (11, "q3_k", 110), (15, "q8_k", 292), (16, "iq2_xxs", 66), (17, "iq2_xs", 74), (18, "iq3_xxs", 98),
        (19, "iq1_s", 50), (21, "iq3_s", 110), (22, "iq2_s", 82), (23, "iq4_xs", 136), (29, "iq1_m", 56), (34, "tq1_0", 54),
        (35, "tq2_0", 66),
    )},
    9: Kind("q8_1", 32, 36, None),
    20: Kind("iq4_nl", 32, 18, None),
    39: Kind("mxfp4", 32, 17, None),
}  # fmt: skip
