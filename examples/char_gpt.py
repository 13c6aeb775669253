"""Learn to write Python: a GPT over characters, trained on the sources of Python's own standard library.

    python examples/char_gpt.py [--eager | --graph] [--amp] [--epochs 8] [--steps 250] [--checkpoint FILE [--resume]]

An epoch is `--steps` batches of random windows; behind each the loss on held-out files is measured. AdamW, a warm-up and then a
cosine, clipped gradients, dropout. In the end the model writes on from `--prompt`.
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import numpy
from common import Training, loss_of, parse, parser_of, progress

import tritonflow as flow
from tritonflow import nn
from tritonflow.optim.lr_scheduler import CosineDecayLR, WarmUpLR
from tritonflow.utils.data import DataLoader, Dataset, RandomSampler

# Files that every Python from 3.10 to 3.13 has. Each tenth is held out.
MODULES = """
    _collections_abc _pydecimal _pyio _strptime argparse ast base64 bdb calendar cmd codecs compileall configparser contextlib copy
    csv dataclasses difflib dis doctest enum fileinput fractions ftplib functools gettext gzip hashlib heapq imaplib inspect
    ipaddress locale mailbox mimetypes modulefinder ntpath optparse os pdb pickle pickletools pkgutil platform plistlib poplib
    posixpath pprint profile pstats pydoc queue random runpy selectors shlex shutil site smtplib socket socketserver ssl statistics
    subprocess tarfile tempfile textwrap threading timeit tokenize trace traceback tracemalloc turtle typing uuid warnings wave
    weakref webbrowser zipimport
""".split()
CHARACTERS = "\n" + "".join(map(chr, range(32, 127)))


def encode(text: str) -> numpy.ndarray:
    """A number for each character; what is not ASCII counts as `?`."""
    table = numpy.full(128, CHARACTERS.index("?"), dtype=numpy.int64)
    table[[ord(character) for character in CHARACTERS]] = range(len(CHARACTERS))
    return table[numpy.frombuffer(text.encode("ascii", "replace"), dtype=numpy.uint8)]


def read_sources() -> tuple[numpy.ndarray, numpy.ndarray]:
    """Text to learn from, and text held out."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    texts = [(folder / f"{name}.py").read_text(encoding="utf-8") for name in MODULES]
    held_out = "".join(texts[9::10])
    del texts[9::10]
    return encode("".join(texts)), encode(held_out)


class Windows(Dataset[tuple[numpy.ndarray, numpy.ndarray]]):
    """Windows of `length` characters of a text, each with the characters that come one later; one begins at each `stride`."""

    def __init__(self, text: numpy.ndarray, length: int, stride: int = 1) -> None:
        self.text, self.length, self.stride = text, length, stride

    def __len__(self) -> int:
        return (len(self.text) - self.length - 1) // self.stride + 1

    def __getitem__(self, index: int) -> tuple[numpy.ndarray, numpy.ndarray]:
        begin = index * self.stride
        window = self.text[begin : begin + self.length + 1]
        return window[:-1], window[1:]


class Block(nn.Module):
    """x + attention(norm(x)), then x + mlp(norm(x)); attention looks back only."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(dropout)
        )
        self.drop = nn.Dropout(dropout)

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        batch, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.drop(self.out(y.transpose(1, 2).reshape(batch, length, width)))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    """Characters `(N, T)` to the logits of each one's successor, `(N, T, characters)`; T is `length` at most."""

    def __init__(self, width: int, layers: int, heads: int, length: int, dropout: float) -> None:
        super().__init__()
        self.length = length
        self.tokens, self.places = nn.Embedding(len(CHARACTERS), width), nn.Embedding(length, width)
        self.drop = nn.Dropout(dropout)
        self.blocks = nn.Sequential(*[Block(width, heads, dropout) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, len(CHARACTERS))
        for p in self.parameters():
            if p.dim() == 2:
                nn.init.normal_(p, std=0.02)

    def forward(self, characters: flow.Tensor) -> flow.Tensor:
        x = self.tokens(characters) + self.places.weight[: characters.shape[1]]
        return self.head(self.norm(self.blocks(self.drop(x))))


@flow.no_grad()
def write(model: GPT, prompt: str, count: int, temperature: float, device: str) -> str:
    """The prompt and `count` characters more, each drawn from softmax(logits / temperature)."""
    model.eval()
    text = encode(prompt).tolist()
    for _ in progress(range(count), "writing", "character"):
        logits = model(flow.tensor([text[-model.length :]], device=device))[0, -1]
        gumbel = -(-flow.rand(len(CHARACTERS), device=device).log()).log()
        text.append(int((logits / temperature + gumbel).argmax().item()))
    return "".join(CHARACTERS[number] for number in text)


def train(options: argparse.Namespace) -> Training[GPT]:
    """Train a model."""
    text, held_out = (Windows(part, options.length) for part in read_sources())
    held_out.stride = max(1, len(held_out) // 256)
    print(f"{len(text.text):,} characters to learn from, {len(held_out.text):,} held out")
    model = GPT(options.width, options.layers, options.heads, options.length, options.dropout).to(options.device)
    matrices = [p for p in model.parameters() if p.dim() == 2]
    others = [p for p in model.parameters() if p.dim() < 2]
    optimizer = flow.optim.AdamW(
        [
            {"params": matrices, "weight_decay": 0.1, "clip_grad_max_norm": 1.0},
            {"params": others, "weight_decay": 0.0, "clip_grad_max_norm": 1.0},
        ],
        lr=options.lr,
        betas=(0.9, 0.99),
    )
    total = options.epochs * options.steps
    cosine = CosineDecayLR(optimizer, total, alpha=0.1)
    training = Training(options, model, optimizer, WarmUpLR(cosine, 0.01, warmup_iters=min(100, total // 10)))

    def evaluate() -> dict[str, float]:
        losses = [
            loss_of(model(x.to(options.device)), y.to(options.device)).item() * len(x)
            for x, y in progress(DataLoader(held_out, batch_size=options.batch), "held out", "batch")
        ]
        return {"held-out loss": sum(losses) / len(held_out)}

    windows = RandomSampler(text, replacement=True, num_samples=options.steps * options.batch)
    training.run(DataLoader(text, batch_size=options.batch, sampler=windows), evaluate)
    return training


def main(arguments: Sequence[str] | None = None) -> Training[GPT]:
    parser = parser_of(__doc__, epochs=8, steps=250)
    for name, value, text in (
        ("width", 128, "numbers that a character becomes"),
        ("layers", 4, "blocks"),
        ("heads", 4, "of attention in a block"),
        ("length", 64, "characters that the model sees"),
        ("batch", 16, "windows of the text in a step"),
        ("letters", 600, "characters that it writes in the end"),
    ):
        parser.add_argument(f"--{name}", type=int, default=value, help=text)
    parser.add_argument("--lr", type=float, default=3e-3, help="the highest learning rate")
    parser.add_argument("--dropout", type=float, default=0.1, help="share of numbers that are dropped in training")
    parser.add_argument("--prompt", default="class ", help="how the text begins that it writes")
    parser.add_argument("--temperature", type=float, default=0.7, help="how far it strays from the likeliest characters")
    options = parse(parser, arguments)
    training = train(options)
    print(write(training.model, options.prompt, options.letters, options.temperature, options.device))
    return training


if __name__ == "__main__":
    main()
    sys.exit(0)
