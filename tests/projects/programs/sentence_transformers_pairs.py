"""sentence-transformers: a model of modules learns pairs with its trainer, is saved and loaded, and compares sentences."""

# needs: sentence_transformers, datasets, accelerate
import json
import sys

import numpy as np
import torch
from datasets import Dataset
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
    losses,
    util,
)
from sentence_transformers.evaluation import EmbeddingSimilarityEvaluator
from sentence_transformers.models import Dense, Normalize, Pooling, Transformer
from sentence_transformers.sampler import DefaultBatchSampler
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

folder = sys.argv[1]
random = np.random.default_rng(0)
words = [f"w{number}" for number in range(24)]
special = {"pad_token": "<pad>", "cls_token": "<cls>", "sep_token": "<sep>", "unk_token": "<unk>"}
inner = Tokenizer(models.WordLevel({word: number for number, word in enumerate([*special.values(), *words])}, unk_token="<unk>"))
inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
PreTrainedTokenizerFast(tokenizer_object=inner, model_max_length=16, **special).save_pretrained(f"{folder}/bert")
sizes = {"vocab_size": 28, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
BertModel(BertConfig(**sizes, max_position_embeddings=16, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)).save_pretrained(f"{folder}/bert")


def sentence():
    return " ".join(random.choice(words, int(random.integers(3, 8))))


def in_order(dataset, batch_size, drop_last, **more):
    return DefaultBatchSampler(torch.utils.data.SequentialSampler(dataset), batch_size=batch_size, drop_last=drop_last)


bert = Transformer(f"{folder}/bert", max_seq_length=16)
dense = Dense(in_features=32, out_features=16, activation_function=torch.nn.Tanh())
model = SentenceTransformer(modules=[bert, Pooling(32, pooling_mode="mean"), dense, Normalize()], device="cpu")
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.tensor(random.standard_normal(tuple(p.shape)) * 0.2, dtype=torch.float32))
anchors = [sentence() for _ in range(24)]
pairs = Dataset.from_dict({"anchor": anchors, "positive": [" ".join(reversed(each.split())) for each in anchors]})
arguments = SentenceTransformerTrainingArguments(
    output_dir=f"{folder}/trained", per_device_train_batch_size=8, max_steps=4, logging_steps=1, save_strategy="no", report_to=[],
    use_cpu=True, learning_rate=1e-3, seed=1, disable_tqdm=True, batch_sampler=in_order,
)  # fmt: skip
trainer = SentenceTransformerTrainer(model, arguments, train_dataset=pairs, loss=losses.MultipleNegativesRankingLoss(model))
trainer.train()
found = {"losses": [log["loss"] for log in trainer.state.log_history if "loss" in log]}
embeddings = model.encode(anchors[:3])
found["embeddings"] = embeddings[:, :4].tolist()
model.save_pretrained(f"{folder}/saved")
again = SentenceTransformer(f"{folder}/saved", device="cpu")
found["equal"] = bool((again.encode(anchors[:3]) == embeddings).all())
found["modules"] = [type(module).__name__ for module in again]
found["alike"] = again.similarity(embeddings, embeddings).tolist()
hits = util.semantic_search(again.encode(pairs["positive"][:2], convert_to_tensor=True), again.encode(anchors, convert_to_tensor=True), top_k=3)
found["hits"] = [[hit["corpus_id"] for hit in each] for each in hits]
found["cosines"] = util.pairwise_cos_sim(again.encode(anchors[:6]), again.encode(pairs["positive"][:6])).tolist()
evaluator = EmbeddingSimilarityEvaluator(anchors[:6], anchors[6:12], [0.1, 0.9, 0.4, 0.3, 0.8, 0.2])  # reversed ones are all near 1
found["evaluated"] = {name: float(value) for name, value in evaluator(again).items()}
print(json.dumps(found))
