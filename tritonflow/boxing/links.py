"""Links: what it costs to move bytes between ranks. A static table, so that every rank decides alike."""

from __future__ import annotations

from typing import NamedTuple

from tritonflow.wire.world import this_rank


class Link(NamedTuple):
    """What connects two ranks.

    Attributes:
        latency: seconds until a collective over such links is through, however little it moves.
        rate: bytes that a rank sends in a second.
    """

    latency: float
    rate: float


# By the kind of the placement's devices, which a rank need not have to estimate a route.
LINKS = {  # within a node, between nodes
    "cpu": (Link(100e-6, 2e9), Link(150e-6, 1e9)),
    "gpu": (Link(10e-6, 235e9), Link(20e-6, 25e9)),
}
MEMORY_RATE = {"cpu": 8e9, "gpu": 3e12}  # bytes in a second that a rank adds up
HOST_LINK = Link(20e-6, 20e9)  # between a node's memory and its GPUs'


def node_size() -> int:
    """How many ranks a node has: neighbouring numbers, as torchrun gives them."""
    rank = this_rank()
    return max(rank.world_size // rank.nodes, 1)
