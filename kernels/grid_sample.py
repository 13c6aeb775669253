"""Images seen at the positions of a grid, bilinear, nearest or bicubic, and the gradients.

x is (batches, channels, pixels) of images of 2 or 3 dimensions, grid (batches, points, dims) in [-1, 1], y (batches, channels,
points), all contiguous. The first number of a point is its column. y is a sum over taps: pixels near the point, each with the
product of a weight along every dimension. `orders` says how often each weight is differentiated by the point's number along its
dimension, so that the gradients of any order are these kernels again:

    sample   y[c, p] = sum over taps of w(p) x[c, pixel]
    spread   dx[c, pixel] = sum over points of w(p) dy[c, p]
    slopes   dgrid[p, k] = sum over channels and taps of dy[c, p] x[c, pixel] dw(p) / dgrid[p, k]

Nothing is added atomically: programs of `spread` own channels of some rows of the images, and walk through the points in order.

Source: torch.nn.functional.grid_sample; Keys, 1981, for the cubic weights.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .dtypes import compute_dtype
from .facts import DeviceFacts
from .functions.rounding import round
from .resample import cubic_far, cubic_near

FARTHEST = tl.constexpr(1073741824.0)  # the pixel that positions behind it, and NaN, are moved to: it is in no image


@triton.jit
def reflected(x, size, ALIGNED: tl.constexpr):
    """(x reflected at the ends of an image, whether it runs backwards there): between centres with ALIGNED, else edges."""
    low = 0.0 if ALIGNED else -0.5
    length = tl.maximum(size - 1, 1).to(x.dtype) if ALIGNED else size.to(x.dtype)
    distance = tl.abs(x - low)
    turns = tl.floor(distance / length)
    rest = distance - turns * length
    odd = turns - 2 * tl.floor(turns * 0.5) != 0
    return tl.where(odd, length - rest, rest) + low, odd != (x < low)


@triton.jit
def continued(x, size, PADDING: tl.constexpr, ALIGNED: tl.constexpr):
    """A position moved into the image."""
    if PADDING == "reflection":
        x, _ = reflected(x, size, ALIGNED)
    if PADDING != "zeros":
        x = tl.minimum(tl.maximum(tl.where(x == x, x, 0.0), 0), (size - 1).to(x.dtype))
    return x


@triton.jit
def pixel_position(g, size, MODE: tl.constexpr, PADDING: tl.constexpr, ALIGNED: tl.constexpr):
    """(position in pixels of a number in [-1, 1], its derivative)."""
    last = (size - 1).to(g.dtype)
    if ALIGNED:
        x, slope = (g + 1) * 0.5 * last, g * 0 + 0.5 * last
    else:
        x, slope = ((g + 1) * size.to(g.dtype) - 1) * 0.5, g * 0 + 0.5 * size.to(g.dtype)
    if MODE != "bicubic":
        if PADDING == "reflection":
            _, backwards = reflected(x, size, ALIGNED)
            slope = tl.where(backwards, slope * -1, slope)
        x = continued(x, size, PADDING, ALIGNED)
        if PADDING != "zeros":
            slope = tl.where((x > 0) & (x < last), slope, 0)
    x = tl.where(x == x, x, -FARTHEST)
    return tl.minimum(tl.maximum(x, -FARTHEST), FARTHEST), slope


@triton.jit
def known_pixel(x, size):
    """(a pixel of the image, whether it is the one at x)."""
    known = (x >= 0) & (x <= (size - 1).to(x.dtype))
    return tl.where(known, x, 0).to(size.dtype), known


@triton.jit
def near_weight(t, ORDER: tl.constexpr):
    """A derivative of the cubic weight of a pixel at a distance t up to 1."""
    if ORDER == 0:
        return cubic_near(t, -0.75)
    elif ORDER == 1:
        return (3.75 * t - 4.5) * t
    elif ORDER == 2:
        return 7.5 * t - 4.5
    else:
        return t * 0 + (7.5 if ORDER == 3 else 0.0)


@triton.jit
def far_weight(t, ORDER: tl.constexpr):
    """The same at a distance t from 1 to 2."""
    if ORDER == 0:
        return cubic_far(t, -0.75)
    elif ORDER == 1:
        return (-2.25 * t + 7.5) * t - 6
    elif ORDER == 2:
        return -4.5 * t + 7.5
    else:
        return t * 0 - (4.5 if ORDER == 3 else 0.0)


@triton.jit
def differentiated(weight, slope, ORDER: tl.constexpr):
    """A weight's derivative by the grid: each order has the slope of the position as a factor."""
    for _ in tl.static_range(ORDER):
        weight = weight * slope
    return weight


