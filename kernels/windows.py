"""Windows that slide over images, for convolutions and pools: positions, taps and padding."""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2, tight_block


@triton.jit
def decode_position(p, image):
    """(plane, row, column) of a flat position in planes, or a batch, of images of that size."""
    area = image[0] * image[1]
    return p // area, (p % area) // image[1], p % image[1]


@triton.jit
def position_tile(tile, image, POSITIONS: tl.constexpr, BLOCK_W: tl.constexpr):
    """(row, column) of the positions of tile number `tile`: BLOCK_W neighbours each of POSITIONS / BLOCK_W rows.

    Rows are counted through all planes of images of that size. No division by a size that is known only at run time
    is done for a position: along BLOCK_W they are neighbours in memory, and a compiler sees it. With a BLOCK_W of 0
    positions follow each other through all rows, and none of a tile is empty: for channels that are neighbours instead.
    """
    if BLOCK_W == 0:
        p = tile * POSITIONS + tl.arange(0, POSITIONS)
        return p // image[1], p % image[1]
    else:
        across = tl.cdiv(image[1], BLOCK_W)
        j = tl.arange(0, POSITIONS)
        row = tile // across * (POSITIONS // BLOCK_W) + j // BLOCK_W
        return row, tile % across * BLOCK_W + j % BLOCK_W


@triton.jit
def scalar_row_tile(tile, image, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr):
    """`position_tile`, where a tile of one row has a scalar as its row: a CPU then masks the row's end only."""
    if BLOCK == BLOCK_W:
        across = tl.cdiv(image[1], BLOCK_W)
        return tile // across, tile % across * BLOCK_W + tl.arange(0, BLOCK_W)
    else:
        return position_tile(tile, image, BLOCK, BLOCK_W)


@triton.jit
def tap_offset(tap, kernel, dilation):
    """(r d, c d): by how much the tap (r, c), given as a flat index, moves the pixel."""
    return tap // kernel[1] * dilation[0], tap % kernel[1] * dilation[1]


@triton.jit
def inside(h, v, image):
    """Whether (h, v) is a pixel of the image, not of its padding."""
    return (h >= 0) & (h < image[0]) & (v >= 0) & (v < image[1])


def block_width(width: int, positions: int) -> int:
    """BLOCK_W for rows of `width` in tiles of that many positions."""
    return tight_block(width, tuple(w for w in (8, 16, 32, 64, 128, 256) if w <= positions))


def position_block(rows: int, width: int, sizes: tuple[int, ...]) -> tuple[int, int]:
    """POSITIONS, of these sizes, and BLOCK_W: the largest tile that leaves few of its rows empty."""
    block_w = block_width(width, sizes[-1])
    covered = {n: -(-rows // (n // block_w)) * n for n in sizes if n >= block_w}
    return max(n for n in covered if covered[n] <= 1.1 * min(covered.values())), block_w


def row_block(rows: int, width: int, size: int, one_row: bool) -> tuple[int, int]:
    """BLOCK and BLOCK_W of `scalar_row_tile` for tiles of that size; of at most that size and `one_row`, if rows are not short."""
    if one_row and width >= 32:
        block = min(next_power_of_2(width), size)
        return block, block
    return position_block(rows, width, (size,))


def position_tiles(rows: int, width: int, positions: int, block_w: int) -> int:
    """How many tiles `position_tile` has for that many rows."""
    if block_w == 0:
        return -(-rows * width // positions)
    return -(-rows // (positions // block_w)) * -(-width // block_w)
