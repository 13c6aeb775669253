"""The ops of torchvision's library of images: files and their bytes, by Pillow, which torchvision installs.

Pictures are decoded to the bytes that torchvision gives where Pillow has them: 16 bits for each of several channels it has not.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy
import numpy.typing as npt

from tritonflow import _C, from_numpy
from tritonflow.dtypes import int32, uint8
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor

MODES = (None, "L", "LA", "RGB", "RGBA")  # of Pillow, by the values of torchvision.io.ImageReadMode
FORMATS = {b"\xff\xd8\xff": "JPEG", b"\x89PNG": "PNG", b"GIF8": "GIF", b"RIFF": "WEBP"}  # by a file's first bytes


def read_file(path: str) -> Tensor:
    """The bytes of a file."""
    try:
        return _tensor(Path(path).read_bytes())
    except OSError as error:
        raise InvalidArgumentError(f"read_file(): {error}") from None


def write_file(path: str, data: Tensor) -> None:
    """Write bytes to a file."""
    if data.dtype is not uint8 or data.ndim != 1:
        raise InvalidArgumentError(f"write_file(): expected bytes (a 1-dimensional uint8 tensor), got {data.ndim}-D {data.dtype}")
    Path(path).write_bytes(data.numpy().tobytes())


def decode_image(data: Tensor, mode: int = 0, apply_exif_orientation: bool = False) -> Tensor:
    """A picture, whichever of the formats it has: `(channels, height, width)`, or of a GIF's frames one more.

    Args:
        data: the bytes of a file.
        mode: the value of torchvision's ImageReadMode: 0 as it is, 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha.
        apply_exif_orientation: whether it is turned as its file asks for.

    Raises:
        ShapeError: the bytes have other than one dimension.
        InvalidArgumentError: it is none of JPEG, PNG, GIF, WEBP, or its bytes are no picture.
    """
    return _decode(data, None, mode, apply_exif_orientation)


def decode_png(data: Tensor, mode: int = 0, apply_exif_orientation: bool = False) -> Tensor:
    """The picture of a PNG; one of 16 bits in gray is uint16."""
    return _decode(data, "PNG", mode, apply_exif_orientation)


def decode_jpeg(data: Tensor, mode: int = 0, apply_exif_orientation: bool = False) -> Tensor:
    """The picture of a JPEG."""
    return _decode(data, "JPEG", mode, apply_exif_orientation)


def decode_webp(data: Tensor, mode: int = 0) -> Tensor:
    """The picture of a WEBP."""
    return _decode(data, "WEBP", mode, False)


def decode_gif(data: Tensor) -> Tensor:
    """The frames of a GIF in RGB."""
    return _decode(data, "GIF", 0, False)


def encode_png(picture: Tensor, compression_level: int = 6) -> Tensor:
    """The bytes of a PNG."""
    if not 0 <= compression_level <= 9:
        raise InvalidArgumentError("Compression level should be between 0 and 9")
    return _encode(picture, "PNG", compress_level=compression_level)


def encode_jpeg(picture: Tensor, quality: int = 75) -> Tensor:
    """The bytes of a JPEG."""
    return _encode(picture, "JPEG", quality=quality)


def _tensor(data: bytes) -> Tensor:
    return from_numpy(numpy.frombuffer(data, numpy.uint8).copy())


def _encode(picture: Tensor, format: str, **options: Any) -> Tensor:
    from PIL import Image

    if picture.dtype is not uint8:
        raise InvalidArgumentError(f"Input tensor dtype should be uint8, not {picture.dtype}")
    if picture.ndim != 3:
        raise ShapeError(f"Input data should be a 3-dimensional tensor, got {picture.ndim} dimensions")
    if picture.shape[0] not in (1, 3):
        raise ShapeError(f"The number of channels should be 1 or 3, got: {picture.shape[0]}")
    pixels, file = picture.numpy().transpose(1, 2, 0), BytesIO()
    Image.fromarray(pixels[..., 0] if pixels.shape[2] == 1 else numpy.ascontiguousarray(pixels)).save(file, format, **options)
    return _tensor(file.getvalue())


def _decode(data: Tensor, format: str | None, mode: int, turned: bool) -> Tensor:
    from PIL import Image, ImageOps, UnidentifiedImageError

    if data.ndim != 1 or data.dtype is not uint8 or not data.numel():
        raise ShapeError(f"Expected a non empty 1-dimensional tensor of uint8, got {tuple(data.shape)} of {data.dtype}")
    content = data.numpy().tobytes()
    format = format or next((name for start, name in FORMATS.items() if content.startswith(start)), None)
    if format is None:
        raise InvalidArgumentError("Unsupported image file. Only jpeg, png, webp and gif are currently supported")
    if format == "JPEG" and MODES[mode] in ("LA", "RGBA"):
        raise InvalidArgumentError("The provided mode is not supported for JPEG files: they have no alpha")
    try:
        picture = Image.open(BytesIO(content), formats=(format,))
        if format == "GIF":
            return _frames(picture)
        if any("16" in str(tile[-1]) for tile in picture.tile) and picture.mode != "I;16":
            raise InvalidArgumentError("a PNG of 16 bits in several channels is not decoded: Pillow has 8 of them")
        return _pixels(picture, format, MODES[mode], ImageOps.exif_transpose if turned else lambda each: each)
    except UnidentifiedImageError:
        raise InvalidArgumentError(f"Content is not {format.lower()}: it cannot be identified as one") from None
    except (OSError, SyntaxError) as error:
        raise InvalidArgumentError(f"These bytes are no {format} that can be decoded: {error}") from None


def _frames(picture: Any) -> Tensor:
    from PIL import ImageSequence

    frames = [numpy.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(picture)]
    found = from_numpy(numpy.stack(frames)).permute(0, 3, 1, 2)
    return found[0] if len(frames) == 1 else found


def _pixels(picture: Any, format: str, mode: str | None, turn: Callable[[Any], Any]) -> Tensor:
    """The picture in a mode, or in the file's own."""
    if picture.mode == "I;16":
        return _sixteen_bits(numpy.asarray(turn(picture)), mode)
    if format == "WEBP" and mode in ("L", "LA"):
        warnings.warn("WEBP has no gray: the picture is as its file has it", stacklevel=2)
        mode = None
    if format == "JPEG":
        picture.draft(mode, picture.size)  # the luminance is the file's own
    elif mode in ("L", "LA") and picture.mode in ("RGB", "RGBA", "P"):
        colours = _channels_first(numpy.asarray(turn(picture).convert("RGBA")))
        return _cat((_gray(colours), colours[3:])) if mode == "LA" else _gray(colours)
    if picture.mode == "CMYK" and mode is None:
        return 255 - _channels_first(numpy.asarray(turn(picture)))  # as in the file: Pillow inverts it
    return _channels_first(numpy.asarray(turn(picture).convert(mode or {"1": "L"}.get(picture.mode, picture.mode))))


def _gray(colours: Tensor) -> Tensor:
    """The luminance of RGB as libpng has it: parts of 2 ** 15, cut."""
    red, green, blue = colours[:3].to(int32)
    return (((red * 9794 + green * 19235 + blue * 3739) >> 15).to(uint8))[None]


def _sixteen_bits(gray: npt.NDArray[numpy.uint16], mode: str | None) -> Tensor:
    channels = [gray] * {"RGB": 3, "RGBA": 3}.get(mode or "L", 1)
    opaque = [numpy.full_like(gray, 65535)] * (mode in ("LA", "RGBA"))
    return _channels_first(numpy.stack([*channels, *opaque], -1))


def _channels_first(pixels: npt.NDArray[Any]) -> Tensor:
    shaped = pixels if pixels.ndim == 3 else pixels[..., None]
    return from_numpy(shaped.copy()).permute(2, 0, 1)


def _cat(channels: tuple[Tensor, ...]) -> Tensor:
    return _C.cat([channel.permute(1, 2, 0) for channel in channels], 2).permute(2, 0, 1)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (read_file, write_file, decode_image, decode_png, decode_jpeg, decode_webp, decode_gif, encode_png, encode_jpeg)
}
