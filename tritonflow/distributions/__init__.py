"""Probability distributions, as torch.distributions: samples, log-probabilities, divergences, transforms and constraints.

Example:
    >>> import tritonflow as flow
    >>> policy = flow.distributions.Categorical(logits=flow.zeros(4))
    >>> policy.log_prob(policy.sample())
    tensor(-1.3863)
"""

from tritonflow.distributions import constraints, kl, transforms, utils
from tritonflow.distributions.bernoulli import Bernoulli
from tritonflow.distributions.beta import Beta
from tritonflow.distributions.binomial import Binomial
from tritonflow.distributions.categorical import Categorical
from tritonflow.distributions.cauchy import Cauchy
from tritonflow.distributions.chi2 import Chi2
from tritonflow.distributions.constraint_registry import biject_to, transform_to
from tritonflow.distributions.continuous_bernoulli import ContinuousBernoulli
from tritonflow.distributions.dirichlet import Dirichlet
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.exp_family import ExponentialFamily
from tritonflow.distributions.exponential import Exponential
from tritonflow.distributions.fishersnedecor import FisherSnedecor
from tritonflow.distributions.gamma import Gamma
from tritonflow.distributions.generalized_pareto import GeneralizedPareto
from tritonflow.distributions.geometric import Geometric
from tritonflow.distributions.gumbel import Gumbel
from tritonflow.distributions.half_cauchy import HalfCauchy
from tritonflow.distributions.half_normal import HalfNormal
from tritonflow.distributions.independent import Independent
from tritonflow.distributions.inverse_gamma import InverseGamma
from tritonflow.distributions.kl import kl_divergence, register_kl
from tritonflow.distributions.kumaraswamy import Kumaraswamy
from tritonflow.distributions.laplace import Laplace
from tritonflow.distributions.lkj_cholesky import LKJCholesky
from tritonflow.distributions.log_normal import LogNormal
from tritonflow.distributions.logistic_normal import LogisticNormal
from tritonflow.distributions.lowrank_multivariate_normal import LowRankMultivariateNormal
from tritonflow.distributions.mixture_same_family import MixtureSameFamily
from tritonflow.distributions.multinomial import Multinomial
from tritonflow.distributions.multivariate_normal import MultivariateNormal
from tritonflow.distributions.negative_binomial import NegativeBinomial
from tritonflow.distributions.normal import Normal
from tritonflow.distributions.one_hot_categorical import OneHotCategorical, OneHotCategoricalStraightThrough
from tritonflow.distributions.pareto import Pareto
from tritonflow.distributions.poisson import Poisson
from tritonflow.distributions.relaxed_bernoulli import RelaxedBernoulli
from tritonflow.distributions.relaxed_categorical import RelaxedOneHotCategorical
from tritonflow.distributions.studentT import StudentT
from tritonflow.distributions.transformed_distribution import TransformedDistribution
from tritonflow.distributions.transforms import (
    AbsTransform,
    AffineTransform,
    CatTransform,
    ComposeTransform,
    CorrCholeskyTransform,
    CumulativeDistributionTransform,
    ExpTransform,
    IndependentTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    PowerTransform,
    ReshapeTransform,
    SigmoidTransform,
    SoftmaxTransform,
    SoftplusTransform,
    StackTransform,
    StickBreakingTransform,
    TanhTransform,
    Transform,
    identity_transform,
)
from tritonflow.distributions.uniform import Uniform
from tritonflow.distributions.von_mises import VonMises
from tritonflow.distributions.weibull import Weibull
from tritonflow.distributions.wishart import Wishart

__all__ = [
    "Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "Chi2", "ContinuousBernoulli", "Dirichlet", "Distribution",
    "Exponential", "ExponentialFamily", "FisherSnedecor", "Gamma", "GeneralizedPareto", "Geometric", "Gumbel", "HalfCauchy",
    "HalfNormal", "Independent", "InverseGamma", "Kumaraswamy", "LKJCholesky", "Laplace", "LogNormal", "LogisticNormal",
    "LowRankMultivariateNormal", "MixtureSameFamily", "Multinomial", "MultivariateNormal", "NegativeBinomial", "Normal",
    "OneHotCategorical", "OneHotCategoricalStraightThrough", "Pareto", "Poisson", "RelaxedBernoulli",
    "RelaxedOneHotCategorical", "StudentT", "TransformedDistribution", "Uniform", "VonMises", "Weibull", "Wishart", "biject_to",
    "constraints", "kl", "kl_divergence", "register_kl", "transform_to", "transforms", "utils", "AbsTransform",
    "AffineTransform", "CatTransform", "ComposeTransform", "CorrCholeskyTransform", "CumulativeDistributionTransform",
    "ExpTransform", "IndependentTransform", "LowerCholeskyTransform", "PositiveDefiniteTransform", "PowerTransform",
    "ReshapeTransform", "SigmoidTransform", "SoftmaxTransform", "SoftplusTransform", "StackTransform", "StickBreakingTransform",
    "TanhTransform", "Transform", "identity_transform",
]  # fmt: skip
