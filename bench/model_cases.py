"""Models of other people's packages for bench/models.py: their sources say `import torch`, and are given torch or tritonflow.

`lib` is one of the two. Builders import their packages when they are called, so that a package that is absent stops nobody else.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy

import tritonflow as flow

Batch = dict[str, numpy.ndarray]


@dataclass(frozen=True)
class Case:
    """A model and its training step.

    Attributes:
        package: the distribution that has it.
        build: (lib, quick) -> the module.
        batch: quick -> the arrays that a step takes.
        loss: (lib, module, batch of tensors) -> the loss.
    """

    package: str
    build: Callable[[Any, bool], Any]
    batch: Callable[[bool], Batch]
    loss: Callable[[Any, Any, dict[str, Any]], Any]


def package(lib: Any, name: str) -> Any:
    """A package over torch, or a second instance of it over tritonflow."""
    if lib is not flow:
        return importlib.import_module(name)
    with flow.mock_torch.enable():
        return importlib.import_module(name)


# ------------------------------------------------------------------------------------------------------------- batches


def images(size: int, count: int, quick_size: int = 32) -> Callable[[bool], Batch]:
    """Pictures and their classes; two small ones for a quick run."""

    def batch(quick: bool) -> Batch:
        random = numpy.random.default_rng(0)
        number, side = (2, quick_size) if quick else (count, size)
        pictures = random.standard_normal((number, 3, side, side), dtype=numpy.float32)
        return {"x": pictures, "labels": random.integers(0, 10, number)}

    return batch


def tokens(length: int, count: int) -> Callable[[bool], Batch]:
    """Sequences of tokens."""

    def batch(quick: bool) -> Batch:
        shape = (2, 16) if quick else (count, length)
        return {"input_ids": numpy.random.default_rng(0).integers(3, 200, shape)}

    return batch


def classified(lib: Any, model: Any, batch: dict[str, Any]) -> Any:
    """Cross entropy of the classes of pictures."""
    return lib.nn.functional.cross_entropy(model(batch["x"]), batch["labels"])


def labelled(lib: Any, model: Any, batch: dict[str, Any]) -> Any:
    """The loss that a model of transformers computes itself, its inputs the labels."""
    return model(input_ids=batch["input_ids"], labels=batch["input_ids"]).loss


def denoised(lib: Any, model: Any, batch: dict[str, Any]) -> Any:
    """The mean square of what a diffusion model predicts."""
    return model(batch["x"], batch["labels"]).sample.square().mean()


# -------------------------------------------------------------------------------------------------------------- models


def torchvision_model(name: str) -> Callable[[Any, bool], Any]:
    """A classifier of torchvision with ten classes."""

    def build(lib: Any, quick: bool) -> Any:
        return getattr(package(lib, "torchvision").models, name)(weights=None, num_classes=10)

    return build


def timm_model(name: str, **small: Any) -> Callable[[Any, bool], Any]:
    """A classifier of timm with ten classes; `small` makes the one of a quick run."""

    def build(lib: Any, quick: bool) -> Any:
        return package(lib, "timm").create_model(name, num_classes=10, **(small if quick else {}))

    return build


def transformer(config: str, model: str, layers: str, sizes: dict[str, int]) -> Callable[[Any, bool], Any]:
    """A language model of transformers of these sizes; a quick run has one layer, and `layers` is the name of their number."""

    def build(lib: Any, quick: bool) -> Any:
        transformers = package(lib, "transformers")
        chosen = {**sizes, layers: 1} if quick else sizes
        made = getattr(transformers, config)(**chosen, bos_token_id=1, eos_token_id=2, pad_token_id=0)
        return getattr(transformers, model)(made)

    return build


def unet(lib: Any, quick: bool) -> Any:
    """A small denoising U-Net of diffusers, with attention at its lower resolution."""
    widths = (32, 32) if quick else (64, 128)
    return package(lib, "diffusers").UNet2DModel(
        sample_size=16 if quick else 32, block_out_channels=widths, layers_per_block=1,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"),
    )  # fmt: skip


GPT2 = {"vocab_size": 1000, "n_positions": 128, "n_embd": 256, "n_layer": 4, "n_head": 8}
LLAMA = {"vocab_size": 1000, "hidden_size": 256, "intermediate_size": 688, "num_hidden_layers": 4, "num_attention_heads": 8}
BERT = {"vocab_size": 1000, "hidden_size": 256, "intermediate_size": 1024, "num_hidden_layers": 4, "num_attention_heads": 8}
T5 = {"vocab_size": 1000, "d_model": 256, "d_kv": 32, "d_ff": 512, "num_layers": 3, "num_heads": 8, "decoder_start_token_id": 0}


CASES = {
    "resnet18": Case("torchvision", torchvision_model("resnet18"), images(64, 16), classified),
    "mobilenet_v2": Case("torchvision", torchvision_model("mobilenet_v2"), images(64, 16), classified),
    "shufflenet_v2": Case("torchvision", torchvision_model("shufflenet_v2_x0_5"), images(64, 16), classified),
    "convnext_atto": Case("timm", timm_model("convnext_atto", depths=(1, 1, 1, 1)), images(64, 16), classified),
    "vit_tiny": Case(
        "timm", timm_model("vit_tiny_patch16_224", depth=2), images(224, 4, quick_size=224), classified
    ),
    "gpt2": Case(
        "transformers", transformer("GPT2Config", "GPT2LMHeadModel", "n_layer", GPT2), tokens(128, 8), labelled
    ),
    "llama": Case(
        "transformers", transformer("LlamaConfig", "LlamaForCausalLM", "num_hidden_layers", LLAMA), tokens(128, 8), labelled
    ),
    "bert": Case(
        "transformers", transformer("BertConfig", "BertForMaskedLM", "num_hidden_layers", BERT), tokens(128, 8), labelled
    ),
    "t5": Case(
        "transformers", transformer("T5Config", "T5ForConditionalGeneration", "num_layers", T5), tokens(64, 8), labelled
    ),
    "unet2d": Case("diffusers", unet, images(32, 4, quick_size=16), denoised),
}
