"""TRL: a small LLaMA is trained on texts (SFTTrainer, with packing and completions), then on preferences (DPOTrainer), and resumed."""

# needs: trl, transformers, datasets, tokenizers
import json
import sys

import numpy as np
import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer

folder = sys.argv[1]
random = np.random.default_rng(0)
words = "the a cat dog bird sees hears likes red small old tree house river and under near".split()
vocabulary = {word: number for number, word in enumerate(["<pad>", "<s>", "</s>", "<unk>", *words])}
inner = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
inner.pre_tokenizer = pre_tokenizers.Whitespace()
special = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, **special)


def drawn(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.tensor(random.standard_normal(tuple(p.shape)) * 0.2, dtype=torch.float32))
    return model


def text(length):
    return " ".join(random.choice(words, length))


def options(name, steps, **more):
    return {
        "output_dir": f"{folder}/{name}", "per_device_train_batch_size": 4, "max_steps": steps, "logging_steps": 1, "save_steps": 2,
        "report_to": [], "use_cpu": True, "learning_rate": 1e-2, "max_length": 16, "seed": 1, "bf16": False, "disable_tqdm": True,
        "gradient_checkpointing": False, "train_sampling_strategy": "sequential",
    } | more  # fmt: skip


def logged(trainer, *names):
    return {name: [log[name] for log in trainer.state.log_history if name in log] for name in names}


sizes = {"vocab_size": len(vocabulary), "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
config = LlamaConfig(**sizes, max_position_embeddings=32, pad_token_id=0, bos_token_id=1, eos_token_id=2)
texts = Dataset.from_dict({"text": [text(int(n)) for n in random.integers(4, 14, 24)]})
model = drawn(LlamaForCausalLM(config))
sft = SFTTrainer(model, args=SFTConfig(**options("sft", 4)), train_dataset=texts, eval_dataset=texts.select(range(8)), processing_class=tokenizer)
sft.train()
found = {"sft": logged(sft, "loss", "mean_token_accuracy", "grad_norm"), "evaluated": sft.evaluate()["eval_loss"]}
sft.save_model(f"{folder}/saved")
again = LlamaForCausalLM.from_pretrained(f"{folder}/saved")
found["equal"] = all(torch.equal(a, b) for a, b in zip(model.state_dict().values(), again.state_dict().values()))

pairs = Dataset.from_dict({"prompt": [text(3) for _ in range(8)], "completion": [" " + text(4) for _ in range(8)]})
completions = SFTTrainer(again, args=SFTConfig(**options("completions", 3)), train_dataset=pairs, processing_class=tokenizer)
completions.train()
resumed = SFTTrainer(
    LlamaForCausalLM.from_pretrained(f"{folder}/saved"), args=SFTConfig(**options("resumed", 3)), train_dataset=pairs, processing_class=tokenizer
)
resumed.train(resume_from_checkpoint=f"{folder}/completions/checkpoint-2")
found |= {"completions": logged(completions, "loss"), "resumed": logged(resumed, "loss")["loss"][-1:]}

preferences = {name: [" " * (name != "prompt") + text(4) for _ in range(8)] for name in ("prompt", "chosen", "rejected")}
dpo = DPOTrainer(
    again, ref_model=LlamaForCausalLM.from_pretrained(f"{folder}/saved"), args=DPOConfig(**options("dpo", 3, beta=0.3)),
    train_dataset=Dataset.from_dict(preferences), processing_class=tokenizer,
)  # fmt: skip
dpo.train()
found["dpo"] = logged(dpo, "loss", "rewards/margins", "rewards/accuracies", "logps/chosen")
asked = tokenizer("the cat sees", return_tensors="pt")
written = again.generate(**asked, max_new_tokens=5, do_sample=False)
found["written"] = tokenizer.decode(written[0])
print(json.dumps(found))