@triton.jit
def linear_weight(rest, k: tl.constexpr, ORDER: tl.constexpr):
    """A derivative of the weight of the pixel before (k = 0) or behind a point."""
    if ORDER == 0:
        return rest if k == 1 else 1 - rest
    else:
        return rest * 0 + ((1.0 if k == 1 else -1.0) if ORDER == 1 else 0.0)


@triton.jit
def cubic_weight(rest, k: tl.constexpr, ORDER: tl.constexpr):
    """A derivative of the weight of one of four pixels; the distance to the last two falls with `rest`."""
    if k == 0:
        return far_weight(rest + 1, ORDER)
    elif k == 1:
        return near_weight(rest, ORDER)
    elif k == 2:
        return near_weight(1 - rest, ORDER) * (1.0 if ORDER % 2 == 0 else -1.0)
    else:
        return far_weight(2 - rest, ORDER) * (1.0 if ORDER % 2 == 0 else -1.0)


@triton.jit
def tap(
    g, k: tl.constexpr, size, ORDER: tl.constexpr, MODE: tl.constexpr, PADDING: tl.constexpr, ALIGNED: tl.constexpr,
    SHOWN: tl.constexpr,
):  # fmt: skip
    """(pixel, weight, whether it exists) of the k-th tap along a dimension, for a point's number g."""
    x, slope = pixel_position(g, size, MODE, PADDING, ALIGNED)
    first = tl.floor(x)
    if MODE == "nearest":
        pixel, known = known_pixel(round(x), size)
        weight = x * 0 + (1.0 if ORDER == 0 else 0.0)
    elif MODE == "bilinear":
        pixel, known = known_pixel(first + k, size)
        weight = linear_weight(x - first, k, ORDER)
    else:
        pixel, known = known_pixel(continued(first + (k - 1), size, PADDING, ALIGNED), size)
        weight = cubic_weight(x - first, k, ORDER)
    if SHOWN:
        weight = weight + (g - g)  # NaN of numbers that are not finite
    return pixel, differentiated(weight, slope, ORDER), known


@triton.jit
def taps_along(
    g, size, ORDER: tl.constexpr, TAPS: tl.constexpr, MODE: tl.constexpr, PADDING: tl.constexpr, ALIGNED: tl.constexpr,
    SHOWN: tl.constexpr,
):  # fmt: skip
    """(pixels, weights, masks): a tuple of each, of all taps along a dimension."""
    pixel, weight, known = tap(g, 0, size, ORDER, MODE, PADDING, ALIGNED, SHOWN)
    pixels, weights, masks = (pixel,), (weight,), (known,)
    for k in tl.static_range(1, TAPS):
        pixel, weight, known = tap(g, k, size, ORDER, MODE, PADDING, ALIGNED, SHOWN)
        pixels, weights, masks = pixels + (pixel,), weights + (weight,), masks + (known,)
    return pixels, weights, masks


