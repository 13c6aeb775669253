"""Plans of graphs on disk: what passes and planners made of a captured graph, for the next process that captures the same.

A plan is found by the graph's text, the passes, and all that these, planners and compilers depend on: every source file of this
package, versions, the device's code and its switches. One that names a kernel which is gone counts as missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os

from tritonflow import disk_cache, versions
from tritonflow.device.provider import Provider
from tritonflow.dtypes import get_default_dtype
from tritonflow.graph.canonical import NotCanonicalError, graph_text
from tritonflow.graph.config import GraphConfig
from tritonflow.graph.ir import Graph
from tritonflow.graph.passes import PASSES
from tritonflow.graph.schedule import Schedule, from_text, to_text
from tritonflow.graph.tuning import conditions
from tritonflow.settings import settings

_KIND = "plans"


class KeptPlan:
    """The place of a captured graph's plan on disk.

    Args:
        graph: as it was captured.
        provider: where it will run.
        config: which passes run, and whether configurations are chosen by measuring.
    """

    def __init__(self, graph: Graph, provider: Provider, config: GraphConfig) -> None:
        self._provider = provider
        self._key = _key(graph, provider, config)

    def find(self) -> Schedule | None:
        """The plan, if it is there."""
        data = None if self._key is None else disk_cache.read(_KIND, self._key)
        return None if data is None else from_text(data.decode(), self._provider.load)

    def keep(self, plan: Schedule) -> None:
        """Write the plan, if another process can use it."""
        if self._key is None:
            return
        with contextlib.suppress(TypeError):  # a number of a class that no file holds
            text = to_text(plan)
            if text is not None:
                disk_cache.write(_KIND, self._key, text.encode())


def _key(graph: Graph, provider: Provider, config: GraphConfig) -> str | None:
    """What a plan is found by; None if it is not kept."""
    code = provider.code_key() if settings.keep_plans else None
    if code is None:
        return None
    passes = [run.__name__ for run in PASSES if run.__name__ not in config.without]
    tuned = conditions(provider.device) if config.tuning else ""
    triton = sorted((name, value) for name, value in os.environ.items() if name.startswith("TRITON_"))
    try:
        text = graph_text(graph)
    except NotCanonicalError:
        return None
    parts = [versions.fingerprint(), code, passes, tuned, triton, get_default_dtype().name, text]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
