"""Training inside of the step: every optimizer and schedule, optimizers of one's own, scalers, and all that may change about them."""

from tests.fuzz.python_parts.grammar import part

OPTIMIZERS = ("SGD(ps_K, lr=0.1)", "SGD(ps_K, lr=0.1, momentum=0.9)", "SGD(ps_K, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.1)", "Adam(ps_K, lr=0.1, eps=1e-3)", "AdamW(ps_K, lr=0.1, eps=1e-3)",
    "Adam(ps_K, lr=0.1, amsgrad=True, eps=1e-3)", "ASGD(ps_K, lr=0.1)", "Adadelta(ps_K, lr=0.5)", "Adagrad(ps_K, lr=0.1)", "Adamax(ps_K, lr=0.1, eps=1e-3)", "FTRL(ps_K, lr=0.1)", "LAMB(ps_K, lr=0.1)",
    "NAdam(ps_K, lr=0.1, eps=1e-3)", "RAdam(ps_K, lr=0.1, eps=1e-3)", "RMSprop(ps_K, lr=0.1, eps=1e-3)", "RMSprop(ps_K, lr=0.1, momentum=0.5, eps=1e-3)", "Rprop(ps_K, lr=0.1)", "Adafactor(ps_K, lr=0.1)")  # fmt: skip
SCHEDULERS = ("StepLR(o_K, 2, 0.5)", "ExponentialLR(o_K, 0.5)", "CosineAnnealingLR(o_K, 4)", "LambdaLR(o_K, lambda k: 1 / (k + 1))", "LinearLR(o_K, 0.5, total_iters=3)", "ConstantLR(o_K, 0.5, total_iters=2)",
    "MultiStepLR(o_K, [1, 3])", "OneCycleLR(o_K, 0.2, total_steps=40)", "CosineAnnealingWarmRestarts(o_K, 2)", "MultiplicativeLR(o_K, lambda k: 0.5)", "PolynomialLR(o_K, 4)", "CyclicLR(o_K, 0.01, 0.2, step_size_up=2, cycle_momentum=False)", "CosineDecayLR(o_K, 4)",
    "ChainedScheduler([flow.optim.lr_scheduler.ConstantLR(o_K), flow.optim.lr_scheduler.ExponentialLR(o_K, 0.5)])",
    "SequentialLR(o_K, [flow.optim.lr_scheduler.ConstantLR(o_K), flow.optim.lr_scheduler.ExponentialLR(o_K, 0.5)], [2])")  # fmt: skip
NET = "m_K = nn.Linear(2, 2)\nps_K = list(m_K.parameters())\n"
CHANGES = ["o_K.param_groups[0]['lr'] = <<0.05|0.2|0.0>>", "o_K.param_groups[0]['lr'] *= 0.5", "o_K.state.clear()", "o_K.load_state_dict(o_K.state_dict())", "o_K.state.pop(ps_K[0], None)",
    "[s.update({k: v * 0 for k, v in s.items() if isinstance(v, flow.Tensor)}) for s in o_K.state.values()]", "o_K.param_groups[0]['weight_decay'] = 0.1", "o_K.param_groups[0]['params'].pop() if len(o_K.param_groups[0]['params']) > 1 else None",
    "ps_K[0].data.mul_(0.5)", "ps_K[1].requires_grad_(False)", "handles_K.append(o_K.register_step_pre_hook(lambda o, a, k: (ps_K[0].grad.mul_(0.1), None)[1]))", "handles_K.append(o_K.register_step_post_hook(lambda o, a, k: (ps_K[0].data.mul_(0.5), None)[1]))",
    "handles_K.pop().remove() if handles_K else None", "o_K.zero_grad()", "o_K.step()", "[v.add_(1) for s in o_K.state.values() for v in s.values() if isinstance(v, flow.Tensor) and v.ndim]", "o_K.param_groups[0]['momentum'] = 0.5",
    "ps_K[0].grad = None", "o_K.add_param_group({'params': [nn.Parameter(flow.ones(2))], 'lr': 0.3})"]  # fmt: skip
STEP = "o_K.zero_grad()\nloss_K = (m_K(x.detach()) ** 2).sum()\nloss_K.backward()\no_K.step()\ny = y + loss_K.detach()"
HANDLES = "\nhandles_K = []"

