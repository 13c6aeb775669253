"""GPyTorch: an exact Gaussian process and a variational one are fitted, saved, loaded, and asked for what they predict."""

# needs: gpytorch
import json
import sys

import gpytorch
import torch

folder = sys.argv[1]
torch.set_default_dtype(torch.float64)
x = torch.linspace(0, 1, 20)
y = torch.sin(x * 6.28)


class Exact(gpytorch.models.ExactGP):
    def __init__(self, x, y, likelihood):
        super().__init__(x, y, likelihood)
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


class Variational(gpytorch.models.ApproximateGP):
    def __init__(self, points):
        distribution = gpytorch.variational.CholeskyVariationalDistribution(len(points), mean_init_std=0.0)
        super().__init__(gpytorch.variational.VariationalStrategy(self, points, distribution))
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.MaternKernel(nu=2.5))

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


def fit(model, likelihood, objective, *data):
    optimizer = torch.optim.Adam([*model.parameters(), *(likelihood.parameters() if isinstance(model, Variational) else ())], 0.1)
    losses = []
    model.train(), likelihood.train()
    for _ in range(10):
        optimizer.zero_grad()
        loss = -objective(model(data[0]), data[1])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def predicted(model, likelihood):
    model.eval(), likelihood.eval()
    with torch.no_grad(), gpytorch.settings.fast_pred_var():
        found = likelihood(model(torch.linspace(0.05, 0.95, 5) if isinstance(model, Exact) else torch.linspace(0.05, 0.95, 5)[:, None]))
    low, high = found.confidence_region()
    return {"mean": found.mean.tolist(), "variance": found.variance.tolist(), "region": [low.tolist(), high.tolist()]}


likelihood = gpytorch.likelihoods.GaussianLikelihood()
exact = Exact(x, y, likelihood)
losses = fit(exact, likelihood, gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, exact), x, y)
torch.save(exact.state_dict(), f"{folder}/exact.pt")
again = Exact(x, y, gpytorch.likelihoods.GaussianLikelihood())
again.load_state_dict(torch.load(f"{folder}/exact.pt"))

noise = gpytorch.likelihoods.GaussianLikelihood()
variational = Variational(x[::4, None].clone())
objective = gpytorch.mlls.VariationalELBO(noise, variational, num_data=20)
print(json.dumps({
    "exact": losses, "names": sorted(exact.state_dict()), "predicted": predicted(exact, likelihood),
    "again": predicted(again, again.likelihood), "variational": fit(variational, noise, objective, x[:, None], y),
    "of variational": predicted(variational, noise),
}))  # fmt: skip
