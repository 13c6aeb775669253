"""`torch._dynamo._trace_wrapped_higher_order_op`: what transformers asks of it."""

from __future__ import annotations

import contextlib


class TransformGetItemToIndex(contextlib.nullcontext[None]):
    """A block in which tensors are indexed by tensors of `vmap`: they are so everywhere here."""
