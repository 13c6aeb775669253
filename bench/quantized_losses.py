"""What few bits cost: loss and perplexity of a small language model on held-out text, with its weights in each form.

    python bench/quantized_losses.py [--steps 200] [--json bench/results/quantized_losses.json]

The model is that of examples/llama_small.py with 2 million parameters. It learns bytes of Python's standard library for minutes
of one core. Then its linear layers are quantised, the embedding stays. q8_0 and q4_0 are written as llama.cpp does, and read by
`from_gguf`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy

import tritonflow as flow
from tritonflow import nn
from tritonflow.bench.script import script_parser, write_results
from tritonflow.quantization import (
    Float8DynamicActivationFloat8WeightConfig,
    Float8WeightOnlyConfig,
    Int4WeightOnlyConfig,
    Int8DynamicActivationInt8WeightConfig,
    Int8WeightOnlyConfig,
    NF4WeightOnlyConfig,
    PerBlock,
    from_gguf,
)

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "examples"))
import llama_small  # noqa: E402 (the folder of examples is no package)

SIZES = {"steps": 200, "width": 256, "layers": 3, "hidden": 512, "length": 128, "batch": 8, "windows": 128, "seed": 0}
CONFIGS: dict[str, Any] = {
    "int8, rows": Int8WeightOnlyConfig(),
    "int8, groups of 32": Int8WeightOnlyConfig(group_size=32),
    "int8, input and weight": Int8DynamicActivationInt8WeightConfig(),
    "float8, rows": Float8WeightOnlyConfig(),
    "float8, input and weight": Float8DynamicActivationFloat8WeightConfig(),
    "float8, input and blocks of 128": Float8DynamicActivationFloat8WeightConfig((PerBlock((1, 128)), PerBlock((128, 128)))),
    "int4, groups of 32": Int4WeightOnlyConfig(group_size=32),
    "int4, groups of 128": Int4WeightOnlyConfig(group_size=128),
    "int4, groups of 32, symmetric": Int4WeightOnlyConfig(group_size=32, symmetric=True),
    "int4, groups of 128, symmetric": Int4WeightOnlyConfig(group_size=128, symmetric=True),
    "nf4, groups of 64": NF4WeightOnlyConfig(),
}


def q8_0(weight: numpy.ndarray) -> numpy.ndarray:
    """Blocks of 32: a scale in float16, and 32 codes."""
    blocks = weight.reshape(weight.shape[0], -1, 32)
    scale = numpy.abs(blocks).max(-1, keepdims=True) / 127
    codes = numpy.rint(blocks / numpy.where(scale == 0, 1, scale)).astype(numpy.int8)
    return _joined(scale, codes.view(numpy.uint8))


def q4_0(weight: numpy.ndarray) -> numpy.ndarray:
    """Blocks of 32: a scale in float16, and two codes in a byte, 16 elements apart."""
    blocks = weight.reshape(weight.shape[0], -1, 32)
    furthest = numpy.take_along_axis(blocks, numpy.abs(blocks).argmax(-1)[..., None], -1)
    scale = furthest / -8
    codes = numpy.clip(numpy.floor(blocks / numpy.where(scale == 0, 1, scale) + 8.5), 0, 15).astype(numpy.uint8)
    return _joined(scale, codes[..., :16] | codes[..., 16:] << 4)


def _joined(scale: numpy.ndarray, codes: numpy.ndarray) -> numpy.ndarray:
    halves = scale.astype(numpy.float16).view(numpy.uint8)
    return numpy.concatenate([halves, codes], -1).reshape(codes.shape[0], -1)


def of_gguf(model: nn.Module, kind: str, write: Callable[[numpy.ndarray], numpy.ndarray]) -> nn.Module:
    """A copy of the model whose linear layers are read from blocks of such a file."""

    class Config(Int8WeightOnlyConfig):
        def of(self, module: Any) -> nn.Module:
            return from_gguf(flow.tensor(write(module.weight.detach().numpy())), kind, module.bias)

    return flow.quantize(model, Config(group_size=32))  # type: ignore[no-any-return]


def bits(model: nn.Module) -> float:
    """Bits for each weight of the linear layers, with their scales and zeros."""
    layers = [each for block in model.blocks for each in (block.attention.qkv, block.attention.out, block.up, block.down)]
    layers.append(model.head)
    held = sum(t.numel() * t.element_size() for layer in layers for t in (*layer.parameters(), *layer.buffers()))
    return 8 * held / sum(layer.weight.numel() for layer in layers)


def forms(model: nn.Module) -> dict[str, Callable[[], nn.Module]]:
    """What makes each form of the model."""
    made: dict[str, Callable[[], nn.Module]] = {"float32": lambda: model}
    for name, config in CONFIGS.items():
        made[name] = lambda config=config: flow.quantize(model, config)  # type: ignore[misc]
    return {**made, "GGUF q8_0": lambda: of_gguf(model, "q8_0", q8_0), "GGUF q4_0": lambda: of_gguf(model, "q4_0", q4_0)}


def main() -> None:
    parser = script_parser(__doc__)
    for name, value in SIZES.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.set_defaults(graph=True, eager=False, amp=None, epochs=1, checkpoint=None, resume=False, device="cpu")
    options = parser.parse_args()
    flow.manual_seed(options.seed)
    model, held_out = llama_small.train(options)
    found: dict[str, dict[str, float]] = {}
    print("| form | bits a weight | loss | more loss | perplexity |\n|---|---:|---:|---:|---:|")
    for name, make in forms(model).items():
        form = make()
        loss = llama_small.held_out_loss(form, held_out, options)
        found[name] = {"bits a weight": round(bits(form), 3), "loss": round(loss, 6), "perplexity": round(math.exp(loss), 5)}
        more = round(loss, 6) / found["float32"]["loss"] - 1
        print(f"| {name} | {bits(form):.2f} | {loss:.4f} | {100 * more:+.2f} % | {math.exp(loss):.4f} |", flush=True)
    write_results(options.json, {"model": {name: getattr(options, name) for name in SIZES}, "forms": found})


if __name__ == "__main__":
    main()
