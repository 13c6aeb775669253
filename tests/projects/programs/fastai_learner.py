"""fastai: a Learner with callbacks and one cycle of rates, on plain data and on a table, saved, exported and loaded."""

# needs: fastai
import json
import sys

import numpy as np
import pandas as pd
import torch
from fastai.callback.schedule import fit_one_cycle  # noqa: F401
from fastai.callback.tracker import EarlyStoppingCallback, SaveModelCallback
from fastai.data.core import DataLoaders
from fastai.data.load import DataLoader
from fastai.learner import Learner, load_learner
from fastai.losses import CrossEntropyLossFlat
from fastai.metrics import accuracy
from fastai.optimizer import Adam
from fastai.tabular.all import Categorify, FillMissing, Normalize, TabularDataLoaders, tabular_config, tabular_learner

folder = sys.argv[1]
random = np.random.default_rng(0)
X = random.standard_normal((96, 6)).astype(np.float32)
y = (X[:, 0] * X[:, 1] > 0).astype(np.int64)
rows = [(torch.tensor(a), torch.tensor(b)) for a, b in zip(X, y)]


def drawn(model):
    random = np.random.default_rng(1)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.tensor(random.standard_normal(tuple(p.shape)) * 0.3, dtype=torch.float32))
    return model


def network():
    return drawn(torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.ReLU(), torch.nn.BatchNorm1d(16), torch.nn.Linear(16, 2)))


def values(learner):
    return [[float(value) for value in row] for row in learner.recorder.values]


loaders = DataLoaders(DataLoader(rows[:64], bs=16), DataLoader(rows[64:], bs=16), device=torch.device("cpu"))
options = {"loss_func": CrossEntropyLossFlat(), "opt_func": Adam, "metrics": accuracy, "path": folder}
learner = Learner(loaders, network(), **options)
with learner.no_bar(), learner.no_logging():
    learner.fit_one_cycle(3, 0.05, cbs=[SaveModelCallback(fname="best"), EarlyStoppingCallback(patience=3)])
    found = {"values": values(learner), "losses": [float(loss) for loss in learner.recorder.losses], "rates": [float(r) for r in learner.recorder.lrs]}
    found["validated"] = [float(value) for value in learner.validate()]
    learner.save("whole")
    again = Learner(loaders, network(), **options).load("whole")
    with again.no_bar(), again.no_logging():
        again.fit(1, 0.01)
    found["resumed"] = values(again)
    predictions, targets = learner.get_preds(dl=loaders.valid)
    found["predictions"] = predictions[:3].tolist()

table = pd.DataFrame({"kind": random.choice(list("abc"), 80), "size": random.standard_normal(80), "age": random.standard_normal(80)})
table.loc[::9, "age"] = np.nan
table["label"] = np.where(table["size"] > 0, "large", "small")
loaders = TabularDataLoaders.from_df(
    table, path=folder, procs=[Categorify, FillMissing, Normalize], cat_names=["kind"], cont_names=["size", "age"], y_names="label",
    valid_idx=list(range(60, 80)), bs=20, shuffle=False, device=torch.device("cpu"),
)  # fmt: skip
loaders.train.shuffle = False
learner = tabular_learner(loaders, layers=[16, 8], metrics=accuracy, config=tabular_config(ps=0.0, embed_p=0.0))
drawn(learner.model)
with learner.no_bar(), learner.no_logging():
    learner.fit_one_cycle(2, 0.05)
    found["table"] = values(learner)
    learner.export(f"{folder}/exported.pkl")
    exported = load_learner(f"{folder}/exported.pkl")
    with exported.no_bar(), exported.no_logging():
        row, chosen, shares = exported.predict(table.iloc[3])
found["chosen"] = [int(chosen), shares.tolist()]
print(json.dumps(found))
