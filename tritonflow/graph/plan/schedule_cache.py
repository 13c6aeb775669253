"""The schedule cache: what passes and planners made of a captured graph, on disk for the next process that captures the same.

A schedule is found by the graph's text, the passes, and all that these, planners and compilers depend on: every source file of this
package, versions, the device's code and its switches. One that names a kernel which is gone counts as missing.

Of a program for many sizes there is a file for each of the first sizes, without symbols. For which others a schedule is right is
decided by code, such as prices, which no text says.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Sequence
from typing import Any

from tritonflow import disk_cache, versions
from tritonflow.device.provider import Provider
from tritonflow.dtypes import get_default_dtype
from tritonflow.graph.ir import Graph
from tritonflow.graph.ir.canonical import NotCanonicalError, graph_text
from tritonflow.graph.plan.schedule import Schedule, from_text, to_text
from tritonflow.ops.precision import policy
from tritonflow.settings import settings

_KIND = "plans"


class CachedSchedule:
    """A captured graph's entry in the schedule cache.

    Args:
        graph: as it was captured.
        provider: where it will run.
        passes: the names of those that run.
        tuned: whether configurations are chosen by measuring.
        numbers: of a run, if the graph has symbolic integers: the schedule is that for these.
    """

    def __init__(
        self, graph: Graph, provider: Provider, passes: Sequence[str], tuned: bool, numbers: Sequence[Any] | None = None
    ) -> None:
        self._provider = provider
        self._key = _key(graph, provider, passes, tuned, numbers)

    def find(self) -> Schedule | None:
        """The schedule, if it is there."""
        data = None if self._key is None else disk_cache.read(_KIND, self._key)
        return None if data is None else from_text(data.decode(), self._provider.load)

    def store(self, schedule: Schedule) -> None:
        """Write the schedule, if another process can use it."""
        if self._key is None:
            return
        with contextlib.suppress(TypeError):  # a number whose class JSON does not have
            text = to_text(schedule)
            if text is not None:
                disk_cache.write(_KIND, self._key, text.encode())


def _key(
    graph: Graph, provider: Provider, passes: Sequence[str], tuned: bool, numbers: Sequence[Any] | None
) -> str | None:
    """What a schedule is found by; None if it is not cached."""
    code = provider.code_key() if settings.keep_plans else None
    if code is None:
        return None
    times = provider.timing_key() if tuned else ""
    triton = sorted((name, value) for name, value in os.environ.items() if name.startswith("TRITON_"))
    try:
        text = graph_text(graph)
    except NotCanonicalError:
        return None
    how = [list(passes), graph.folds, times, triton, get_default_dtype().name, policy()]
    parts: list[Any] = [versions.fingerprint(), code, *how, text]
    if numbers is not None:
        named = sorted({int(position) for position in re.findall(r"\bn\[(\d+)\]", text)})
        parts.append([[position, int(numbers[position])] for position in named])
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
