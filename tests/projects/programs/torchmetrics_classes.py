"""torchmetrics: collections of metrics over batches, of classification, regression and images."""

# needs: torchmetrics
import json

import numpy as np
import torch
from torchmetrics import MeanMetric, MeanSquaredError, MetricCollection, PearsonCorrCoef, R2Score
from torchmetrics.classification import BinaryAUROC, MulticlassAccuracy, MulticlassConfusionMatrix, MulticlassF1Score
from torchmetrics.image import PeakSignalNoiseRatio, StructuralSimilarityIndexMeasure

random = np.random.default_rng(0)
scores = torch.tensor(random.random((50, 5)), dtype=torch.float32)
targets = torch.tensor(random.integers(0, 5, 50))
collection = MetricCollection([MulticlassAccuracy(5), MulticlassF1Score(5), MulticlassConfusionMatrix(5)])
for part in (slice(25), slice(25, None)):
    collection.update(scores[part], targets[part])
found = {name: value.tolist() for name, value in collection.compute().items()}
area = BinaryAUROC()
area.update(scores[:, 0], targets > 2)
found["area"] = area.compute().item()
for metric in (MeanSquaredError(), R2Score(), PearsonCorrCoef()):
    metric.update(scores[:, 0], scores[:, 1])
    found[type(metric).__name__] = metric.compute().item()
mean = MeanMetric()
mean.update(3.0)
mean.update(torch.tensor([1.0, 2.0]))
found["mean"] = mean.compute().item()
image = torch.tensor(random.random((2, 3, 32, 32)), dtype=torch.float32)
found["noise"] = PeakSignalNoiseRatio(data_range=1.0)(image, image * 0.9).item()
found["similarity"] = StructuralSimilarityIndexMeasure(data_range=1.0)(image, image * 0.8).item()
print(json.dumps(found))
