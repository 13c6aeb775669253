"""Words that readers search for, of names that do not say them. The search finds a section that has all words of a query."""

from __future__ import annotations

KEYWORDS = {
    "optim.lr_scheduler.CosineAnnealingLR": "cosine schedule, cosine decay of the learning rate",
    "optim.lr_scheduler.CosineAnnealingWarmRestarts": "cosine schedule with restarts",
    "optim.lr_scheduler.LinearLR": "learning rate warmup, warm-up, linear schedule",
    "optim.lr_scheduler.SequentialLR": "learning rate warmup, then another schedule",
    "optim.lr_scheduler.OneCycleLR": "one cycle schedule, warmup and decay of the learning rate",
    "optim.lr_scheduler.ReduceLROnPlateau": "a schedule that watches the validation loss",
    "autocast": "mixed precision, half precision, float16, bfloat16",
    "amp.GradScaler": "loss scaling, mixed precision, half precision, float16",
    "Tensor.half": "half precision, float16",
    "Tensor.requires_grad_": "freeze layers, freeze parameters",
    "nn.Module": "freeze layers with requires_grad_, half precision with half()",
    "nn.utils.clip_grad_norm_": "gradient clipping, exploding gradients",
    "utils.checkpoint.checkpoint": "activation checkpointing, gradient checkpointing, less memory",
    "nn.functional.scaled_dot_product_attention": "flash attention",
    "nn.utils.rnn.pack_padded_sequence": "variable lengths, packed sequences, padding",
    "nn.utils.rnn.pad_sequence": "variable lengths, padding",
    "optim.swa_utils.AveragedModel": "stochastic weight averaging, exponential moving average, EMA",
    "manual_seed": "reproducible random numbers, fix the seed",
    "no_grad": "inference, evaluation without gradients",
    "nn.parallel.DistributedDataParallel": "data parallel, DDP, several processes",
}
