"""transformers' Trainer with its options one by one: recomputation, optimizers, schedules, precisions, workers, files and early stopping."""

# needs: transformers, accelerate
import json
import logging
import os
import shutil
import sys
import warnings

import numpy as np
import torch
from transformers import EarlyStoppingCallback, GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments, set_seed

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
folder = sys.argv[1]
sizes = {"vocab_size": 64, "n_positions": 32, "n_embd": 16, "n_layer": 1, "n_head": 2, "bos_token_id": 0, "eos_token_id": 1}


class Tokens(torch.utils.data.Dataset):
    def __init__(self, count):
        self.tokens = np.random.default_rng(count).integers(0, 64, (count, 16))

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, index):
        tokens = torch.tensor(self.tokens[index])
        return {"input_ids": tokens, "labels": tokens}


def drawn():
    numbers = np.random.default_rng(0)
    model = GPT2LMHeadModel(GPT2Config(**sizes, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.tensor(numbers.standard_normal(tuple(parameter.shape)) * 0.1, dtype=torch.float32))
    return model


def trained(name, callbacks=(), resume=None, **options):
    """What the trainer has logged."""
    set_seed(0)
    given = {
        "output_dir": f"{folder}/{name}", "per_device_train_batch_size": 4, "max_steps": 3, "logging_steps": 1, "save_strategy": "no",
        "report_to": [], "use_cpu": True, "learning_rate": 1e-2, "train_sampling_strategy": "sequential", "seed": 1, "disable_tqdm": True,
    } | options  # fmt: skip
    trainer = Trainer(drawn(), TrainingArguments(**given), train_dataset=Tokens(32), eval_dataset=Tokens(8), callbacks=list(callbacks))
    trainer.train(resume_from_checkpoint=resume)
    names = ("loss", "grad_norm", "learning_rate", "eval_loss", "num_input_tokens_seen")
    if "bf16" in options:  # whose sums are rounded at other places
        names = ("learning_rate",)
        found["bf16_losses"] = [round(log["loss"], 2) for log in trainer.state.log_history if "loss" in log]
    return {each: [log[each] for log in trainer.state.log_history if each in log] for each in names}


def refused(**options):
    """The error of an option that cannot be had here."""
    try:
        trained("refused", **options)
    except (ImportError, ValueError) as error:
        return [type(error).__name__, str(error)]


evaluated = {"eval_strategy": "steps", "eval_steps": 1}
found = {}
for name, options in {
    "recomputed": {"gradient_checkpointing": True},
    "reentrant": {"gradient_checkpointing": True, "gradient_checkpointing_kwargs": {"use_reentrant": True}},
    "smoothed": {"label_smoothing_factor": 0.1},
    "clipped": {"max_grad_norm": 0.05},
    "unclipped": {"max_grad_norm": 0.0},
    "accumulated": {"gradient_accumulation_steps": 3, "average_tokens_across_devices": True},
    "seen": {"include_num_input_tokens_seen": "all", "logging_nan_inf_filter": False},
    "bf16": {"bf16": True},
    "bf16_evaluated": {"bf16_full_eval": True, **evaluated},
    "compiled": {"torch_compile": True, "torch_compile_backend": "eager"},
    "workers": {"dataloader_num_workers": 2, "dataloader_persistent_workers": True},
    "epochs": {"max_steps": -1, "num_train_epochs": 1, "eval_strategy": "epoch", "dataloader_drop_last": True},
    "decayed": {"optim_args": "amsgrad=True", "adam_beta1": 0.8, "weight_decay": 0.1},
    "centered": {"optim": "rmsprop", "optim_args": "momentum=0.9,centered=True"},
    **{name: {"optim": name} for name in ("adafactor", "sgd", "adamw_torch_fused", "adagrad", "rmsprop")},
}.items():
    found[name] = trained(name, **options)
for name, options in {
    "linear": {}, "cosine": {}, "cosine_with_restarts": {"num_cycles": 2}, "polynomial": {"power": 2.0}, "constant_with_warmup": {},
    "inverse_sqrt": {}, "cosine_with_min_lr": {"min_lr": 1e-3}, "warmup_stable_decay": {"num_decay_steps": 2, "num_stable_steps": 1},
    "reduce_lr_on_plateau": {}, "greedy": {},
}.items():  # fmt: skip
    more = evaluated if name in ("reduce_lr_on_plateau", "greedy") else {}
    found[name] = trained(name, lr_scheduler_type=name, lr_scheduler_kwargs=options, max_steps=5, warmup_steps=1, **more)

steps = {"save_strategy": "steps", "save_steps": 1, "save_total_limit": 2}
options = {"load_best_model_at_end": True, "max_steps": 6, "learning_rate": 0.5}
found["stopped"] = trained("stopped", [EarlyStoppingCallback(1)], **evaluated, **steps, **options)
found["saved"] = trained("saved", **steps, max_steps=4)
found["files"] = [sorted(os.listdir(f"{folder}/{name}")) for name in ("stopped", "saved", "saved/checkpoint-4")]
shutil.rmtree(f"{folder}/saved/checkpoint-4")
found["resumed"] = trained("saved", resume=True, max_steps=6)
found["noisy"] = bool(np.isfinite(trained("noisy", neftune_noise_alpha=5.0)["loss"]).all())
found["grouped"] = len(trained("grouped", train_sampling_strategy="group_by_length")["loss"])
found["refused"] = [refused(fsdp="full_shard"), refused(deepspeed={"zero_optimization": {"stage": 1}})]
print(json.dumps(found))
