"""Where the boxes of a drawing stand: in layers, each below everything that it follows, near what it is joined to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

SWEEPS = 12
MOST = 5  # boxes in a layer


class Drawing(NamedTuple):
    """The left upper corner of each box, and the size of the whole."""

    positions: list[tuple[float, float]]
    width: float
    height: float


def draw(before: Sequence[Sequence[int]], width: float, height: float, gap: float, drop: float) -> Drawing:
    """Place boxes of one size.

    Args:
        before: for each box those that it follows, which have lower numbers.
        width, height: of a box.
        gap, drop: the least distances between neighbours, and between layers.
    """
    layers = _layers(before)
    after: list[list[int]] = [[] for _ in before]
    for box, sources in enumerate(before):
        for source in sources:
            after[source].append(box)
    x = _columns(layers, before, after, width + gap)
    left = min(x, default=0.0)
    y = {box: (height + drop) * depth for depth, layer in enumerate(layers) for box in layer}
    positions = [(x[box] - left, y[box]) for box in range(len(before))]
    right = max((position[0] + width for position in positions), default=0.0)
    return Drawing(positions, right, max(len(layers) * (height + drop) - drop, 0.0))


def _layers(before: Sequence[Sequence[int]]) -> list[list[int]]:
    """Each box below those that it follows, in the first layer with room; one that follows none beside the box before it."""
    depth: list[int] = []
    layers: list[list[int]] = []
    for box, sources in enumerate(before):
        level = max(depth[source] + 1 for source in sources) if sources else depth[-1] if depth else 0
        while level < len(layers) and len(layers[level]) >= MOST:
            level += 1
        if level == len(layers):
            layers.append([])
        depth.append(level)
        layers[level].append(box)
    return layers


def _columns(
    layers: list[list[int]], before: Sequence[Sequence[int]], after: Sequence[Sequence[int]], step: float
) -> list[float]:
    """The x of each box: swept down and up, each layer in the order of where its neighbours are, and as near to that as fits."""
    x = [0.0] * len(before)
    for layer in layers:
        for position, box in enumerate(layer):
            x[box] = (position - (len(layer) - 1) / 2) * step
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for layer in layers if down else layers[::-1]:
            joined = before if down else after
            wanted = {box: _middle([x[other] for other in joined[box]], x[box]) for box in layer}
            layer.sort(key=lambda box: (wanted[box], box))
            for box, found in zip(layer, spread([wanted[box] for box in layer], step)):
                x[box] = found
    return x


def _middle(values: list[float], otherwise: float) -> float:
    """The median."""
    if not values:
        return otherwise
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def spread(wanted: Sequence[float], step: float) -> list[float]:
    """The positions nearest to ascending wanted ones (least squares) that are `step` apart.

    With position[k] = p[k] + k * step the p must ascend: neighbours that do not are pooled at their mean.
    """
    pools: list[tuple[float, int]] = []  # of each pool the mean, and how many members it has
    for position, value in enumerate(wanted):
        mean, members = value - position * step, 1
        while pools and pools[-1][0] > mean:
            other, count = pools.pop()
            mean, members = (mean * members + other * count) / (members + count), members + count
        pools.append((mean, members))
    ascending = [mean for mean, members in pools for _ in range(members)]
    return [p + position * step for position, p in enumerate(ascending)]
