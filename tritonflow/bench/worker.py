"""Run as a file, `worker.py TREE REQUEST`: times the cases of this harness in the tritonflow of another tree.

A line of JSON on stdin is an order, {"build": label} or {"count": calls}; a line on stdout is its answer.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any


def load(tree: str) -> None:
    """Import tritonflow of the tree, with this folder as its room `bench`."""
    sys.path[0] = tree
    import tritonflow

    folder = Path(__file__).parent
    spec = importlib.util.spec_from_file_location(
        "tritonflow.bench", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["tritonflow.bench"] = module
    tritonflow.bench = module
    spec.loader.exec_module(module)


def serve(request: dict[str, Any]) -> None:
    """Answer orders until stdin ends."""
    answers, sys.stdout = sys.stdout, sys.stderr  # cases print, too
    import torch

    import tritonflow as flow
    from tritonflow.bench.case import OURS, Context
    from tritonflow.bench.discover import Request, find
    from tritonflow.bench.machine import keep_freed_memory
    from tritonflow.bench.rivals import burst_for

    keep_freed_memory()
    flow.set_num_threads(request["threads"])
    torch.set_num_threads(request["threads"])
    context = Context(request["device"], request["tiny"])
    cases = {case.label: case for case in find(Request(**request["find"]))}
    burst = None
    for line in sys.stdin:
        order = json.loads(line)
        try:
            if "build" in order:
                timed = cases[order["build"]].build(OURS, context) if order["build"] in cases else None
                if timed is not None:
                    timed.call()
                    burst = burst_for(timed.call, context, timed.host, flow.sync, request["clock"])
                answer: dict[str, Any] = {"value": timed is not None}
            else:
                assert burst is not None
                answer = {"value": burst(order["count"])}
        except Exception as error:  # the other commit may lack what the case calls
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    load(sys.argv[1])
    serve(json.loads(sys.argv[2]))
