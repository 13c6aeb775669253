"""Schedulers of diffusers and pipelines of small random models, in float64: what they sample from given latents and prompts.

`SCHEDULERS` is data: a line adds a scheduler. Numbers of chance are NumPy's, so that they are the same with any torch.
"""

# needs: diffusers, transformers
import json
import zlib

import diffusers
import numpy as np
import torch

STEPS = 6
SCHEDULERS: dict[str, dict[str, object]] = {
    "CMStochasticIterativeScheduler": {},
    "DDIMScheduler": {"rescale_betas_zero_snr": True, "timestep_spacing": "trailing"},
    "DDPMScheduler": {"variance_type": "fixed_large", "thresholding": True},
    "DEISMultistepScheduler": {"solver_order": 3},
    "DPMSolverMultistepScheduler": {"algorithm_type": "sde-dpmsolver++", "use_karras_sigmas": True},
    "DPMSolverSinglestepScheduler": {"prediction_type": "v_prediction"},
    "EDMEulerScheduler": {},
    "EulerAncestralDiscreteScheduler": {"beta_schedule": "scaled_linear"},
    "EulerDiscreteScheduler": {"use_exponential_sigmas": True},
    "FlowMatchEulerDiscreteScheduler": {"stochastic_sampling": True},
    "FlowMatchHeunDiscreteScheduler": {},
    "HeunDiscreteScheduler": {"beta_schedule": "squaredcos_cap_v2"},
    "KDPM2AncestralDiscreteScheduler": {},
    "LCMScheduler": {},
    "LMSDiscreteScheduler": {},
    "PNDMScheduler": {"skip_prk_steps": True},
    "SASolverScheduler": {},
    "TCDScheduler": {},
    "UnCLIPScheduler": {},
    "UniPCMultistepScheduler": {"solver_order": 3},
}
draws = 0


def noise(*shape: object, **_: object) -> torch.Tensor:
    """What `torch.randn` gives here: it follows from how often it was asked."""
    global draws
    draws += 1
    sizes = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else shape
    return torch.tensor(np.random.default_rng(draws).standard_normal(sizes))


def start(*shape: int) -> torch.Tensor:
    """Latents, and the beginning of new noise."""
    global draws
    draws = 0
    return noise(*shape)


def sampled(name: str, settings: dict[str, object]) -> list[float]:
    """Latents behind some steps with a model that is a formula."""
    scheduler = getattr(diffusers, name)(**settings)
    scheduler.set_timesteps(STEPS)
    latents = start(1, 4, 8, 8) * getattr(scheduler, "init_noise_sigma", 1.0)
    for time in scheduler.timesteps:
        scaled = scheduler.scale_model_input(latents, time) if hasattr(scheduler, "scale_model_input") else latents
        latents = scheduler.step(torch.sin(scaled * 1.3 + float(time) * 0.001) * 0.4, time, latents).prev_sample
    return latents.flatten()[:40].tolist()


def made(model: torch.nn.Module) -> torch.nn.Module:
    """The model with weights that follow from their names."""
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            weights = np.random.default_rng(zlib.crc32(key.encode())).standard_normal(tuple(parameter.shape)) * 0.1
            parameter.copy_(torch.tensor(weights) + (1.0 if "norm" in key and key.endswith("weight") else 0.0))
    return model.double().eval()


SIZES = {"block_out_channels": (8, 16), "norm_num_groups": 4, "layers_per_block": 1}
ATTENTION = {"cross_attention_dim": 16, "attention_head_dim": 4, "down_block_types": ("DownBlock2D", "CrossAttnDownBlock2D")}


def pipeline(kind: type, **parts: object) -> diffusers.DiffusionPipeline:
    unet = diffusers.UNet2DConditionModel(**SIZES, **ATTENTION, up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"), sample_size=8)
    ends = {"down_block_types": ["DownEncoderBlock2D"] * 2, "up_block_types": ["UpDecoderBlock2D"] * 2}
    decoder = diffusers.AutoencoderKL(**SIZES, **ends, sample_size=16)
    scheduler = diffusers.DDIMScheduler(beta_schedule="scaled_linear", clip_sample=False)
    pipe = kind(
        vae=made(decoder), unet=made(unet), scheduler=scheduler, text_encoder=None, tokenizer=None, safety_checker=None,
        feature_extractor=None, requires_safety_checker=False, **parts,
    )  # fmt: skip
    pipe.set_progress_bar_config(disable=True)
    return pipe


def drawn(pipe: diffusers.DiffusionPipeline, **given: object) -> list[float]:
    """An image of one prompt, by three steps with guidance."""
    start(1)
    prompts = {"prompt_embeds": noise(1, 7, 16), "negative_prompt_embeds": noise(1, 7, 16)}
    image = pipe(**prompts, **given, num_inference_steps=3, guidance_scale=3.0, output_type="pt").images
    return image.flatten()[:40].tolist()


def images() -> dict[str, list[float]]:
    latents, picture = noise(1, 4, 8, 8), torch.sigmoid(noise(1, 3, 16, 16))
    found = {"plain": drawn(pipeline(diffusers.StableDiffusionPipeline), latents=latents, height=16, width=16)}
    found["image to image"] = drawn(pipeline(diffusers.StableDiffusionImg2ImgPipeline), image=picture, strength=0.8)
    found["inpaint"] = drawn(pipeline(diffusers.StableDiffusionInpaintPipeline), image=picture, mask_image=picture[:, :1].round())
    control = made(diffusers.ControlNetModel(**SIZES, **ATTENTION, conditioning_embedding_out_channels=(4, 8)))
    guided = pipeline(diffusers.StableDiffusionControlNetPipeline, controlnet=control)
    found["control"] = drawn(guided, latents=latents, image=picture, height=16, width=16)
    return found


torch.randn = noise
torch.randn_like = lambda like, **_: noise(*like.shape)
print(json.dumps({"schedulers": {name: sampled(name, said) for name, said in SCHEDULERS.items()}, "images": images()}))
