"""transformers' Seq2SeqTrainer: a small T5 learns to turn words round; collated batches, metrics of what it writes, bfloat16."""

# needs: transformers, accelerate, datasets, tokenizers
import json
import sys

import numpy as np
import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (
    DataCollatorForLanguageModeling,
    DataCollatorForSeq2Seq,
    PreTrainedTokenizerFast,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    T5Config,
    T5ForConditionalGeneration,
    set_seed,
)

folder = sys.argv[1]
words = [f"w{number}" for number in range(24)]
vocabulary = {word: number for number, word in enumerate(["<pad>", "</s>", "<unk>", "<mask>", *words])}
inner = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
inner.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="</s>", pad_token="<pad>", unk_token="<unk>", mask_token="<mask>")
config = T5Config(
    vocab_size=len(vocabulary), d_model=32, d_kv=16, d_ff=64, num_layers=2, num_heads=2, dropout_rate=0.0, decoder_start_token_id=0,
)  # fmt: skip


def model():
    random = np.random.default_rng(0)
    made = T5ForConditionalGeneration(config)
    with torch.no_grad():
        for p in made.parameters():
            p.copy_(torch.tensor(random.standard_normal(tuple(p.shape)) * 0.5, dtype=torch.float32))
    return made


def tokenized(rows):
    return tokenizer(rows["source"], truncation=True, max_length=12) | {"labels": tokenizer(rows["target"]).input_ids}


random = np.random.default_rng(1)
sources = [list(random.choice(words, int(n))) for n in random.integers(3, 8, 48)]
rows = {"source": [" ".join(each) for each in sources], "target": [" ".join(reversed(each)) for each in sources]}
parts = Dataset.from_dict(rows).map(tokenized, batched=True, remove_columns=["source", "target"]).train_test_split(12, shuffle=False)


def metrics(predicted):
    labels = np.where(predicted.label_ids == -100, 0, predicted.label_ids)
    written = tokenizer.batch_decode(np.where(predicted.predictions < 0, 0, predicted.predictions), skip_special_tokens=True)
    wanted = tokenizer.batch_decode(labels, skip_special_tokens=True)
    shared = [len(set(a.split()) & set(b.split())) for a, b in zip(written, wanted)]
    return {"shared": float(np.mean(shared)), "length": float(np.mean([len(each.split()) for each in written]))}


def trainer(steps, chosen, name, **more):
    arguments = Seq2SeqTrainingArguments(
        output_dir=f"{folder}/{name}", per_device_train_batch_size=8, per_device_eval_batch_size=6, max_steps=steps, logging_steps=1,
        eval_strategy="no", save_steps=3, report_to=[], use_cpu=True, learning_rate=1e-2, predict_with_generate=True,
        generation_max_length=8, label_smoothing_factor=0.1, seed=1, disable_tqdm=True, train_sampling_strategy="sequential", **more,
    )  # fmt: skip
    collator = DataCollatorForSeq2Seq(tokenizer, model=chosen, pad_to_multiple_of=4)
    return Seq2SeqTrainer(
        chosen, arguments, train_dataset=parts["train"], eval_dataset=parts["test"], data_collator=collator,
        processing_class=tokenizer, compute_metrics=metrics,
    )  # fmt: skip


def losses(made):
    return [log["loss"] for log in made.state.log_history if "loss" in log]


made = trainer(5, model(), "whole")
made.train()
evaluated = made.evaluate()
found = {"losses": losses(made), "evaluated": [evaluated[f"eval_{name}"] for name in ("loss", "shared", "length")]}
beams = made.predict(parts["test"], num_beams=2, max_length=6)
found["beams"] = [beams.predictions[:4].tolist(), beams.metrics["test_shared"]]
resumed = trainer(5, model(), "resumed")
resumed.train(resume_from_checkpoint=f"{folder}/whole/checkpoint-3")
found["resumed"] = losses(resumed)
half = trainer(3, model(), "half", bf16=True)
half.train()
found["half"] = [round(loss, 2) for loss in losses(half)]
set_seed(3)
masked = DataCollatorForLanguageModeling(tokenizer, mlm_probability=0.5)([{"input_ids": ids} for ids in parts["train"][:2]["input_ids"]])
found["masked"] = {name: list(value.shape) for name, value in masked.items()}
print(json.dumps(found))
