"""Decoding beside llama.cpp: one token after the other of one request, with weights from one file of GGUF for both.

    python bench/decoding.py [f32 bf16 q8_0 q4_0] [--layers 8] [--width 1024] [--threads 1] [--rounds 9] [--json FILE]

The model has LLaMA's layers and random weights. Both libraries decode in bursts by turns, each its own likeliest tokens. Printed
are the medians of tokens in a second of processor time, GB of weights in a second, our tokens divided by llama.cpp's (the median
over the rounds, by processor time), and how far the log-probabilities of the 64 likeliest tokens behind the prompt are apart.
llama.cpp rounds the inputs of products to 8 bits where weights are in blocks. We do not.

Needs the packages llama-cpp-python (built for this machine) and gguf.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy

import tritonflow as flow
from tritonflow import nn
from tritonflow.bench.script import script_parser, write_results
from tritonflow.generation import Engine, PackedTokens, PagedCache
from tritonflow.quantization import from_gguf
from tritonflow.quantization.gguf import GGUFFile

F = nn.functional
KINDS = ("f32", "bf16", "q8_0", "q4_0")
HEAD_SIZE, GROUP, EPS, BASE = 64, 4, 1e-5, 10000.0
PROMPT = list(range(1, 9))
BURST, NOTED = 24, 64


class Sizes(NamedTuple):
    """Of a model."""

    layers: int
    width: int
    vocabulary: int
    length: int

    @property
    def hidden(self) -> int:
        return self.width * 11 // 4

    @property
    def heads(self) -> int:
        return self.width // HEAD_SIZE


# ----------------------------------------------------------------------------------------------------------------- the file


def write_model(path: Path, sizes: Sizes, kind: str) -> None:
    """A file of GGUF with random weights."""
    import gguf

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model("no_vocab")
    writer.add_vocab_size(sizes.vocabulary)
    writer.add_context_length(sizes.length)
    writer.add_block_count(sizes.layers)
    writer.add_embedding_length(sizes.width)
    writer.add_feed_forward_length(sizes.hidden)
    writer.add_head_count(sizes.heads)
    writer.add_head_count_kv(sizes.heads // GROUP)
    writer.add_layer_norm_rms_eps(EPS)
    writer.add_rope_dimension_count(HEAD_SIZE)
    writer.add_rope_freq_base(BASE)
    rng = numpy.random.default_rng(0)
    dtype = getattr(gguf.GGMLQuantizationType, kind.upper())

    def add(name: str, rows: int, columns: int) -> None:
        weight = rng.standard_normal((rows, columns), numpy.float32) / numpy.float32(columns**0.5)
        writer.add_tensor(f"{name}.weight", gguf.quantize(weight, dtype), raw_dtype=dtype)

    add("token_embd", sizes.vocabulary, sizes.width)
    add("output", sizes.vocabulary, sizes.width)
    writer.add_tensor("output_norm.weight", numpy.ones(sizes.width, numpy.float32))
    narrow = sizes.width // GROUP
    for block in (f"blk.{layer}" for layer in range(sizes.layers)):
        for norm in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"{block}.{norm}.weight", numpy.ones(sizes.width, numpy.float32))
        for name, rows in (("attn_q", sizes.width), ("attn_k", narrow), ("attn_v", narrow), ("attn_output", sizes.width)):
            add(f"{block}.{name}", rows, sizes.width)
        for name, rows in (("ffn_gate", sizes.hidden), ("ffn_up", sizes.hidden)):
            add(f"{block}.{name}", rows, sizes.width)
        add(f"{block}.ffn_down", sizes.width, sizes.hidden)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


# --------------------------------------------------------------------------------------------------------------------- ours


def linear(file: GGUFFile, *names: str) -> nn.Module:
    """The layer of one weight, or of several below each other."""
    keys = [f"{name}.weight" for name in names]
    kind = file.infos[keys[0]].kind
    if kind in ("q8_0", "q4_0"):
        return from_gguf(flow.cat([file.data(key) for key in keys]), kind)
    weight = flow.cat([file[key] for key in keys])
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=False, dtype=weight.dtype)
    layer.weight = nn.Parameter(weight)
    return layer


class Block(nn.Module):
    """x + attention(norm(x)), then x + down(silu(gate) * up), with gate and up of norm(x)."""

    def __init__(self, file: GGUFFile, layer: int, sizes: Sizes) -> None:
        super().__init__()
        name, self.layer, self.sizes = f"blk.{layer}", layer, sizes
        self.norm1, self.norm2 = (nn.RMSNorm(sizes.width, EPS) for _ in range(2))
        self.qkv = linear(file, *(f"{name}.attn_{each}" for each in "qkv"))
        self.out = linear(file, f"{name}.attn_output")
        self.up, self.down = linear(file, f"{name}.ffn_gate", f"{name}.ffn_up"), linear(file, f"{name}.ffn_down")

    def forward(self, x: flow.Tensor, angles: tuple[flow.Tensor, flow.Tensor], packed: PackedTokens) -> flow.Tensor:
        heads = self.sizes.heads
        qkv = self.qkv(self.norm1(x)).unflatten(-1, (-1, HEAD_SIZE))
        q, k, v = qkv.split([heads, heads // GROUP, heads // GROUP], -2)
        y = self.out(packed.attend(self.layer, q, k, v, rotary=angles, interleaved=True).flatten(-2))
        y, x = F.add_rms_norm(y, x, (self.sizes.width,), self.norm2.weight, EPS)
        gate, up = self.up(y).chunk(2, -1)
        return x + self.down(F.swiglu(gate, up))


class Llama(nn.Module):
    """Tokens to logits."""

    def __init__(self, file: GGUFFile, sizes: Sizes, dtype: flow.dtype) -> None:
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(file["token_embd.weight"].to(dtype))
        self.blocks = nn.ModuleList(Block(file, layer, sizes) for layer in range(sizes.layers))
        self.norm, self.head = nn.RMSNorm(sizes.width, EPS), linear(file, "output")
        angles = flow.arange(sizes.length).unsqueeze(1) * BASE ** (-flow.arange(0, HEAD_SIZE, 2) / HEAD_SIZE)
        self.register_buffer("cos", angles.cos().to(dtype))
        self.register_buffer("sin", angles.sin().to(dtype))

    def forward(self, tokens: flow.Tensor, positions: flow.Tensor, packed: PackedTokens) -> flow.Tensor:
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x, (self.cos, self.sin), packed)
        return self.head(self.norm(packed.wanted(x)))


class Ours:
    """Our engine."""

    def __init__(self, path: Path, sizes: Sizes, kind: str, threads: int) -> None:
        dtype = flow.bfloat16 if kind == "bf16" else flow.float32
        cache = PagedCache(sizes.layers, sizes.heads // GROUP, HEAD_SIZE, sizes.length // 16, 16, dtype=dtype)
        model = Llama(flow.load_gguf(path), sizes, dtype).eval()
        self.engine, self.room = Engine(model, cache, max_logprobs=NOTED), sizes.length - len(PROMPT)

    def first_logprobs(self) -> dict[int, float]:
        """Logarithms of probabilities of the likeliest tokens behind the prompt."""
        request = self.engine.add(PROMPT, 1, logprobs=NOTED)
        self.engine.run()
        return dict(request.logprobs[0].top)

    def begin(self) -> None:
        """Compute the prompt, and a few tokens."""
        self.request = self.engine.add(PROMPT, self.room)
        for _ in range(4):
            self.engine.step()

    def step(self) -> None:
        """Compute a token."""
        self.engine.step()

    def end(self) -> None:
        """Forget the request."""
        self.request.cancel()


# ---------------------------------------------------------------------------------------------------------------- llama.cpp


class LlamaCpp:
    """A context of llama.cpp."""

    def __init__(self, path: Path, sizes: Sizes, kind: str, threads: int) -> None:
        import llama_cpp

        llama_cpp.llama_backend_init()
        self.silent = llama_cpp.llama_log_callback(lambda level, text, data: None)
        llama_cpp.llama_log_set(self.silent, None)
        options = llama_cpp.llama_context_default_params()
        options.n_ctx, options.n_threads, options.n_threads_batch = sizes.length, threads, threads
        self.library = llama_cpp
        self.model = llama_cpp.llama_model_load_from_file(os.fsencode(path), llama_cpp.llama_model_default_params())
        self.context = llama_cpp.llama_init_from_model(self.model, options)
        self.vocabulary = sizes.vocabulary

    def decode(self, tokens: Sequence[int]) -> numpy.ndarray:
        """The logits behind tokens."""
        array = (self.library.llama_token * len(tokens))(*tokens)
        if self.library.llama_decode(self.context, self.library.llama_batch_get_one(array, len(tokens))):
            raise RuntimeError("llama_decode failed")
        return numpy.ctypeslib.as_array(self.library.llama_get_logits(self.context), (self.vocabulary,))

    def first_logprobs(self) -> dict[int, float]:
        """Logarithms of probabilities of all tokens behind the prompt."""
        logits = self.decode(PROMPT).astype(numpy.float64)
        self.end()
        return dict(enumerate(logits - numpy.logaddexp.reduce(logits)))

    def begin(self) -> None:
        """Compute the prompt, and a few tokens."""
        self.token = int(self.decode(PROMPT).argmax())
        for _ in range(4):
            self.step()

    def step(self) -> None:
        """Compute a token."""
        self.token = int(self.decode([self.token]).argmax())

    def end(self) -> None:
        """Forget the request."""
        self.library.llama_memory_clear(self.library.llama_get_memory(self.context), True)


# ---------------------------------------------------------------------------------------------------------------- by turns


def burst(each: Ours | LlamaCpp) -> tuple[float, float]:
    """Seconds, and seconds of the processor, of a token."""
    each.begin()
    start, processor = time.perf_counter(), time.process_time()
    for _ in range(BURST):
        each.step()
    found = (time.perf_counter() - start) / BURST, (time.process_time() - processor) / BURST
    each.end()
    return found


def measure(kind: str, sizes: Sizes, threads: int, rounds: int) -> dict[str, float]:
    """The figures of a kind of weights."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.gguf"
        write_model(path, sizes, kind)
        both = Ours(path, sizes, kind, threads), LlamaCpp(path, sizes, kind, threads)
        file = flow.load_gguf(path)
        read = sum(info.nbytes for name, info in file.infos.items() if name != "token_embd.weight")
        noted = [each.first_logprobs() for each in both]
        off = max(abs(noted[0][token] - noted[1][token]) for token in noted[0])
        for each in both:
            burst(each)
        times = numpy.array([[burst(each) for each in both] for _ in range(rounds)])  # rounds, libraries, clocks
    clock, processor = numpy.median(times, 0).T
    return {
        "weights_mb": read / 1e6, "off": off, "ratio": float(numpy.median(times[:, 1, 1] / times[:, 0, 1])),
        **{f"{name}_tokens": 1 / float(t) for name, t in zip(("ours", "llama_cpp"), processor)},
        **{f"{name}_gb": read / float(t) / 1e9 for name, t in zip(("ours", "llama_cpp"), clock)},
    }  # fmt: skip


