"""A warning where an op gathers a large tensor that nobody asked to be gathered."""

from __future__ import annotations

import warnings
from typing import Any

from tritonflow.boxing.routes import Route
from tritonflow.settings import settings
from tritonflow.vm.failure import caller, line_of
from tritonflow.wire.world import this_rank

_warned: dict[Any, Any] = {}  # Python's register of warnings that were shown


def warn_of_gather(route: Route, op: str) -> None:
    """Warn, once for each line, if a route makes a tensor whole on each rank that has more bytes than the setting allows.

    Only the first rank of the target warns.
    """
    if not route.whole_bytes or this_rank().index != route.target.placement.order[0]:
        return
    limit = settings.boxing_warning_bytes
    if not 0 < limit < route.whole_bytes:
        return
    code, offset = caller(2)
    megabytes = route.total_bytes / 1e6
    warnings.warn_explicit(
        f"{op} gathers {route.tensor_text} on every rank: {route}, {megabytes:.1f} MB each time. help: choose an sbp by which {op}"
        " can be split, or gather once before a loop by x.to_global(sbp=flow.sbp.broadcast). flow.boxing.explain(x, sbp) shows"
        " routes. TRITONFLOW_BOXING_WARNING_BYTES=0 turns this warning off",
        RuntimeWarning,
        code.co_filename,
        line_of((code, offset)),
        registry=_warned,
    )
