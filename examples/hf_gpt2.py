"""Fine-tune Hugging Face's GPT-2, source untouched, and let it write with its key-value cache.

    pip install --no-deps transformers tokenizers huggingface_hub regex && pip install tqdm requests
    python examples/hf_gpt2.py [--compile] [--weights FOLDER] [--steps 200] [--save FOLDER]

transformers says `import torch`; `flow.mock_torch` has it run on tritonflow. The text is a poem, one token a character, so
no tokenizer has to be downloaded. Weights come from one of two places:

- `--weights FOLDER`: what `save_pretrained` wrote, or a `config.json` beside a `pytorch_model.bin` that torch saved. Its
  vocabulary has 256 tokens at least;
- else random weights of a small model (two layers, width 64), so that the example runs without a network.

`--compile` has `torch.compile` make the training step, with backward and the optimizer's update, one program. At the end the model
goes on from a prompt. The greedy text is written twice, with the cache of keys and values and without it, and must be the same.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from common import Defaults, progress

import tritonflow as flow

with flow.mock_torch.enable():
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

CHARACTERS = 256
POEM = """\
Tyger Tyger, burning bright,
In the forests of the night;
What immortal hand or eye,
Could frame thy fearful symmetry?

In what distant deeps or skies,
Burnt the fire of thine eyes?
On what wings dare he aspire?
What the hand, dare seize the fire?

And what shoulder, & what art,
Could twist the sinews of thy heart?
And when thy heart began to beat,
What dread hand? & what dread feet?
"""  # William Blake, 1794


def encode(text: str) -> torch.Tensor:
    """One token a character: `(characters,)`."""
    return torch.tensor(list(text.encode("latin-1")))


def decode(tokens: torch.Tensor) -> str:
    """The text of tokens `(characters,)`."""
    return bytes(min(token, CHARACTERS - 1) for token in tokens.tolist()).decode("latin-1")


def build(options: argparse.Namespace) -> torch.nn.Module:
    """GPT-2 with the weights that were asked for."""
    if options.weights is not None:
        print(f"weights: {options.weights}")
        return GPT2LMHeadModel.from_pretrained(options.weights).to(options.device)
    print("weights: random, since no --weights were given")
    config = GPT2Config(vocab_size=CHARACTERS, n_positions=128, n_embd=64, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0)
    return GPT2LMHeadModel(config).to(options.device)


def batches(options: argparse.Namespace, length: int) -> Callable[[], Any]:
    """Draws windows of the poem: `(batch, length)`."""
    tokens = encode(POEM).to(options.device)
    span = torch.arange(length, device=options.device)

    def draw() -> Any:
        starts = torch.randint(0, len(tokens) - length + 1, (options.batch, 1), device=options.device)
        return tokens[starts + span]

    return draw


def step_of(model: torch.nn.Module, options: argparse.Namespace) -> Callable[[Any], Any]:
    """A training step: from tokens `(batch, length)` to the loss."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.lr)

    def step(tokens: Any) -> Any:
        optimizer.zero_grad()
        loss = model(input_ids=tokens, labels=tokens).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.detach()

    return torch.compile(step) if options.compile else step


def write(model: torch.nn.Module, options: argparse.Namespace, cached: bool) -> str:
    """The greedy text behind the prompt, by a model that keeps its keys and values or computes all again at each token."""
    prompt = encode(options.prompt).to(options.device)[None]
    most = min(options.tokens, model.config.n_positions - prompt.shape[1])
    written = model.generate(
        prompt,
        attention_mask=torch.ones_like(prompt),
        max_new_tokens=most,
        do_sample=False,
        use_cache=cached,
        pad_token_id=0,
    )
    return decode(written[0])


def train(options: argparse.Namespace) -> list[float]:
    """Fine-tune and write; gives the loss of every step."""
    torch.manual_seed(options.seed)
    model = build(options).train()
    draw = batches(options, min(64, model.config.n_positions))
    losses: list[float] = []
    step, start = step_of(model, options), time.perf_counter()
    with progress(range(options.steps), "fine-tuning", "step") as bar:
        for number in bar:
            losses.append(step(draw()).item())
            if number % 20 == 0 or number == options.steps - 1:
                bar.write(f"step {number:3}: loss {losses[-1]:.4f}, {time.perf_counter() - start:.1f} s")
    model.eval()
    with_cache, without = (write(model, options, cached) for cached in (True, False))
    print(with_cache)
    if with_cache != without:
        raise SystemExit(f"without the cache of keys and values the model writes another text:\n{without}")
    if options.save is not None:
        model.save_pretrained(options.save)
    return losses


def main(arguments: Sequence[str] | None = None) -> list[float]:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0], formatter_class=Defaults)
    parser.add_argument("--compile", action="store_true", help="compile the training step")
    parser.add_argument("--weights", type=Path, help="a folder that save_pretrained wrote")
    parser.add_argument("--steps", type=int, default=200, help="steps of training")
    parser.add_argument("--batch", type=int, default=8, help="windows of the poem in a step")
    parser.add_argument("--lr", type=float, default=3e-3, help="learning rate")
    parser.add_argument("--prompt", default="In what ", help="how the text begins that it writes")
    parser.add_argument("--tokens", type=int, default=60, help="how many characters to write")
    parser.add_argument("--seed", type=int, default=0, help="of the weights, dropout and the windows")
    parser.add_argument("--device", default="cuda" if flow.cuda.is_available() else "cpu", help="where it runs")
    parser.add_argument("--save", type=Path, help="folder for the trained model")
    return train(parser.parse_args(arguments))


if __name__ == "__main__":
    main()
