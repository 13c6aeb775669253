"""Models of transformers in small configurations, in float64: losses of two steps of AdamW, and the size of the first gradient.

`MODELS` is data: what a model's configuration says besides `SIZES`, and what the model is called with. A line adds a model.
"""

# needs: transformers
import json
import zlib

import numpy as np
import torch
import transformers

SIZES = {
    "vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37, "d_model": 32,
    "max_position_embeddings": 64, "image_size": 32, "patch_size": 8, "d_ff": 37, "d_kv": 8, "num_layers": 2, "num_heads": 4,
    "decoder_layers": 2, "decoder_attention_heads": 4, "decoder_ffn_dim": 36, "num_mel_bins": 16, "cross_attention_hidden_size": 32,
    "num_decoder_layers": 2, "num_key_value_heads": 2,
}  # fmt: skip
random = np.random.default_rng(0)
TOKENS = random.integers(5, 90, (2, 10))
TAGS = random.integers(0, 2, (2, 10))
BOXES = np.sort(random.integers(0, 60, (2, 10, 2, 2)), 2).reshape(2, 10, 4)
IMAGES = random.standard_normal((2, 3, 32, 32))
VIDEOS = random.standard_normal((2, 4, 3, 32, 32))
SOUNDS = random.standard_normal((2, 24, 16))
CLASSES = np.array([0, 1])
MODELS = {
    "ASTForAudioClassification": (
        {"max_length": 24, "patch_size": 4, "frequency_stride": 4, "time_stride": 4}, {"input_values": SOUNDS, "labels": CLASSES},
    ),
    "BrosForTokenClassification": ({"hidden_size": 64}, {"input_ids": TOKENS, "bbox": BOXES / 60, "labels": TAGS}),
    "LayoutLMForTokenClassification": ({"max_2d_position_embeddings": 64}, {"input_ids": TOKENS, "bbox": BOXES, "labels": TAGS}),
    "LiltForTokenClassification": (
        {"max_2d_position_embeddings": 64, "hidden_size": 48}, {"input_ids": TOKENS, "bbox": BOXES, "labels": TAGS},
    ),
    "HieraForImageClassification": (
        {
            "image_size": [32, 32], "embed_dim": 8, "depths": [1, 1], "num_heads": [1, 2], "patch_stride": [4, 4], "patch_size": [7, 7],
            "patch_padding": [3, 3], "masked_unit_size": [4, 4], "query_stride": [2, 2], "num_query_pool": 1,
        },
        {"pixel_values": IMAGES, "labels": CLASSES},
    ),
    "TapasModel": (
        {"type_vocab_sizes": [3, 4, 4, 2, 4, 4, 4]}, {"input_ids": TOKENS, "token_type_ids": random.integers(0, 2, (2, 10, 7))},
    ),
    "TrOCRForCausalLM": ({}, {"input_ids": TOKENS, "labels": TOKENS}),
    "UMT5ForConditionalGeneration": ({}, {"input_ids": TOKENS, "labels": TOKENS}),
    "UdopForConditionalGeneration": (
        {"max_2d_position_embeddings": 32},
        {"input_ids": TOKENS, "bbox": BOXES / 60, "pixel_values": IMAGES, "decoder_input_ids": TOKENS},
    ),
    "UnivNetModel": (
        {
            "model_in_channels": 8, "model_hidden_channels": 8, "resblock_kernel_sizes": [3, 3], "resblock_stride_sizes": [2, 2],
            "resblock_dilation_sizes": [[1, 3], [1, 3]], "kernel_predictor_num_blocks": 1, "kernel_predictor_hidden_channels": 8,
        },
        {"input_features": SOUNDS[:, :12], "noise_sequence": random.standard_normal((2, 12, 8))},
    ),
    "ViTMAEForPreTraining": (
        {"decoder_hidden_size": 32, "decoder_num_hidden_layers": 1, "decoder_num_attention_heads": 4, "decoder_intermediate_size": 36},
        {"pixel_values": IMAGES, "noise": random.random((2, 16))},
    ),
    "ViTMSNForImageClassification": ({}, {"pixel_values": IMAGES, "labels": CLASSES}),
    "VideoMAEForVideoClassification": ({"num_frames": 4}, {"pixel_values": VIDEOS, "labels": CLASSES}),
    "VivitForVideoClassification": ({"num_frames": 4, "tubelet_size": [2, 8, 8]}, {"pixel_values": VIDEOS, "labels": CLASSES}),
    "YolosModel": ({"image_size": [32, 32], "num_detection_tokens": 6}, {"pixel_values": IMAGES}),
}  # fmt: skip


def made(name: str, given: dict[str, object]) -> torch.nn.Module:
    """A model whose weights follow from their names, and which drops nothing."""
    kind = getattr(transformers, name)
    usual = vars(kind.config_class())
    model = kind(kind.config_class(**{key: size for key, size in SIZES.items() if isinstance(usual.get(key), int)} | given)).double()
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            weights = np.random.default_rng(zlib.crc32(key.encode())).standard_normal(tuple(parameter.shape)) * 0.1
            parameter.copy_(torch.tensor(weights) + (1.0 if "norm" in key.lower() and key.endswith("weight") else 0.0))
    for module in model.modules():
        for key, value in list(vars(module).items()):
            if isinstance(value, float) and (key == "p" or "drop" in key):
                setattr(module, key, 0.0)
    return model


def loss_of(output: object) -> torch.Tensor:
    """The model's own loss, or a weighted mean of its first result."""
    if getattr(output, "loss", None) is not None:
        return output.loss
    first = output[0].flatten()
    return (first * torch.cos(torch.arange(first.numel(), dtype=torch.float64))).mean()


def train(name: str, given: dict[str, object], arrays: dict[str, np.ndarray]) -> dict[str, object]:
    model = made(name, given)
    inputs = {key: torch.tensor(value) for key, value in arrays.items()}
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    losses, norms = [], []
    for _ in range(2):
        optimizer.zero_grad()
        loss = loss_of(model(**inputs))
        loss.backward()
        losses.append(loss.item())
        norms.append([p.grad.norm().item() for p in model.parameters() if p.grad is not None])
        optimizer.step()
    return {"losses": losses, "gradient": float(np.linalg.norm(norms[0])), "parameters with a gradient": len(norms[0])}


print(json.dumps({name: train(name, *said) for name, said in MODELS.items()}))