@triton.jit
def crossed(pixels, weights, masks, size, more_pixels, more_weights, more_masks):
    """Taps along some dimensions, each with every tap along the next one, which has `size` pixels."""
    count: tl.constexpr = len(more_pixels)
    all_pixels = (pixels[0] * size + more_pixels[0],)
    all_weights, all_masks = (weights[0] * more_weights[0],), (masks[0] & more_masks[0],)
    for t in tl.static_range(1, len(pixels) * count):
        all_pixels = all_pixels + (pixels[t // count] * size + more_pixels[t % count],)
        all_weights = all_weights + (weights[t // count] * more_weights[t % count],)
        all_masks = all_masks + (masks[t // count] & more_masks[t % count],)
    return all_pixels, all_weights, all_masks


@triton.jit
def numbers_of(point, exists, dims: tl.constexpr, DTYPE: tl.constexpr):
    """A point's numbers in the order of the dimensions."""
    x = tl.load(point, mask=exists, other=0).to(DTYPE)
    y = tl.load(point + 1, mask=exists, other=0).to(DTYPE)
    if dims == 2:
        return y, x
    else:
        return tl.load(point + 2, mask=exists, other=0).to(DTYPE), y, x


@triton.jit
def all_taps(
    numbers, image, orders, MORE: tl.constexpr, TAPS: tl.constexpr, MODE: tl.constexpr, PADDING: tl.constexpr,
    ALIGNED: tl.constexpr,
):  # fmt: skip
    """(pixels, weights, masks) of all taps of points; MORE: a dimension along which to differentiate once more.

    A number that is not finite shows as in torch: as NaN, but beside pixels without a weight, in volumes, and where it is moved
    into the image first.
    """
    moved: tl.constexpr = MODE == "bilinear" and PADDING != "zeros"
    shown: tl.constexpr = len(image) == 2 and MODE != "nearest" and not moved
    pixels, weights, masks = taps_along(numbers[0], image[0], orders[0] + (MORE == 0), TAPS, MODE, PADDING, ALIGNED, shown)
    for d in tl.static_range(1, len(image)):
        at, w, inside = taps_along(numbers[d], image[d], orders[d] + (MORE == d), TAPS, MODE, PADDING, ALIGNED, shown)
        pixels, weights, masks = crossed(pixels, weights, masks, image[d], at, w, inside)
    return pixels, weights, masks


@triton.jit
def point_tile(points, groups, BLOCK: tl.constexpr):
    """(batch, group of channels, points) of a program. Grid: (batches x groups x tiles of points,)."""
    program = tl.program_id(0).to(points.dtype)
    tiles = tl.cdiv(points, BLOCK)
    p = program % tiles * BLOCK + tl.arange(0, BLOCK)
    return program // tiles // groups, program // tiles % groups, p


@triton.jit
def area_of(image):
    area = image[0]
    for d in tl.static_range(1, len(image)):
        area = area * image[d]
    return area


@triton.jit
def sample(
    x, grid, y, channels, points, groups, image, orders, TAPS: tl.constexpr, MODE: tl.constexpr,
    PADDING: tl.constexpr, ALIGNED: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """y = the weighted sums of the points' taps; a program does every `groups`-th channel. Grid: of `point_tile`."""
    DTYPE: tl.constexpr = compute_dtype(x.dtype.element_ty)
    batch, group, p = point_tile(points, groups, BLOCK)
    exists = p < points
    numbers = numbers_of(grid + (batch * points + p) * len(image), exists, len(image), DTYPE)
    pixels, weights, masks = all_taps(numbers, image, orders, -1, TAPS, MODE, PADDING, ALIGNED)
    area = area_of(image)
    for channel in range(group, channels, groups):
        plane = batch * channels + channel
        acc = tl.zeros((BLOCK,), DTYPE)
        for t in tl.static_range(TAPS ** len(image)):
            acc += weights[t] * tl.load(x + plane * area + pixels[t], mask=exists & masks[t], other=0).to(DTYPE)
        tl.store(y + plane * points + p, acc.to(y.dtype.element_ty), mask=exists)


@triton.jit
def slopes(
    dy, x, grid, dgrid, channels, points, image, orders, TAPS: tl.constexpr, MODE: tl.constexpr,
    PADDING: tl.constexpr, ALIGNED: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """dgrid = the sum of dy x over channels and taps, whose weights are differentiated. Grid: (batches x tiles of points,)."""
    DTYPE: tl.constexpr = compute_dtype(x.dtype.element_ty)
    dims: tl.constexpr = len(image)
    batch, _, p = point_tile(points, 1, BLOCK)
    exists = p < points
    at = (batch * points + p) * dims
    numbers = numbers_of(grid + at, exists, dims, DTYPE)
    pixels, row_weights, masks = all_taps(numbers, image, orders, 0, TAPS, MODE, PADDING, ALIGNED)
    _, column_weights, _ = all_taps(numbers, image, orders, dims - 1, TAPS, MODE, PADDING, ALIGNED)
    if dims == 3:
        _, middle_weights, _ = all_taps(numbers, image, orders, 1, TAPS, MODE, PADDING, ALIGNED)
    area = area_of(image)
    rows = tl.zeros((BLOCK,), DTYPE)
    middle = tl.zeros((BLOCK,), DTYPE)
    columns = tl.zeros((BLOCK,), DTYPE)
    for channel in range(channels):
        plane = batch * channels + channel
        gradient = tl.load(dy + plane * points + p, mask=exists, other=0).to(DTYPE)
        for t in tl.static_range(TAPS**dims):
            seen = gradient * tl.load(x + plane * area + pixels[t], mask=exists & masks[t], other=0).to(DTYPE)
            rows += seen * row_weights[t]
            columns += seen * column_weights[t]
            if dims == 3:
                middle += seen * middle_weights[t]
    tl.store(dgrid + at, columns.to(dgrid.dtype.element_ty), mask=exists)
    if dims == 3:
        tl.store(dgrid + at + 1, middle.to(dgrid.dtype.element_ty), mask=exists)
    tl.store(dgrid + at + (dims - 1), rows.to(dgrid.dtype.element_ty), mask=exists)


@triton.jit
def spread(
    dy, grid, dx, channels, points, groups, bands, image, orders, TAPS: tl.constexpr, MODE: tl.constexpr,
    PADDING: tl.constexpr, ALIGNED: tl.constexpr, COLS: tl.constexpr,
):  # fmt: skip
    """dx += the weighted dy of the points, in order; dy is (batches, points, channels), dx (batches, pixels, channels).

    A program owns COLS channels of the pixels of one of `bands` bands. Grid: (batches x groups of channels x bands,).
    """
    DTYPE: tl.constexpr = compute_dtype(dy.dtype.element_ty)
    program = tl.program_id(0).to(points.dtype)
    batch, group, band = program // bands // groups, program // bands % groups, program % bands
    channel = group * COLS + tl.arange(0, COLS)
    own = channel < channels
    area = area_of(image)
    height = tl.cdiv(area, bands)
    one = tl.arange(0, 1)
    for i in range(points):
        p = batch * points + i
        numbers = numbers_of(grid + p * len(image) + one, one == 0, len(image), DTYPE)
        gradient = tl.load(dy + p * channels + channel, mask=own, other=0).to(DTYPE)
        pixels, weights, masks = all_taps(numbers, image, orders, -1, TAPS, MODE, PADDING, ALIGNED)
        for t in tl.static_range(TAPS ** len(image)):
            use = own & masks[t] & (pixels[t] // height == band)
            to = dx + (batch * area + pixels[t]) * channels + channel
            tl.store(to, tl.load(to, mask=use, other=0) + weights[t] * gradient, mask=use)


TAPS = {"nearest": 1, "bilinear": 2, "bicubic": 4}


def config(facts: DeviceFacts, taps: int) -> dict:
    """Blocks of points, for so many taps of a point."""
    block = 256 if taps <= 4 else 128
    return {"constexprs": {"BLOCK": block}, "num_warps": facts.warps(4)}


def channel_groups(facts: DeviceFacts, programs: int, channels: int) -> int:
    """Among how many programs the channels of a tile are divided: enough to be busy, as positions are computed in each."""
    wanted = 8 if facts.kind == "cpu" else 512
    return max(min(wanted // max(programs, 1), channels // 4), 1)


def spread_config(facts: DeviceFacts, batches: int, channels: int, area: int) -> tuple[dict, int, int]:
    """Constexprs and warps, groups of channels, bands of pixels, each of which is a program."""
    cols = min(next_power_of_2(channels), 64 if facts.kind == "cpu" else 32)
    groups = -(-channels // cols)
    wanted = 2 if facts.kind == "cpu" else 512
    bands = max(min(wanted // max(batches * groups, 1), area), 1)
    return {"constexprs": {"COLS": cols}, "num_warps": 1}, groups, bands
