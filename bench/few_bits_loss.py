"""What a trained model loses by weights of few bits: loss and perplexity of a byte on files that are held out.

    python bench/few_bits_loss.py [--json FILE] [options of examples/llama_small.py, such as --checkpoint FILE --resume]

The model is that of examples/llama_small.py: it is trained first, unless a checkpoint has all of its steps.
"""

from __future__ import annotations

import copy
import json
import math
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

import llama_small

import tritonflow as flow
from tritonflow import quantization as q
from tritonflow.bench.machine import about

BLOCKS = (q.PerBlock((1, 128)), q.PerBlock((128, 128)))
CONFIGS = {
    "float32": None,
    "bfloat16": flow.bfloat16,
    "int8": q.Int8WeightOnlyConfig(),
    "int8, inputs too": q.Int8DynamicActivationInt8WeightConfig(),
    "float8": q.Float8WeightOnlyConfig(),
    "float8, inputs too": q.Float8DynamicActivationFloat8WeightConfig(),
    "float8 in blocks of 128, inputs too": q.Float8DynamicActivationFloat8WeightConfig(BLOCKS),
    "int4, groups of 32": q.Int4WeightOnlyConfig(32),
    "int4, groups of 64": q.Int4WeightOnlyConfig(64),
    "int4, groups of 128": q.Int4WeightOnlyConfig(128),
    "int4, groups of 32 without zeros (q4_0)": q.Int4WeightOnlyConfig(32, symmetric=True),
    "nf4, groups of 64": q.NF4WeightOnlyConfig(64),
}


def form_of(model: Any, config: Any) -> Any:
    """The model with weights of fewer bits."""
    if config is None:
        return model
    return copy.deepcopy(model).to(config) if isinstance(config, flow.dtype) else flow.quantize(model, config)


def losses_of(model: Any, held_out: Any, options: Namespace) -> dict[str, dict[str, float]]:
    """Loss and perplexity of each form, printed as rows of a table."""
    found: dict[str, dict[str, float]] = {}
    for name, config in CONFIGS.items():
        loss = llama_small.held_out_loss(form_of(model, config), held_out, options)
        first = next(iter(found.values()), {"loss": loss})["loss"]
        found[name] = {"loss": loss, "perplexity": math.exp(loss), "more": loss / first - 1}
        print(f"| {name} | {loss:.5f} | {math.exp(loss):.4f} | {loss / first - 1:+.3%} |", flush=True)
    return found


def main() -> None:
    arguments = sys.argv[1:]
    target = None
    if "--json" in arguments:
        at = arguments.index("--json")
        target, arguments = Path(arguments[at + 1]), arguments[:at] + arguments[at + 2 :]
    options = llama_small.options_of(arguments)
    model, held_out = llama_small.train(options)
    losses = losses_of(model, held_out, options)
    if target is not None:
        shape = {name: getattr(options, name) for name in ("width", "layers", "hidden", "length", "batch", "steps", "windows")}
        target.write_text(json.dumps({"about": about(options.device), "model": shape, "losses": losses}, indent=1) + "\n")


if __name__ == "__main__":
    main()
