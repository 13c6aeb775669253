"""A LLaMA-like model of 15 million parameters: trained on Python's standard library, quantised to 4 bits, and served.

    python examples/llama_small.py [--tiny] [--steps 200] [--checkpoint FILE [--resume]]

Tokens are bytes. The model has RMS norms, rotary embeddings, groups of heads and SwiGLU. Behind the training it prints the loss
of 32, 16, 8 and 4 bits on held-out files, how many tokens a second each writes for one request and for eight at once, and how
much of the speed of reading memory that is. `--tiny` does the same with a small model in seconds.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
import sysconfig
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy
from char_gpt import MODULES, Windows
from common import Training, loss_of, parse, parser_of

import tritonflow as flow
from tritonflow import nn
from tritonflow.bench.machine import about
from tritonflow.generation import Engine, PackedTokens, PagedCache
from tritonflow.nn.attention.flash import flash_attn_func
from tritonflow.optim.lr_scheduler import CosineDecayLR, WarmUpLR
from tritonflow.quantization import Int4WeightOnlyConfig, Int8WeightOnlyConfig
from tritonflow.utils.data import DataLoader, RandomSampler

F = nn.functional
BYTES = 256
HEAD_SIZE = 64


class Attention(nn.Module):
    """Queries of `heads` heads, keys and values of fewer; without a cache, each row of a batch is a text from its beginning."""

    def __init__(self, layer: int, width: int, kv_heads: int) -> None:
        super().__init__()
        self.layer, self.heads, self.kv_heads = layer, width // HEAD_SIZE, kv_heads
        self.qkv = nn.Linear(width, width + 2 * kv_heads * HEAD_SIZE, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, x: flow.Tensor, angles: tuple[flow.Tensor, flow.Tensor], packed: PackedTokens | None) -> flow.Tensor:
        q, k, v = self.qkv(x).unflatten(-1, (-1, HEAD_SIZE)).split([self.heads, self.kv_heads, self.kv_heads], -2)
        if packed is None:
            q, k = F.apply_rotary_emb((q, k), *angles)
            y = flash_attn_func(q, k, v, causal=True)
        else:
            y = packed.attend(self.layer, q, k, v, rotary=angles)
        return self.out(y.flatten(-2))


class Block(nn.Module):
    """x + attention(norm(x)), then x + down(silu(gate) * up), with gate and up of norm(x)."""

    def __init__(self, layer: int, width: int, hidden: int, kv_heads: int) -> None:
        super().__init__()
        self.width = width
        self.norm1, self.norm2 = nn.RMSNorm(width), nn.RMSNorm(width)
        self.attention = Attention(layer, width, kv_heads)
        self.up, self.down = nn.Linear(width, 2 * hidden, bias=False), nn.Linear(hidden, width, bias=False)

    def forward(self, x: flow.Tensor, angles: tuple[flow.Tensor, flow.Tensor], packed: PackedTokens | None) -> flow.Tensor:
        y = self.attention(self.norm1(x), angles, packed)
        y, x = F.add_rms_norm(y, x, (self.width,), self.norm2.weight)
        gate, up = self.up(y).chunk(2, -1)
        return x + self.down(F.swiglu(gate, up))


class Llama(nn.Module):
    """Bytes `(N, T)` to the logits of each one's successor, `(N, T, 256)`; packed `(T)` to the logits that are wanted."""

    def __init__(self, width: int, layers: int, hidden: int, kv_heads: int, length: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(BYTES, width)
        self.blocks = nn.ModuleList(Block(layer, width, hidden, kv_heads) for layer in range(layers))
        self.norm, self.head = nn.RMSNorm(width), nn.Linear(width, BYTES, bias=False)
        angles = flow.arange(length).unsqueeze(1) * 10000.0 ** (-flow.arange(0, HEAD_SIZE, 2) / HEAD_SIZE)
        self.register_buffer("cos", angles.cos())
        self.register_buffer("sin", angles.sin())
        for p in self.parameters():
            if p.dim() == 2:
                nn.init.normal_(p, std=0.02)

    def forward(
        self, tokens: flow.Tensor, positions: flow.Tensor | None = None, packed: PackedTokens | None = None
    ) -> flow.Tensor:
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x, (self.cos, self.sin), packed)
        return self.head(self.norm(x if packed is None else packed.wanted(x)))


