"""torchvision's transforms, v1 and v2, on PIL images, tensors, boxes, masks and videos; its datasets, grids and files of images."""

# needs: torchvision
import json
import sys
import warnings
import zlib
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader
from torchvision import datasets, tv_tensors
from torchvision import transforms as v1
from torchvision.transforms import v2
from torchvision.utils import draw_bounding_boxes, make_grid, save_image

warnings.filterwarnings("ignore")
folder = sys.argv[1]
random = np.random.default_rng(1)
pixels = random.integers(0, 256, (24, 32, 3), dtype=np.uint8)
found = {}


def summary(x):
    """Of bytes a check of them all; of floats a few sums; of others what they hold."""
    if isinstance(x, Image.Image):
        return [x.mode, zlib.crc32(np.asarray(x).tobytes())]
    if isinstance(x, torch.Tensor):
        kind, numbers = type(x).__name__, np.ascontiguousarray(x.as_subclass(torch.Tensor).numpy())
        if numbers.dtype == np.uint8:
            return [kind, list(numbers.shape), zlib.crc32(numbers.tobytes())]
        return [kind, list(numbers.shape), float(numbers.mean()), float(np.abs(numbers - numbers.mean()).mean())]
    if isinstance(x, dict):
        return {name: summary(value) for name, value in x.items()}
    return [summary(each) for each in x] if isinstance(x, (list, tuple)) else x


sample = {
    "image": tv_tensors.Image(torch.tensor(pixels).permute(2, 0, 1)),
    "boxes": tv_tensors.BoundingBoxes([[2.0, 3.0, 14.0, 12.0], [5.0, 1.0, 30.0, 20.0]], format="XYXY", canvas_size=(24, 32)),
    "masks": tv_tensors.Mask(torch.tensor(pixels[..., :2] > 128).permute(2, 0, 1).to(torch.uint8)),
    "video": tv_tensors.Video(torch.tensor(np.stack([pixels, 255 - pixels])).permute(0, 3, 1, 2)),
    "labels": torch.tensor([1, 2]),
}
both = {
    "CenterCrop": (16,), "FiveCrop": (10,), "Grayscale": (3,), "Pad": ((1, 2, 3, 4), 7), "Resize": (12,), "RandomHorizontalFlip": (1.0,),
    "RandomVerticalFlip": (1.0,), "RandomInvert": (1.0,), "RandomPosterize": (3, 1.0), "RandomSolarize": (128, 1.0),
    "RandomAdjustSharpness": (2.0, 1.0), "RandomAutocontrast": (1.0,), "RandomEqualize": (1.0,), "GaussianBlur": (5, (1.5, 1.5)),
    "RandomRotation": ((30, 30),), "RandomAffine": ((20, 20),),
}  # fmt: skip
for name, arguments in both.items():
    found[f"v1.{name}"] = summary(getattr(v1, name)(*arguments)(Image.fromarray(pixels)))
    found[f"v2.{name}"] = summary(getattr(v2, name)(*arguments)(sample if name != "FiveCrop" else sample["image"]))
for mode in (v2.InterpolationMode.BILINEAR, v2.InterpolationMode.BICUBIC, v2.InterpolationMode.NEAREST_EXACT, v2.InterpolationMode.LANCZOS):
    for size in ((40, 50), (11, 13)):
        found[f"resized {mode.value} {size}"] = summary(v2.Resize(size, mode)(sample))
of_v2 = [
    v2.ConvertBoundingBoxFormat("CXCYWH"), v2.ClampBoundingBoxes(), v2.SanitizeBoundingBoxes(min_size=3), v2.RGB(), v2.ToPureTensor(),
    v2.ToDtype({tv_tensors.Image: torch.float32, tv_tensors.Mask: torch.int64, "others": None}, scale=True), v2.UniformTemporalSubsample(1),
]  # fmt: skip
for transform in of_v2:
    found[f"v2.{type(transform).__name__}"] = summary(transform(sample))
chain = v2.Compose([v2.PILToTensor(), v2.Resize((16, 16)), v2.ToDtype(torch.float32, scale=True), v2.Normalize((0.5,) * 3, (0.25,) * 3)])
found["chain"] = summary(chain(Image.fromarray(pixels)))
drawn = v2.Compose([v2.ToImage(), v2.RandomResizedCrop(16), v2.RandAugment(), v2.ColorJitter(0.4, 0.4, 0.4, 0.1), v2.RandomErasing(1.0)])
found["drawn"] = [list(drawn(Image.fromarray(pixels)).shape) for _ in range(4)]

for name in ("ant", "bee"):
    pictures = Path(folder, "data", name)
    pictures.mkdir(parents=True)
    for i in range(3):
        Image.fromarray(random.integers(0, 256, (20, 24, 3), dtype=np.uint8)).save(pictures / f"{i}.png")
data = datasets.ImageFolder(f"{folder}/data", chain)
found["folder"] = [[summary(x), y.tolist()] for x, y in DataLoader(data, batch_size=4, num_workers=2)]
found["fake"] = summary(make_grid(torch.stack([sample["image"]] * 3), nrow=2, padding=1))
found["boxes"] = summary(draw_bounding_boxes(sample["image"], sample["boxes"], colors="red"))
save_image(sample["image"].float() / 255, f"{folder}/saved.png")
found["saved"] = bool((np.asarray(Image.open(f"{folder}/saved.png")) == pixels).all())
print(json.dumps(found))
