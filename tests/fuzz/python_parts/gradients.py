"""Gradients: Functions with variables outside, hooks of tensors, backward inside, `.grad` that is read and written."""

from tests.fuzz.python_parts.grammar import part

part("gradients", "a Function that reads", """
    class F_K(flow.autograd.Function):
        slope = 1.0
        @staticmethod
        def forward(ctx, y): return y * cfg_K['f']
        @staticmethod
        def backward(ctx, g): return g * cfg_K['b'] * F_K.slope
    cfg_K = {'f': 1.0, 'b': 1.0}
    """, "y = F_K.apply(y)", ["cfg_K['f'] = <<2.0|3.0>>", "cfg_K['b'] = <<2.0|3.0>>", "F_K.slope = <<2.0|4.0>>"])
part("gradients", "a Function that counts", """
    class F_K(flow.autograd.Function):
        calls = [0, 0]
        @staticmethod
        def forward(ctx, y):
            F_K.calls[0] += 1
            ctx.n = F_K.calls[0]
            return y * ctx.n
        @staticmethod
        def backward(ctx, g):
            F_K.calls[1] += 1
            return g * ctx.n * F_K.calls[1]
    """, "y = F_K.apply(y)", ["F_K.calls[:] = [0, 0]"])
part("gradients", "a Function that saves", """
    class F_K(flow.autograd.Function):
        @staticmethod
        def forward(ctx, y, n):
            ctx.save_for_backward(y)
            ctx.n = n
            return y * y * n
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors
            seen_K.append(ctx.n)
            return 2 * g * y * ctx.n, None
    seen_K, n_K = [], 0.5
    """, "y = F_K.apply(y, n_K)", ["n_K = <<0.25|1>>", "seen_K.clear()"])
part("gradients", "a hook of a tensor", "n_K = [2]", "if y.requires_grad:\n    y = y * 1\n    y.register_hook(lambda g: g * n_K[0])", ["n_K[0] = <<3|4>>"])
part("gradients", "a hook that keeps gradients", "seen_K = []", "if y.requires_grad:\n    y = y * 1\n    y.register_hook(lambda g: seen_K.append(g.detach()))", ["seen_K.clear()"])
part("gradients", "a hook of a parameter", "p_K = nn.Parameter(flow.ones(2))\nn_K = [2]\nhandles_K = []", "y = y * p_K", ["handles_K.append(p_K.register_hook(lambda g: g * n_K[0]))", "n_K[0] = 3", "handles_K.pop().remove() if handles_K else None", "handles_K.append(p_K.register_post_accumulate_grad_hook(lambda p: p.grad.mul_(n_K[0])))", "p_K.grad = None"])
part("gradients", "backward inside", "p_K = nn.Parameter(flow.ones(2))", "(p_K * x.detach()).sum().backward()\ny = y + p_K.grad\n<<pass|p_K.grad = None>>", ["p_K.grad = None", "p_K.grad = flow.ones(2)", "p_K.grad.zero_() if p_K.grad is not None else None", "p_K.requires_grad_(True)"])
part("gradients", "autograd.grad inside", "p_K = nn.Parameter(flow.ones(2))", "g_K, = flow.autograd.grad((p_K * p_K * x.detach()).sum(), p_K)\ny = y + g_K", ["p_K.data.mul_(2)"], graph=True)
part("gradients", "a gradient that is read", "p_K = nn.Parameter(flow.ones(2))", "y = y * p_K\nif p_K.grad is not None:\n    y = y + p_K.grad", ["p_K.grad = None", "p_K.grad = flow.ones(2)"])
part("gradients", "a gradient that is set", "p_K = nn.Parameter(flow.ones(2))", "p_K.grad = <<x.detach() * 2|x.detach()|None>>\ny = y * p_K", ["p_K.grad = flow.ones(2)"])
part("gradients", "a gradient that is scaled", "p_K = nn.Parameter(flow.ones(2))\np_K.grad = flow.ones(2)", "if p_K.grad is not None:\n    p_K.grad.mul_(0.5)\n    y = y + p_K.grad", ["p_K.grad = flow.full((2,), 4.0)", "p_K.grad = None"])
part("gradients", "detach", "", "y = y + (y.detach() if <<True|False>> else y)", graph=True)
part("gradients", "grad mode is read", "", "y = y * 2 if flow.is_grad_enabled() else y", graph=True)
part("gradients", "requires_grad set in the step", "", "v_K = x.detach() * 1\nv_K.requires_grad_()\n(v_K * v_K).sum().backward()\ny = y + v_K.grad")
part("gradients", "a checkpoint", "m_K = nn.Linear(2, 2)\nn_K = [2]", "y = flow.utils.checkpoint.checkpoint(lambda v: m_K(v) * n_K[0], y, use_reentrant=False)", ["n_K[0] = 3", "m_K.weight.data.mul_(0.5)"])
part("gradients", "clipping", "p_K = nn.Parameter(flow.ones(2))\nlimit_K = 1.0", "p_K.grad = x.detach() * 2\nalso.append(nn.utils.clip_grad_norm_([p_K], limit_K))\ny = y + p_K.grad", ["limit_K = <<0.5|2.0>>"])