def read_sources() -> tuple[numpy.ndarray, numpy.ndarray]:
    """Bytes to learn from, and bytes held out."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    texts = [(folder / f"{name}.py").read_bytes() for name in MODULES]
    held_out = b"".join(texts[9::10])
    del texts[9::10]
    learned, other = (numpy.frombuffer(each, dtype=numpy.uint8).astype(numpy.int64) for each in (b"".join(texts), held_out))
    return learned, other


def held_out_loss(model: nn.Module, windows: Windows, options: argparse.Namespace) -> float:
    """Mean loss of a byte, in nats."""
    evaluate = flow.compile(lambda x, y: loss_of(model(x).float(), y))
    with flow.no_grad():
        batches = DataLoader(windows, batch_size=options.batch)
        losses = [evaluate(x.to(options.device), y.to(options.device)).item() * len(x) for x, y in batches]
    return sum(losses) / len(windows)


def train(options: argparse.Namespace) -> tuple[Llama, Windows]:
    """A model, and what is held out."""
    text, held_out = (Windows(part, options.length) for part in read_sources())
    held_out.stride = max(1, len(held_out) // options.windows)
    print(f"{len(text.text):,} bytes to learn from, {len(held_out.text):,} held out")
    model = Llama(options.width, options.layers, options.hidden, 2, 4 * options.length).to(options.device)
    matrices, others = ([p for p in model.parameters() if (p.dim() == 2) is flat] for flat in (True, False))
    groups = [{"params": p, "weight_decay": decay, "clip_grad_max_norm": 1.0} for p, decay in ((matrices, 0.1), (others, 0.0))]
    optimizer = flow.optim.AdamW(groups, lr=options.lr, betas=(0.9, 0.95))
    total = options.epochs * options.steps
    schedule = WarmUpLR(CosineDecayLR(optimizer, total, alpha=0.1), 0.01, warmup_iters=max(1, total // 10))
    training = Training(options, model, optimizer, schedule)
    windows = RandomSampler(text, replacement=True, num_samples=options.steps * options.batch)
    batches = DataLoader(text, batch_size=options.batch, sampler=windows)
    training.run(batches, lambda: {"held-out loss": held_out_loss(model, held_out, options)})
    return model.eval(), held_out


# -------------------------------------------------------------------------------------------------------------- serving


def engine_of(model: Llama, options: argparse.Namespace, dtype: flow.dtype = flow.float32) -> Engine:
    """A loop over the model with pages for eight requests."""
    pages = 8 * model.cos.shape[0] // 16
    return Engine(model, PagedCache(len(model.blocks), 2, HEAD_SIZE, pages, 16, dtype=dtype, device=options.device))


def median_seconds(run: Callable[[], Any], count: int) -> float:
    """Median of the times of so many runs."""
    times: list[float] = []
    for _ in range(count):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return sorted(times)[count // 2]


def seconds_a_step(engine: Engine, requests: int, options: argparse.Namespace) -> float:
    """The median time of a step that gives each request a token."""
    steps = options.letters // 2
    running = [engine.add([*b"import sys"], steps + 20) for _ in range(requests)]
    for _ in range(10):
        engine.step()
    seconds = median_seconds(engine.step, steps)
    for request in running:
        request.cancel()
    return seconds


def weight_bytes(model: Llama) -> int:
    """What a token reads of the weights: all but the embedding's other rows and the angles."""
    tensors = [*model.parameters(), *model.buffers()]
    left_out = {id(model.embedding.weight), id(model.cos), id(model.sin)}
    return sum(x.numel() * x.element_size() for x in tensors if id(x) not in left_out)