def read_speed(count: int = 1 << 28) -> float:
    """GB a second that a sum over so many bytes reads."""
    x = flow.ones(count // 4)
    total = flow.compile(lambda x: x.sum())
    times = []
    for _ in range(9):
        start = time.perf_counter()
        total(x).item()
        times.append(time.perf_counter() - start)
    return count / float(numpy.median(times)) / 1e9


def main() -> None:
    parser = script_parser(__doc__, names="kinds of weights; all unless told")
    for name, value in (("layers", 8), ("width", 1024), ("vocabulary", 8192), ("threads", 1), ("rounds", 9)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    flow.set_num_threads(options.threads)
    sizes = Sizes(options.layers, options.width, options.vocabulary, 1024)
    reading = read_speed()
    print(f"a sum over memory reads {reading:.1f} GB/s")
    print("weights    MB  tokens/s: ours  llama.cpp  GB/s: ours  llama.cpp  ratio   off")
    found = {}
    for kind in options.names or KINDS:
        found[kind] = each = measure(kind, sizes, options.threads, options.rounds)
        print(
            f"{kind:6} {each['weights_mb']:6.0f} {each['ours_tokens']:15.1f} {each['llama_cpp_tokens']:10.1f}"
            f" {each['ours_gb']:11.1f} {each['llama_cpp_gb']:10.1f} {each['ratio']:6.2f} {each['off']:.0e}", flush=True,
        )  # fmt: skip
    write_results(options.json, {"read_gb": reading, "sizes": sizes._asdict(), "kinds": found}, threads=options.threads)


if __name__ == "__main__":
    with flow.no_grad():
        main()
