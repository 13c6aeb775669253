"""transformers' pipelines: texts, images and sounds through small random models, with tokenizers made on the spot."""

# needs: transformers, tokenizers
import json
import math
import sys
import warnings

import numpy as np
import torch
import transformers as t
from PIL import Image
from tokenizers import Tokenizer, models, pre_tokenizers, processors

warnings.filterwarnings("ignore")
t.logging.set_verbosity_error()
folder = sys.argv[1]
words = "[PAD] [UNK] [CLS] [SEP] [MASK] the a cat dog sat on mat ran to house bird sang is this about animals music who where ? .".split()


def tokenizer_of(bert):
    made = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split("?", "isolated")])
    if bert:
        made.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
        )
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
    return t.PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=32, **(special if bert else {"pad_token": "[PAD]", "eos_token": "[SEP]"}))


def filled(kind, config):
    """A model whose weights do not depend on the generator of torch or of tritonflow."""
    model, random = kind(config).eval(), np.random.default_rng(1)
    with torch.no_grad():
        for p in model.parameters():
            drawn = torch.tensor(random.standard_normal(tuple(p.shape)) / math.sqrt(max(1, p.shape[-1])), dtype=torch.float32)
            p.copy_(drawn if p.ndim > 1 else p.round() + 0.1 * drawn)
    return model


def plain(x):
    """Numbers, texts and sizes."""
    if isinstance(x, dict):
        return {name: plain(value) for name, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [plain(each) for each in x]
    return x.item() if isinstance(x, (np.generic, torch.Tensor)) else x


small = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64, "max_position_embeddings": 64}
labels = {"id2label": {0: "animals", 1: "entailment", 2: "contradiction"}, "label2id": {"animals": 0, "entailment": 1, "contradiction": 2}}
bert = t.BertConfig(vocab_size=len(words), **small, **labels)
tokenizer, found = tokenizer_of(True), {}
texts = ["the cat sat on the mat .", "a bird sang", "the dog ran to the house ."]
context = "the dog ran to the house . the bird sang ."

classify = t.pipeline("text-classification", filled(t.BertForSequenceClassification, bert), tokenizer=tokenizer)
found["text-classification"] = plain([classify(texts), classify(texts, top_k=None, batch_size=2), classify({"text": texts[0], "text_pair": texts[1]})])
classify.save_pretrained(folder)
found["loaded"] = plain(t.pipeline("text-classification", folder)(texts[0]))
tag = t.pipeline("token-classification", filled(t.BertForTokenClassification, bert), tokenizer=tokenizer)
found["token-classification"] = plain([tag(texts[0]), tag(texts[:2], aggregation_strategy="simple"), tag(texts[0], aggregation_strategy="max")])
fill = t.pipeline("fill-mask", filled(t.BertForMaskedLM, bert), tokenizer=tokenizer)
found["fill-mask"] = plain([fill("the cat sat on the [MASK] .", top_k=3), fill("the [MASK] ran to the [MASK]"), fill("a [MASK]", targets=["cat", "dog"])])
features = t.pipeline("feature-extraction", filled(t.BertModel, bert), tokenizer=tokenizer)
found["feature-extraction"] = [np.array(features(texts[0])).mean((0, 1)).tolist(), list(features(texts[1], return_tensors=True).shape)]
zero = t.pipeline("zero-shot-classification", filled(t.BertForSequenceClassification, bert), tokenizer=tokenizer)
topics = {"candidate_labels": ["animals", "music", "house"], "hypothesis_template": "this is about {} ."}
found["zero-shot"] = plain([zero(texts[0], **topics), zero(texts[:2], multi_label=True, **topics)])

gpt = t.GPT2Config(vocab_size=len(words), n_embd=32, n_layer=2, n_head=2, n_positions=64, bos_token_id=2, eos_token_id=3, pad_token_id=0)
write = t.pipeline("text-generation", filled(t.GPT2LMHeadModel, gpt), tokenizer=tokenizer_of(False))
found["text-generation"] = plain([
    write("the cat", max_new_tokens=8, do_sample=False), write(texts[:2], max_new_tokens=6, do_sample=False, num_beams=3, num_return_sequences=2, batch_size=2),
    write("the dog", max_new_tokens=5, do_sample=False, return_full_text=False),
])  # fmt: skip
write("the", max_new_tokens=4, do_sample=True, top_k=5)

random = np.random.default_rng(2)
picture = Image.fromarray(random.integers(0, 256, (40, 50, 3), dtype=np.uint8))
vit = t.ViTConfig(image_size=32, patch_size=8, **{k: v for k, v in small.items() if k != "max_position_embeddings"}, **labels)
look = t.pipeline("image-classification", filled(t.ViTForImageClassification, vit), image_processor=t.ViTImageProcessor(size={"height": 32, "width": 32}))
found["image-classification"] = plain([look(picture, top_k=2), look([picture, picture.rotate(90)])])
sizes = {"conv_dim": (16, 16), "conv_stride": (4, 4), "conv_kernel": (8, 8), "num_conv_pos_embeddings": 8, "num_conv_pos_embedding_groups": 4}
wav = t.Wav2Vec2Config(**small, **sizes, **labels, num_feat_extract_layers=2, classifier_proj_size=16)
sound = (np.sin(np.arange(800) * 0.3) + random.standard_normal(800) * 0.1).astype(np.float32)
hear = t.pipeline("audio-classification", filled(t.Wav2Vec2ForSequenceClassification, wav), feature_extractor=t.Wav2Vec2FeatureExtractor())
found["audio-classification"] = plain([hear({"raw": sound, "sampling_rate": 16000}), hear(sound, top_k=1)])
if "question-answering" in t.pipelines.get_supported_tasks():
    answer = t.pipeline("question-answering", filled(t.BertForQuestionAnswering, bert), tokenizer=tokenizer)
    found["question-answering"] = plain(answer(question="who sang ?", context=context, top_k=2))
print(json.dumps(found))
