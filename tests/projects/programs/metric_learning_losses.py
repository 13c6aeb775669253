"""pytorch-metric-learning: losses of pairs, triplets and classes, distances, miners, and the accuracy of nearest neighbours."""

# needs: pytorch_metric_learning
import json

import numpy as np
import torch
from pytorch_metric_learning import distances, losses, miners, reducers
from torch import nn

random = np.random.default_rng(0)
x = torch.tensor(random.standard_normal((24, 8)), dtype=torch.float32)
y = (x.sum(1) > 0).long()


def fill(module, seed):
    random = np.random.default_rng(seed)
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.tensor(random.standard_normal(tuple(p.shape)) * 0.3, dtype=torch.float32))
    return module


def learn(loss, miner=None):
    model = fill(nn.Linear(8, 4), 1)
    fill(loss, 2)
    optimizer = torch.optim.Adam([*model.parameters(), *loss.parameters()], 1e-2)
    found = []
    for _ in range(3):
        optimizer.zero_grad()
        embeddings = model(x)
        value = loss(embeddings, y) if miner is None else loss(embeddings, y, miner(embeddings, y))
        value.backward()
        optimizer.step()
        found.append(value.item())
    return found


pairs = [
    losses.ContrastiveLoss, losses.TripletMarginLoss, losses.NTXentLoss, losses.MultiSimilarityLoss, losses.CircleLoss, losses.SupConLoss,
    losses.LiftedStructureLoss, losses.AngularLoss, losses.NPairsLoss, losses.FastAPLoss, losses.TupletMarginLoss,
]  # fmt: skip
classes = [
    losses.ArcFaceLoss, losses.CosFaceLoss, losses.SphereFaceLoss, losses.ProxyNCALoss, losses.ProxyAnchorLoss,
    losses.SoftTripleLoss, losses.NormalizedSoftmaxLoss,
]  # fmt: skip
found = {kind.__name__: learn(kind()) for kind in pairs}
found |= {kind.__name__: learn(kind(2, 4)) for kind in classes}
cosine = losses.TripletMarginLoss(distance=distances.CosineSimilarity(), reducer=reducers.ThresholdReducer(low=0))
found["mined"] = [learn(cosine, miners.MultiSimilarityMiner()), learn(losses.TripletMarginLoss(), miners.BatchHardMiner())]
print(json.dumps(found))