part("optimizers", "a step", f"{NET}o_K = flow.optim.<<{'|'.join(OPTIMIZERS)}>>{HANDLES}", STEP, CHANGES, graph=True, modules=["m_K"], optimizer="o_K")
part("optimizers", "a step of a likely one", f"{NET}o_K = flow.optim.<<{'|'.join(OPTIMIZERS[:4])}>>{HANDLES}", STEP, CHANGES, graph=True, modules=["m_K"], optimizer="o_K")
part("optimizers", "gradients that are left", f"{NET}o_K = flow.optim.SGD(ps_K, lr=0.1)", "loss_K = (m_K(x.detach()) ** 2).sum()\nloss_K.backward()\no_K.step()\n<<pass|o_K.zero_grad()|o_K.zero_grad(set_to_none=False)>>\ny = y + loss_K.detach()", ["o_K.zero_grad()", *CHANGES[:2]])
part("optimizers", "a schedule inside", f"{NET}o_K = flow.optim.SGD(ps_K, lr=0.1)\ns_K = flow.optim.lr_scheduler.<<{'|'.join(SCHEDULERS)}>>{HANDLES}", STEP + "\ns_K.step()\n<<pass|also.append(o_K.param_groups[0]['lr'])|also.append(s_K.get_last_lr())>>", ["s_K.step()", "s_K.last_epoch = 0", *CHANGES[:3]])
part("optimizers", "a schedule outside", f"{NET}o_K = flow.optim.<<SGD|Adam>>(ps_K, lr=0.1)\ns_K = flow.optim.lr_scheduler.<<{'|'.join(SCHEDULERS)}>>{HANDLES}", STEP, ["s_K.step()"] * 3 + CHANGES[:3])
part("optimizers", "a plateau", f"{NET}o_K = flow.optim.SGD(ps_K, lr=0.1)\ns_K = flow.optim.lr_scheduler.ReduceLROnPlateau(o_K, patience=0)", STEP, ["s_K.step(1.0)"] * 2)
part("optimizers", "the rate set inside", f"{NET}o_K = flow.optim.<<SGD|Adam>>(ps_K, lr=0.1){HANDLES}\nn_K = 0", "global n_K\nn_K += 1\nfor g in o_K.param_groups:\n    g['lr'] <<*= 0.5|= 0.2 / n_K|= 0.1 * min(1, n_K / 3)>>\n" + STEP, CHANGES[:3])
part("optimizers", "the rate is an argument", f"{NET}o_K = flow.optim.<<SGD|Adam>>(ps_K, lr=0.1){HANDLES}", "o_K.param_groups[0]['lr'] = k_K\n" + STEP, CHANGES[:3], argument=("0.1", "0.05", "0.2"))
part("optimizers", "the rate is read", f"{NET}o_K = flow.optim.SGD(ps_K, lr=0.1){HANDLES}", STEP + "\ny = y * <<o_K.param_groups[0]['lr']|len(o_K.param_groups)|(2 if o_K.param_groups[0]['lr'] > 0.07 else 1)|(2 if o_K.state else 1)>>", CHANGES[:3])
part("optimizers", "one's own with a state", NET + """
class Own_K(flow.optim.Optimizer):
    def __init__(self, ps, lr): super().__init__(ps, {'lr': lr})
    @flow.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group['params']:
                s = self.state[p]
                if 'm' not in s:
                    s['m'], s['n'] = flow.zeros_like(p), 0
                s['n'] += 1
                <<s['m'].mul_(0.9).add_(p.grad)|s['m'] = s['m'] * 0.9 + p.grad>>
                p.sub_(s['m'] / <<1|s['n']>>, alpha=group['lr'])
o_K = Own_K(ps_K, 0.1)
""", STEP, ["o_K.param_groups[0]['lr'] = <<0.05|0.2>>", "o_K.state.clear()", "o_K.state[ps_K[0]] = {'m': flow.ones(2, 2), 'n': 1}", "o_K.load_state_dict(o_K.state_dict())"], graph=True, modules=["m_K"], optimizer="o_K")
part("optimizers", "a step by hand", NET + "lr_K = 0.1\nv_K = [flow.zeros_like(p) for p in ps_K]", "loss_K = (m_K(x.detach()) ** 2).sum()\ngs_K = flow.autograd.grad(loss_K, ps_K)\nwith flow.no_grad():\n    for i, (p, g) in enumerate(zip(ps_K, gs_K)):\n        v_K[i] = v_K[i] * 0.9 + g\n        p.sub_(v_K[i] * lr_K)\ny = y + loss_K.detach()", ["lr_K = <<0.05|0.2>>", "v_K[0].zero_()"])
part("optimizers", "a step every second time", f"{NET}o_K = flow.optim.SGD(ps_K, lr=0.1, momentum=0.9)\nn_K = 0", "global n_K\nn_K += 1\nloss_K = (m_K(x.detach()) ** 2).sum()\nloss_K.backward()\nif n_K % 2 == 0:\n    o_K.step()\n    o_K.zero_grad()\ny = y + loss_K.detach()", ["n_K = 0"])
part("optimizers", "a scaler", f"{NET}o_K = flow.optim.SGD(ps_K, lr=0.1)\ns_K = flow.amp.GradScaler('cpu', init_scale=4.0, growth_interval=2)", "o_K.zero_grad()\nloss_K = (m_K(x.detach()) ** 2).sum()\ns_K.scale(loss_K).backward()\ns_K.step(o_K)\ns_K.update()\ny = y + loss_K.detach()", ["s_K.update(2.0)", "o_K.param_groups[0]['lr'] = 0.05"])
part("optimizers", "a closure for the optimizer", f"{NET}o_K = flow.optim.<<SGD(ps_K, lr=0.1)|LBFGS(ps_K, lr=0.1, max_iter=2)>>\nn_K = [0]", "def closure_K():\n    n_K[0] += 1\n    o_K.zero_grad()\n    loss = (m_K(x.detach()) ** 2).sum()\n    loss.backward()\n    return loss\ny = y + o_K.step(closure_K).detach()", ["o_K.param_groups[0]['lr'] = 0.05"])
part("optimizers", "two groups", f"{NET}o_K = flow.optim.<<SGD|Adam>>([{{'params': [m_K.weight]}}, {{'params': [m_K.bias], 'lr': 0.2}}], lr=0.1)", STEP, ["o_K.param_groups[1]['lr'] = <<0.0|0.05>>", "o_K.param_groups.reverse()", "o_K.param_groups[0]['params'], o_K.param_groups[1]['params'] = o_K.param_groups[1]['params'], o_K.param_groups[0]['params']"], graph=True, modules=["m_K"], optimizer="o_K")
part("optimizers", "two parameters of one memory", "m_K = nn.Module()\nm_K.a, m_K.b = nn.Parameter(flow.ones(2)), nn.Parameter(flow.ones(2))\nm_K.b.data = m_K.a.data\no_K = flow.optim.<<SGD|Adam>>(m_K.parameters(), lr=0.1)", "o_K.zero_grad()\nloss_K = (m_K.a * x.detach()).square().sum() + (m_K.b * 2).sum()\nloss_K.backward()\no_K.step()\ny = y + loss_K.detach()", ["m_K.b.data = flow.ones(2)"])
part("optimizers", "an averaged model", f"{NET}a_K = flow.optim.swa_utils.AveragedModel(m_K)", "with flow.no_grad():\n    m_K.weight.mul_(0.5)\na_K.update_parameters(m_K)\ny = y + a_K(x.detach())", ["m_K.weight.data.fill_(1.0)"])
part("optimizers", "made in the step", NET + "o_K = None", "global o_K\nif o_K is None:\n    o_K = flow.optim.SGD(ps_K, lr=0.1, momentum=0.9)\n" + STEP, ["o_K = None"])
part("optimizers", "statistics of losses", f"{NET}o_K = flow.optim.SGD(ps_K, lr=0.1)\nlog_K = {{'losses': [], 'best': None}}", STEP + "\nlog_K['losses'].append(loss_K.detach())\n<<pass|log_K['best'] = loss_K.detach() if log_K['best'] is None else flow.minimum(log_K['best'], loss_K.detach())|also.append(len(log_K['losses']))>>", ["log_K['losses'].clear()"])