def read_speed(device: str, count: int = 1 << 28) -> float:
    """Bytes a second that a sum over so many bytes reads, which are more than caches hold."""
    x = flow.ones(count // 4, device=device)
    total = flow.compile(lambda: x.sum())
    return count / median_seconds(lambda: total().item(), 11)


def forms_of(model: Llama) -> dict[str, Llama]:
    """The model with weights of fewer bits."""
    return {
        "fp32": model,
        "bf16": copy.deepcopy(model).to(flow.bfloat16),
        "int8": flow.quantize(model, Int8WeightOnlyConfig()),
        "int4": flow.quantize(model, Int4WeightOnlyConfig(group_size=64)),
    }


def measure(model: Llama, held_out: Windows, options: argparse.Namespace) -> dict[str, dict[str, float]]:
    """Loss and speed of each form, printed as a table."""
    found: dict[str, dict[str, Any]] = {}
    reading = read_speed(options.device)
    print(f"a sum over memory reads {reading / 1e9:.1f} GB/s")
    print("form     loss  weights MB  tokens/s of 1  GB/s  of reading  tokens/s of 8")
    for name, form in forms_of(model).items():
        engine = engine_of(form, options, flow.bfloat16 if name == "bf16" else flow.float32)
        one, eight = (seconds_a_step(engine, n, options) for n in (1, 8))
        count = weight_bytes(form)
        speed = count / one
        figures = {
            "loss": held_out_loss(form, held_out, options), "weights MB": count / 1e6, "tokens/s": 1 / one, "GB/s": speed / 1e9,
            "of reading": speed / reading, "tokens/s of 8": 8 / eight, "programs": engine.programs,
        }  # fmt: skip
        found[name] = figures
        loss, megabytes, tokens, rate, share, eight, _ = figures.values()
        print(f"{name}  {loss:9.4f}  {megabytes:10.1f}  {tokens:13,.0f}  {rate:4.1f}  {share:10.0%}  {eight:13,.0f}", flush=True)
    return found


def write(model: Llama, options: argparse.Namespace) -> None:
    """Print what the model writes behind the prompt, as it comes."""
    request = engine_of(model, options).add([*options.prompt.encode()], options.letters, temperature=0.7, seed=options.seed)
    print(options.prompt, end="")
    for token in request:
        print(bytes([token]).decode("ascii", "replace"), end="", flush=True)
    print()


TINY = {"width": 256, "layers": 2, "hidden": 256, "length": 64, "batch": 4, "steps": 20, "windows": 16, "letters": 40}


def main(arguments: Sequence[str] | None = None) -> dict[str, dict[str, float]]:
    parser = parser_of(__doc__, epochs=1, steps=200)
    parser.add_argument("--tiny", action="store_true", help="a small model and few steps")
    for name, value, text in (
        ("width", 512, "numbers that a byte becomes"),
        ("layers", 5, "blocks"),
        ("hidden", 1536, "numbers between the products of a block"),
        ("length", 256, "bytes of a window"),
        ("batch", 8, "windows in a step"),
        ("windows", 64, "windows that are held out"),
        ("letters", 200, "bytes that it writes in the end"),
    ):
        parser.add_argument(f"--{name}", type=int, default=value, help=text)
    parser.add_argument("--lr", type=float, default=1.5e-3, help="the highest learning rate")
    parser.add_argument("--figures", type=Path, help="JSON file that loss and speed are written to")
    parser.add_argument("--prompt", default="class ", help="how the text begins that it writes")
    parser.set_defaults(graph=True)
    tiny = "--tiny" in (sys.argv[1:] if arguments is None else arguments)
    parser.set_defaults(**(TINY if tiny else {}))
    options = parse(parser, arguments)
    model, held_out = train(options)
    found = measure(model, held_out, options)
    if options.figures is not None:
        figures = {"about": about(options.device), "forms": found}
        options.figures.write_text(json.dumps(figures, indent=1) + "\n")
    write(flow.quantize(model, Int4WeightOnlyConfig(group_size=64)), options)
    return found


if __name__ == "__main__":
    main()
    sys.exit(0)
