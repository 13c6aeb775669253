"""transformers' Trainer: training with accumulation and clipping, evaluation, prediction, a folder of weights, and a checkpoint resumed."""

# needs: transformers, accelerate
import json
import sys

import numpy as np
import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments, set_seed

folder = sys.argv[1]
random = np.random.default_rng(0)


class Tokens(torch.utils.data.Dataset):
    def __init__(self, count):
        self.tokens = np.random.default_rng(count).integers(0, 64, (count, 16))

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, index):
        tokens = torch.tensor(self.tokens[index])
        return {"input_ids": tokens, "labels": tokens}


class Count(TrainerCallback):
    steps = 0

    def on_step_end(self, args, state, control, **kwargs):
        self.steps += 1


def arguments(steps):
    return TrainingArguments(
        output_dir=folder, per_device_train_batch_size=8, max_steps=steps, logging_steps=1, save_steps=4, eval_strategy="steps",
        eval_steps=4, report_to=[], use_cpu=True, gradient_accumulation_steps=2, max_grad_norm=1.0, learning_rate=1e-2,
        lr_scheduler_type="cosine", warmup_steps=2, train_sampling_strategy="sequential", seed=1,
    )  # fmt: skip


set_seed(0)
sizes = {"vocab_size": 64, "n_positions": 32, "n_embd": 32, "n_layer": 2, "n_head": 2}
model = GPT2LMHeadModel(GPT2Config(**sizes, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=0, eos_token_id=1))
with torch.no_grad():
    for parameter in model.parameters():
        parameter.copy_(torch.tensor(random.standard_normal(tuple(parameter.shape)) * 0.1, dtype=torch.float32))
count = Count()
trainer = Trainer(model, arguments(6), train_dataset=Tokens(128), eval_dataset=Tokens(32), callbacks=[count])
trained = trainer.train()
found = {
    "losses": [log["loss"] for log in trainer.state.log_history if "loss" in log],
    "norms": [log["grad_norm"] for log in trainer.state.log_history if "grad_norm" in log],
    "trained": trained.training_loss,
    "evaluated": trainer.evaluate()["eval_loss"],
    "predicted": trainer.predict(Tokens(8)).predictions.mean(axis=(0, 1)).tolist()[:4],
    "callbacks": count.steps,
}
trainer.save_model(f"{folder}/saved")
again = GPT2LMHeadModel.from_pretrained(f"{folder}/saved")
found["equal"] = all(torch.equal(a, b) for a, b in zip(model.state_dict().values(), again.state_dict().values()))
resumed = Trainer(again, arguments(8), train_dataset=Tokens(128), eval_dataset=Tokens(32))
resumed.train(resume_from_checkpoint=f"{folder}/checkpoint-4")
found["resumed"] = [log["loss"] for log in resumed.state.log_history if "loss" in log]
print(json.dumps(found))
