"""Which rule batches which op. Of ops that are not named here the registry says enough, or one example runs after the other."""

from __future__ import annotations

from typing import Any

from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import Shape
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import clone
from tritonflow.functions.view import expand, unsqueeze
from tritonflow.interpreter.batched import BatchedCall
from tritonflow.interpreter.batching_rules import BatchingRules, Rule
from tritonflow.interpreter.dispatch import dispatch_view
from tritonflow.ops.op_def import OpDef
from tritonflow.rules.batching import elementwise, indexing, losses, norms, products, random
from tritonflow.rules.batching.examples import looped

_as_strided = op_expr("as_strided")

ALONG = ("flip", "cat", "gather", "scatter", "scatter_fold")
LEADING = ("cast", "clone", "contiguous_copy", "tril", "triu", "one_hot")
ROWS = (
    "columns", "columns_sum", "max_pool2d", "max_pool_grad", "max_pool_grad_grad", "avg_pool2d", "avg_pool_grad",
    "adaptive_avg_pool2d", "adaptive_avg_pool_grad", "adaptive_max_pool2d", "adaptive_max_pool_grad",
)  # fmt: skip
DRAWN = (
    "random_uniform", "random_normal", "random_exponential", "random_bernoulli", "random_integers",
)  # fmt: skip
DRAWN_OF = ("random_bernoulli_of", "random_poisson", "random_binomial", "random_gamma")

RULES: dict[str, Rule] = {
    **dict.fromkeys(ALONG, elementwise.along),
    **dict.fromkeys(LEADING, elementwise.leading),
    **dict.fromkeys(ROWS, elementwise.rows),
    **dict.fromkeys(DRAWN, random.drawn),
    **dict.fromkeys(DRAWN_OF, random.drawn_of),
    "random_dropout": random.dropout,
    "random_reserve": random.reserve,
    "region_grad": elementwise.region_grad,
    "copy_": elementwise.pointwise,
    "fill_": elementwise.fill,
    "matmul": products.matmul,
    "unrounded_product": products.unrounded_product,
    "linear": products.linear,
    "conv2d": products.conv2d,
    "conv_data_grad": products.conv_data_grad,
    "conv_transpose_biased": products.conv_transpose_biased,
    "conv_filter_grad": products.conv_filter_grad,
    "scaled_dot_product_attention": products.attention,
    "attention_grad": products.attention,
    "searchsorted": products.searchsorted,
    "index_get": indexing.index_get,
    "index_get_grad": indexing.index_get_grad,
    "index_put": indexing.index_put,
    "nonzero": indexing.nonzero,
    "layer_norm": norms.layer_norm,
    "layer_norm_grad": norms.layer_norm_grad,
    "layer_norm_param_grad": norms.layer_norm_param_grad,
    "layer_norm_gradients": norms.layer_norm_gradients,
    "cross_entropy": losses.cross_entropy,
    "cross_entropy_grad": losses.cross_entropy_grad,
    "nll_loss": losses.nll_loss,
    "nll_loss_grad": losses.nll_loss_grad,
    "batch_norm": norms.batch_norm,
    "batch_norm_eval": norms.batch_norm_eval,
    "batch_norm_grad": norms.batch_norm_grad,
}


def of_others(call: BatchedCall) -> Any:
    """The rule of ops that the table does not name, by what the registry says of them."""
    definition = call.op.definition
    if definition.kind == "pointwise":
        return elementwise.pointwise(call)
    if call.out is None and _is_along(definition):
        return elementwise.along(call)
    if call.out is None and _has_free_dims_in_front(definition):
        return elementwise.leading(call)
    return looped(call)


def _is_along(definition: OpDef) -> bool:
    """Whether an op reduces, scans or sorts along dimensions that an attribute names: others are independent."""
    return definition.sbp.partition(".")[0] in ("reduce", "along") and bool({"dim", "dims"} & set(definition.attrs))


def _has_free_dims_in_front(definition: OpDef) -> bool:
    """Whether all inputs and outputs of an op may have any dimensions in front, which its sbp rule writes as "..."."""
    factors = definition.sbp.partition("|")[0]
    sides = factors.split("->")
    return len(sides) == 2 and all(term.strip().startswith("...") for side in sides for term in side.split(","))


def _by_strides(x: Tensor, shape: Shape, stride: Shape, elements: int) -> Tensor:
    return dispatch_view(_as_strided, x, (shape, stride, elements))


def _repeated(x: Tensor, count: int) -> Any:
    return clone(expand(unsqueeze(x, 0), (count, *x.meta.shape)))


def rules() -> BatchingRules:
    """What the interpreter of batched tensors is given."""
    return BatchingRules(RULES, of_others, _by_strides, _repeated)
