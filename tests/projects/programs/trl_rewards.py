"""TRL's other trainers: a reward model from pairs, KTO from single judgements, GRPO and RLOO with a reward that a function gives."""

# needs: trl, transformers, datasets, tokenizers
import json
import sys

import numpy as np
import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, LlamaForSequenceClassification, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer, KTOConfig, KTOTrainer, RewardConfig, RewardTrainer, RLOOConfig, RLOOTrainer

folder = sys.argv[1]
random = np.random.default_rng(0)
words = "the a cat dog bird sees hears likes red small old tree house river and under near".split()
vocabulary = {word: number for number, word in enumerate(["<pad>", "<s>", "</s>", "<unk>", *words])}
inner = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
inner.pre_tokenizer = pre_tokenizers.Whitespace()
special = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, **special)


def drawn(model):
    numbers = np.random.default_rng(1)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.tensor(numbers.standard_normal(tuple(p.shape)) * 0.2, dtype=torch.float32))
    return model


def text(length):
    return " ".join(random.choice(words, length))


def options(name, **more):
    return {
        "output_dir": f"{folder}/{name}", "per_device_train_batch_size": 4, "max_steps": 3, "logging_steps": 1, "save_strategy": "no",
        "report_to": [], "use_cpu": True, "learning_rate": 1e-2, "seed": 1, "bf16": False, "disable_tqdm": True,
        "gradient_checkpointing": False, "train_sampling_strategy": "sequential",
    } | more  # fmt: skip


def logged(trainer, *names):
    trainer.train()
    return {name: [log[name] for log in trainer.state.log_history if name in log] for name in names}


def reward(completions, **more):
    return [len(set(each.split())) / 4 - each.count("a") for each in completions]


def written(input_ids, **more):
    """Completions that NumPy draws: what a model draws of itself are tritonflow's numbers, not torch's."""
    completions = random.integers(3, len(vocabulary), (len(input_ids), 5))
    return torch.cat([input_ids, torch.tensor(completions)], dim=1)


sizes = {"vocab_size": len(vocabulary), "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
config = LlamaConfig(**sizes, max_position_embeddings=32, pad_token_id=0, bos_token_id=1, eos_token_id=2, num_labels=1)
drawn(LlamaForCausalLM(config)).save_pretrained(f"{folder}/start")
found = {}

pairs = Dataset.from_dict({name: [" " * (name != "prompt") + text(4) for _ in range(12)] for name in ("prompt", "chosen", "rejected")})
rewarded = RewardTrainer(
    drawn(LlamaForSequenceClassification(config)), RewardConfig(**options("reward", max_length=16, center_rewards_coefficient=0.01)),
    train_dataset=pairs, eval_dataset=pairs.select(range(4)), processing_class=tokenizer,
)  # fmt: skip
found["reward"] = logged(rewarded, "loss", "grad_norm", "accuracy", "margin", "min_reward", "max_reward")
found["evaluated"] = rewarded.evaluate()["eval_loss"]

single = {"prompt": [text(3) for _ in range(12)], "completion": [" " + text(4) for _ in range(12)], "label": [k % 3 > 0 for k in range(12)]}
kto = KTOTrainer(
    drawn(LlamaForCausalLM(config)), ref_model=drawn(LlamaForCausalLM(config)), args=KTOConfig(**options("kto", max_length=16)),
    train_dataset=Dataset.from_dict(single), processing_class=tokenizer,
)  # fmt: skip
found["kto"] = logged(kto, "loss", "grad_norm", "kl")

prompts = Dataset.from_dict({"prompt": [text(3) for _ in range(12)]})
for name, kind, settings, more in (
    ("grpo", GRPOTrainer, GRPOConfig, {"num_iterations": 2}), ("dr_grpo", GRPOTrainer, GRPOConfig, {"loss_type": "dr_grpo"}),
    ("rloo", RLOOTrainer, RLOOConfig, {}),
):  # fmt: skip
    model = LlamaForCausalLM.from_pretrained(f"{folder}/start")
    model.generate = written
    chosen = options(name, num_generations=2, max_completion_length=5, shuffle_dataset=False, beta=0.1, **more)
    trainer = kind(model, reward, settings(**chosen), prompts, processing_class=tokenizer)
    found[name] = logged(trainer, "loss", "reward", "reward_std", "grad_norm", "completions/mean_length", "kl", "entropy")
print(json.dumps(found))
