"""skorch: a classifier with callbacks, saved parameters and a pickle, and scikit-learn's search over its learning rates."""

# needs: skorch
import json
import pickle
import sys

import numpy as np
import torch
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from skorch import NeuralNetClassifier
from skorch.callbacks import Checkpoint, EarlyStopping, EpochScoring, GradientNormClipping, LRScheduler

folder = sys.argv[1]
random = np.random.default_rng(0)
X = random.standard_normal((96, 8)).astype(np.float32)
y = (X[:, 0] + X[:, 1] > 0).astype(np.int64)


class Module(torch.nn.Module):
    def __init__(self, width=16, nonlin=torch.nn.functional.relu):
        super().__init__()
        self.dense0 = torch.nn.Linear(8, width)
        self.nonlin = nonlin
        self.output = torch.nn.Linear(width, 2)
        drawn = np.random.default_rng(width)
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(torch.tensor(drawn.standard_normal(tuple(p.shape)) * 0.3, dtype=torch.float32))

    def forward(self, X):
        return torch.softmax(self.output(self.nonlin(self.dense0(X))), dim=-1)


callbacks = [
    ("accuracy", EpochScoring("accuracy", lower_is_better=False, on_train=True, name="train_accuracy")),
    ("schedule", LRScheduler("StepLR", step_size=2, gamma=0.5)),
    ("clipping", GradientNormClipping(1.0)),
    ("best", Checkpoint(dirname=f"{folder}/best", monitor="valid_loss_best")),
    ("stop", EarlyStopping(patience=5)),
]
options = {"max_epochs": 4, "lr": 0.5, "batch_size": 16, "iterator_train__shuffle": False, "verbose": 0}
net = NeuralNetClassifier(Module, callbacks=callbacks, optimizer__momentum=0.9, **options)
net.fit(X, y)
found = {name: net.history[:, name] for name in ("train_loss", "valid_loss", "valid_acc", "train_accuracy")}
found["probabilities"] = net.predict_proba(X[:4]).tolist()
found["score"] = net.score(X, y)

net.save_params(f_params=f"{folder}/model.pt", f_optimizer=f"{folder}/optimizer.pt", f_history=f"{folder}/history.json")
again = NeuralNetClassifier(Module, optimizer__momentum=0.9, **options).initialize()
again.load_params(f_params=f"{folder}/model.pt", f_optimizer=f"{folder}/optimizer.pt", f_history=f"{folder}/history.json")
found["loaded"] = bool((again.predict_proba(X) == net.predict_proba(X)).all())
again.partial_fit(X, y)
found["resumed"] = again.history[:, "train_loss"]
best = NeuralNetClassifier(Module, **options).initialize()
best.load_params(checkpoint=Checkpoint(dirname=f"{folder}/best"))
found["best"] = best.predict_proba(X[:2]).tolist()
copied = pickle.loads(pickle.dumps(net))
found["pickled"] = bool((copied.predict(X) == net.predict(X)).all())

net = NeuralNetClassifier(Module, train_split=False, **(options | {"max_epochs": 2}))
pipe = Pipeline([("scale", StandardScaler()), ("net", net)])
search = GridSearchCV(pipe, {"net__lr": [0.01, 0.5], "net__module__width": [4, 16]}, cv=2, scoring="accuracy", refit=True)
search.fit(X, y)
found["scores"] = search.cv_results_["mean_test_score"].tolist()
found["chosen"] = search.best_params_
found["refitted"] = search.predict_proba(X[:2]).tolist()
print(json.dumps(found))
