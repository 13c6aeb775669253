"""datasets: rows as tensors, in loaders with and without workers, of memory and of streams."""

# needs: datasets
import json
import sys

import numpy as np
import torch
from datasets import Array2D, Dataset, Features, IterableDataset, Value, load_from_disk

folder = sys.argv[1]
random = np.random.default_rng(0)
rows = {"x": random.standard_normal((12, 2, 3)).astype(np.float32), "y": random.integers(0, 5, 12), "ragged": [list(range(n % 3)) for n in range(12)]}
features = Features({"x": Array2D((2, 3), "float32"), "y": Value("int64"), "ragged": [Value("int32")]})
data = Dataset.from_dict(rows | {"name": [f"row {n}" for n in range(12)]}, features=Features(features | {"name": Value("string")}))
data = data.map(lambda row: {"total": float(np.sum(row["x"]))}).filter(lambda row: row["y"] != 2)
data.save_to_disk(f"{folder}/rows")
tensors = load_from_disk(f"{folder}/rows").with_format("torch", columns=["x", "y", "total", "name"])
row, several = tensors[0], tensors[:3]
types = {"x": torch.float32, "y": torch.int64, "total": torch.float32}
found = {"types": [row[name].dtype == dtype for name, dtype in types.items()], "name": row["name"]}
found["shapes"] = [list(row["x"].shape), list(several["x"].shape), isinstance(several["x"], torch.Tensor)]
found["ragged"] = [each.tolist() for each in data.with_format("torch")[:4]["ragged"]]
found["double"] = data.with_format("torch", dtype=torch.float64)[0]["x"].dtype == torch.float64
loader = torch.utils.data.DataLoader(tensors.select_columns(["x", "y"]), batch_size=4)
found["sums"] = [[batch["x"].sum().item(), batch["y"].tolist()] for batch in loader]
workers = torch.utils.data.DataLoader(tensors.select_columns(["x", "y"]), batch_size=4, num_workers=2)
found["workers"] = [[batch["x"].sum().item(), batch["y"].tolist()] for batch in workers]
stream = data.select_columns(["x", "y"]).to_iterable_dataset(num_shards=2).with_format("torch").shuffle(seed=1, buffer_size=4)
found["stream"] = [batch["y"].tolist() for batch in torch.utils.data.DataLoader(stream, batch_size=3)]
found["stream, workers"] = sorted(batch["y"].sum().item() for batch in torch.utils.data.DataLoader(stream, batch_size=3, num_workers=2))
made = IterableDataset.from_generator(lambda: ({"n": n} for n in range(5))).with_format("torch")
found["made"] = [row["n"].item() for row in made]
doubled = tensors.map(lambda row: {"twice": row["x"] * 2})
found["mapped"] = [torch.equal(doubled[1]["twice"], 2 * tensors[1]["x"]), isinstance(doubled[0]["twice"], torch.Tensor)]
print(json.dumps(found))
