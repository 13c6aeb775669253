"""What convolutions and pools know of windows that slide over images: positions, taps and padding."""

import triton
import triton.language as tl  # noqa: F401  (the interpreter wants to see it)


@triton.jit
def decode_position(p, image):
    """(plane, row, column) of a flat position in planes, or a batch, of images of that size."""
    area = image[0] * image[1]
    return p // area, (p % area) // image[1], p % image[1]


@triton.jit
def tap_offset(tap, kernel, dilation):
    """(r d, c d): by how much the tap (r, c), given as a flat index, moves the pixel."""
    return tap // kernel[1] * dilation[0], tap % kernel[1] * dilation[1]


@triton.jit
def inside(h, v, image):
    """Whether (h, v) is a pixel of the image, not of its padding."""
    return (h >= 0) & (h < image[0]) & (v >= 0) & (v < image[1])
