"""PEFT: LoRA on a small LLaMA, saved, loaded, merged, and asked for tokens."""

# needs: peft
import copy
import json
import sys

import numpy as np
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

folder = sys.argv[1]
random = np.random.default_rng(0)


def drawn(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.tensor(random.standard_normal(tuple(p.shape)) * 0.1, dtype=torch.float32))
    return model


config = LlamaConfig(vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, max_position_embeddings=64)
base = drawn(LlamaForCausalLM(config))
model = drawn(get_peft_model(copy.deepcopy(base), LoraConfig(r=4, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")))
trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
tokens, losses = torch.tensor(random.integers(0, 64, (4, 12))), []
for _ in range(3):
    loss = model(input_ids=tokens, labels=tokens).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    losses.append(loss.item())
model.save_pretrained(f"{folder}/lora")
with torch.no_grad():
    scores = model(input_ids=tokens).logits
again = PeftModel.from_pretrained(copy.deepcopy(base), f"{folder}/lora")
whole = model.merge_and_unload()
with torch.no_grad():
    generated = whole.generate(tokens[:1, :4], max_new_tokens=5, do_sample=False)
    distances = [(other(input_ids=tokens).logits - scores).abs().max().item() for other in (again, whole)]
found = {"losses": losses, "trainable": trainable, "loaded": distances[0] == 0, "merged": distances[1] < 1e-4}
print(json.dumps(found | {"generated": generated.tolist(), "class": type(whole).__name__}))
