"""`python -m tests.opinfo [names] [--dtypes float32,int64] [--most 8] [--json FILE] [-v]`: a line an op."""

from __future__ import annotations

import argparse
import collections
import json
from typing import Any

import torch
from torch.testing._internal.common_methods_invocations import op_db

from .check import outcomes
from .exceptions import reason_of
from .names import op_of

DTYPES = "float32,float64,bfloat16,int64,bool"


def examine(info: Any, dtypes: list[torch.dtype], most: int | None) -> dict[str, Any]:
    """Counts of samples that agree by form and by dtype, and what went wrong first."""
    counts: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
    by_dtype: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
    faults: dict[str, tuple[int, str]] = {}
    for dtype in dtypes:
        if not info.supports_dtype(dtype, "cpu"):
            continue
        for outcome in outcomes(info, dtype, most):
            for count in (counts[outcome.form], by_dtype[str(dtype)[6:]]):
                count[1] += 1
                count[0] += outcome.fault is None
            if outcome.fault is not None:
                reason = reason_of(info.name, outcome)
                key = f"{outcome.form}: {outcome.fault}" + (f" (known: {reason})" if reason else "")
                times, where = faults.get(key, (0, f"{str(dtype)[6:]} ({outcome.sample})"))
                faults[key] = (times + 1, where)
    return {"counts": dict(counts), "dtypes": dict(by_dtype), "faults": faults}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--dtypes", default=DTYPES)
    parser.add_argument("--most", type=int)
    parser.add_argument("--json")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    dtypes = [getattr(torch, name) for name in options.dtypes.split(",")]
    infos = [i for i in op_db if not options.names or i.name in options.names]
    missing = sorted({i.name for i in infos if op_of(i) is None})
    results, agreed, tried = {}, 0, 0
    for info in infos:
        if op_of(info) is None:
            continue
        found = results[info.formatted_name] = examine(info, dtypes, options.most)
        good, all_of = (sum(c[k] for c in found["counts"].values()) for k in (0, 1))
        agreed, tried = agreed + good, tried + all_of
        if good < all_of or options.names:
            forms = ", ".join(f"{form} {a}/{b}" for form, (a, b) in found["counts"].items())
            print(f"{info.formatted_name:40s} {good}/{all_of}  {forms}", flush=True)
            for fault, (times, where) in list(found["faults"].items())[: 40 if options.verbose else 5]:
                print(f"    {times} x {fault}  {where}", flush=True)
    whole = sum(all(a == b for a, b in r["counts"].values()) for r in results.values())
    print(f"{len(results)} of {len(infos)} infos exist, {whole} agree in every sample; {agreed} of {tried} samples")
    for name in options.dtypes.split(","):
        counted = [r["dtypes"][name] for r in results.values() if name in r["dtypes"]]
        print(f"{name:10s} {sum(a for a, _ in counted)} of {sum(b for _, b in counted)} samples")
    print("missing:", " ".join(missing))
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"results": results, "missing": missing}, file)


if __name__ == "__main__":
    main()
