"""Files of images as torchvision's library decodes and encodes them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.mock_torch import torchvision_images as images
from tritonflow.mock_torch.names import ops

Image = pytest.importorskip("PIL.Image")
SLOPE = numpy.clip(numpy.add.outer(numpy.arange(24) * 7, numpy.arange(32) * 3)[..., None] + [0, 40, 90], 0, 255).astype(numpy.uint8)
NOISE = numpy.random.default_rng(0).integers(0, 256, (24, 32), dtype=numpy.uint8)


def file(pixels: Any, format: str, **options: Any) -> flow.Tensor:
    buffer = io.BytesIO()
    picture = pixels if hasattr(pixels, "save") else Image.fromarray(pixels)
    picture.save(buffer, format, **options)
    return flow.tensor(numpy.frombuffer(buffer.getvalue(), numpy.uint8).copy())


def test_the_library_of_images() -> None:
    ops.load_library("/packages/torchvision/image.so")
    found = ops.any_name("image")
    data = found.encode_png(flow.tensor(SLOPE).permute(2, 0, 1), 3)
    assert numpy.array_equal(found.decode_image(data, 3, False).permute(1, 2, 0).numpy(), SLOPE)
    with pytest.raises(InvalidArgumentError, match="no function computes it"):
        found.decode_jpegs_cuda([data], 0, "cuda")


def test_lossless_formats_give_their_pixels() -> None:
    with_alpha = numpy.concatenate([SLOPE, NOISE[..., None]], -1)
    for format, options in (("PNG", {}), ("WEBP", {"lossless": True, "exact": True})):
        assert numpy.array_equal(images.decode_image(file(SLOPE, format, **options)).permute(1, 2, 0).numpy(), SLOPE)
        assert numpy.array_equal(images.decode_image(file(with_alpha, format, **options)).permute(1, 2, 0).numpy(), with_alpha)
        assert images.decode_image(file(with_alpha, format, **options), 3).shape == (3, 24, 32)
    gray = images.decode_png(file(NOISE, "PNG"))
    assert gray.shape == (1, 24, 32) and numpy.array_equal(gray[0].numpy(), NOISE)
    deep = images.decode_png(file(NOISE.astype(numpy.uint16) * 257, "PNG"), 4)
    assert deep.dtype is flow.uint16 and deep.shape == (4, 24, 32) and deep[3].numpy().min() == 65535
    assert numpy.array_equal(deep[1].numpy(), NOISE.astype(numpy.uint16) * 257)


def test_gray_is_libpngs() -> None:
    """The numbers that torchvision 0.28 gives: parts of 2 ** 15, cut and not rounded."""
    colours = numpy.array([[[255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255], [1, 2, 3]]], numpy.uint8)
    assert images.decode_png(file(colours, "PNG"), 1).flatten().tolist() == [255, 76, 149, 29, 1]
    assert images.decode_png(file(colours, "PNG"), 2)[1].tolist() == [[255] * 5]


def test_jpegs() -> None:
    picture = flow.tensor(SLOPE).permute(2, 0, 1)
    for quality in (50, 100):
        data = images.encode_jpeg(picture, quality)
        assert numpy.array_equal(images.decode_jpeg(data).permute(1, 2, 0).numpy(), numpy.asarray(Image.open(io.BytesIO(data.numpy().tobytes()))))
    luminance = Image.open(io.BytesIO(data.numpy().tobytes()))
    luminance.draft("L", luminance.size)
    assert numpy.array_equal(images.decode_jpeg(data, 1)[0].numpy(), numpy.asarray(luminance))
    inks = Image.fromarray(SLOPE).convert("CMYK")
    assert images.decode_jpeg(file(inks, "JPEG", quality=100)).shape == (4, 24, 32)
    with pytest.raises(InvalidArgumentError, match="not supported for JPEG"):
        images.decode_jpeg(data, 4)


def test_orientation_and_frames() -> None:
    exif = Image.Exif()
    exif[0x112] = 6  # a quarter to the right
    data = file(SLOPE, "PNG", exif=exif)
    assert images.decode_image(data).shape == (3, 24, 32)
    assert numpy.array_equal(images.decode_image(data, 3, True).permute(1, 2, 0).numpy(), numpy.rot90(SLOPE, -1))
    frames = [Image.fromarray(each).convert("P") for each in (SLOPE, SLOPE[::-1].copy())]
    assert images.decode_gif(file(frames[0], "GIF")).shape == (3, 24, 32)
    assert images.decode_gif(file(frames[0], "GIF", save_all=True, append_images=frames[1:])).shape == (2, 3, 24, 32)


def test_files(tmp_path: Path) -> None:
    data = images.encode_png(flow.tensor(SLOPE).permute(2, 0, 1))
    images.write_file(str(tmp_path / "slope.png"), data)
    assert images.read_file(str(tmp_path / "slope.png")).tolist() == data.tolist()
    with pytest.raises(InvalidArgumentError, match="No such file"):
        images.read_file(str(tmp_path / "other.png"))


def test_what_is_no_picture() -> None:
    good = file(SLOPE, "PNG")
    with pytest.raises(InvalidArgumentError, match="Unsupported image file"):
        images.decode_image(flow.tensor([1, 2, 3], dtype=flow.uint8))
    with pytest.raises(InvalidArgumentError, match="Content is not jpeg"):
        images.decode_jpeg(good)
    with pytest.raises(InvalidArgumentError, match="that can be decoded"):
        images.decode_png(good[:60])
    with pytest.raises(ShapeError, match="1-dimensional"):
        images.decode_png(good[None])
    with pytest.raises(ShapeError, match="channels should be 1 or 3"):
        images.encode_png(flow.zeros(2, 4, 4, dtype=flow.uint8))
    with pytest.raises(ShapeError, match="3-dimensional"):
        images.encode_jpeg(flow.zeros(4, 4, dtype=flow.uint8))
    with pytest.raises(InvalidArgumentError, match="dtype should be uint8"):
        images.encode_png(flow.zeros(3, 4, 4))
