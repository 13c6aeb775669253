"""An estimate of a training step on an H200, from what its graph moves and computes. Needs no GPU.

    python bench/gpu_step.py [--json FILE]

The model: a GPT of one layer, width 1024, 16 x 1024 tokens of 32768, AdamW, in bfloat16 by autocast. A kernel takes the larger of

    bytes / (4.3 TB/s x 0.85)    and    operations of products / (788 TFLOP/s x share)

with the shares that the compiler's figures give: 0.8 for products, 0.5 and 0.4 for attention and its gradient.
A graph's kernels follow each other without the host; each counts 2 us for its beginning and end.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import tritonflow as flow  # noqa: E402
from bench.gpt import Sizes, gpt  # noqa: E402
from tests.kernels.compile_sweep import sweep  # noqa: E402

BATCH, SIZES = 16, Sizes(layers=1, heads=16, width=1024, length=1024, words=32768, tied=False)
BANDWIDTH, PRODUCTS, BETWEEN = 4.3e12 * 0.85, 788e12, 2e-6
SHARES = {"scaled_dot_product_attention": 0.5, "attention_grad": 0.4}


def explanation() -> Any:
    """What a compiled step would run on an H200."""
    with sweep(90), flow.device("cuda"):
        model = gpt(flow, SIZES)
        optimizer = flow.optim.AdamW(model.parameters(), lr=1e-4)

        @flow.compile
        def step(x: flow.Tensor, target: flow.Tensor) -> flow.Tensor:
            optimizer.zero_grad()
            with flow.autocast("cuda", dtype=flow.bfloat16):
                loss = flow.nn.functional.cross_entropy(model(x).flatten(0, 1), target)
            loss.backward()
            optimizer.step()
            return loss.detach()

        tokens = BATCH, SIZES.length
        step(flow.zeros(*tokens, dtype=flow.int64), flow.zeros(tokens[0] * tokens[1], dtype=flow.int64))
        return step.explain()


def seconds_of(row: Any) -> float:
    """The estimate for a kernel."""
    moving = row.cost.bytes / BANDWIDTH
    share = next((share for name, share in SHARES.items() if name in row.title), 0.8)
    products = row.cost.flops / (PRODUCTS * share) if row.kind == "product" else 0.0
    return max(moving, products) + BETWEEN * row.launches


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows = [
        (row.title, row.kind, row.cost.bytes, row.cost.flops, seconds_of(row)) for row in explanation().kernels
    ]
    for title, _, nbytes, flops, seconds in sorted(rows, key=lambda row: -row[-1]):
        print(f"{title:45} {nbytes / 1e6:10.1f} MB {flops / 1e9:10.1f} G {seconds * 1e6:9.1f} us")
    products = sum(seconds for _, kind, _, _, seconds in rows if kind == "product")
    total = sum(row[-1] for row in rows)
    print(f"{len(rows)} kernels, {total * 1e3:.2f} ms, of which products {products * 1e3:.2f} ms")
    if arguments.json:
        arguments.json.write_text(json.dumps({"step_ms": total * 1e3, "products_ms": products * 1e3, "kernels": rows}, indent=1))


if __name__ == "__main__":
    main()
