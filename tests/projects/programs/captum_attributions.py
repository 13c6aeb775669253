"""Captum: what each input and each neuron adds to an answer, by gradients, by hooks in modules, and by leaving inputs out."""

# needs: captum
import json

import numpy as np
import torch
from captum import attr
from torch import nn

random = np.random.default_rng(0)
x = torch.tensor(random.standard_normal((3, 8)), dtype=torch.float32)


def network(activation):
    model = nn.Sequential(nn.Linear(8, 16), activation, nn.Linear(16, 2))
    random = np.random.default_rng(1)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.tensor(random.standard_normal(tuple(p.shape)) * 0.3, dtype=torch.float32))
    return model


def listed(attributions):
    return attributions.detach().numpy().round(6).tolist()


model, rectified = network(nn.Tanh()), network(nn.ReLU())
by_inputs = [attr.IntegratedGradients, attr.Saliency, attr.DeepLift, attr.InputXGradient, attr.FeatureAblation]
found = {kind.__name__: listed(kind(model).attribute(x.clone().requires_grad_(), target=1)) for kind in by_inputs}
for kind in (attr.GuidedBackprop, attr.Deconvolution, attr.DeepLift):
    found[f"{kind.__name__} of rectified"] = listed(kind(rectified).attribute(x.clone().requires_grad_(), target=1))
found["Occlusion"] = listed(attr.Occlusion(model).attribute(x, sliding_window_shapes=(2,), target=0))
found["LayerConductance"] = listed(attr.LayerConductance(model, model[0]).attribute(x, target=0))
found["LayerActivation"] = listed(attr.LayerActivation(model, model[1]).attribute(x))
found["NeuronConductance"] = listed(attr.NeuronConductance(model, model[0]).attribute(x, 2, target=0))
shap = attr.GradientShap(model).attribute(x, baselines=x * 0, target=0)  # draws numbers
print(json.dumps({**found, "GradientShap": list(shap.shape)}))
