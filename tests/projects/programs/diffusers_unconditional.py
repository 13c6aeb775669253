"""diffusers' unconditional training: a small UNet learns noise with accelerate and averaged weights; the pipeline is saved and sampled."""

# needs: diffusers, accelerate
import json
import sys

import numpy as np
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from diffusers import DDIMScheduler, DDPMPipeline, DDPMScheduler, UNet2DModel
from diffusers.optimization import get_cosine_schedule_with_warmup
from diffusers.training_utils import EMAModel

folder = sys.argv[1]
random = np.random.default_rng(0)
model = UNet2DModel(
    sample_size=8, in_channels=1, out_channels=1, layers_per_block=1, block_out_channels=(8, 16), norm_num_groups=4,
    down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"), attention_head_dim=8,
)  # fmt: skip
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.tensor(random.standard_normal(tuple(p.shape)) * 0.1, dtype=torch.float32))
images = torch.tensor(random.standard_normal((16, 1, 8, 8)), dtype=torch.float32)
noises = torch.tensor(random.standard_normal((4, 4, 1, 8, 8)), dtype=torch.float32)
times = torch.tensor(random.integers(0, 1000, (4, 4)))

scheduler = DDPMScheduler(num_train_timesteps=1000)
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=1, project_dir=folder)
ema = EMAModel(model.parameters(), decay=0.9, use_ema_warmup=True, model_cls=UNet2DModel, model_config=model.config)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
schedule = get_cosine_schedule_with_warmup(optimizer, num_warmup_steps=1, num_training_steps=4)
loader = torch.utils.data.DataLoader(images, batch_size=4, shuffle=False)
model, optimizer, loader, schedule = accelerator.prepare(model, optimizer, loader, schedule)
accelerator.register_for_checkpointing(ema)
losses = []


def train(step, clean):
    noisy = scheduler.add_noise(clean, noises[step], times[step])
    with accelerator.accumulate(model):
        loss = F.mse_loss(model(noisy, times[step], return_dict=False)[0], noises[step])
        accelerator.backward(loss)
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
    if accelerator.sync_gradients:
        ema.step(model.parameters())
    losses.append(loss.item())


for step, clean in enumerate(loader):
    train(step, clean)
    if step == 1:
        accelerator.save_state(f"{folder}/state")
first = list(losses)
accelerator.load_state(f"{folder}/state")
for step, clean in enumerate(loader):
    if step > 1:
        train(step, clean)
unet = accelerator.unwrap_model(model)
ema.store(unet.parameters())
ema.copy_to(unet.parameters())
pipeline = DDPMPipeline(unet=unet, scheduler=scheduler)
pipeline.save_pretrained(f"{folder}/pipeline")
again = DDPMPipeline.from_pretrained(f"{folder}/pipeline")
again.set_progress_bar_config(disable=True)
equal = all(torch.equal(a, b) for a, b in zip(unet.state_dict().values(), again.unet.state_dict().values()))


def sampled():
    return again(batch_size=2, generator=torch.Generator("cpu").manual_seed(3), num_inference_steps=3, output_type="np").images


repeated = bool((sampled() == sampled()).all())
ddim, x = DDIMScheduler.from_config(again.scheduler.config), noises[0][:1]
ddim.set_timesteps(4)
with torch.no_grad():
    for t in ddim.timesteps:
        x = ddim.step(again.unet(x, t).sample, t, x).prev_sample
ema.restore(unet.parameters())
found = {"losses": first, "resumed": losses[4:], "equal": equal, "repeated": repeated, "size": list(sampled().shape)}
found |= {"ddim": x[0, 0, 0].tolist(), "decay": ema.cur_decay_value, "rate": schedule.get_last_lr()[0]}
print(json.dumps(found))
