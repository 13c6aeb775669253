"""Modules: modes, attributes, parameters, buffers, submodules and hooks, changed from outside and from inside."""

from tests.fuzz.python_parts.grammar import part

part("modules", "a layer", "m_K = nn.Linear(2, 2)", "y = m_K(y)", [
    "with flow.no_grad(): m_K.weight.mul_(0.5)", "m_K.weight = nn.Parameter(flow.ones(2, 2))", "m_K.bias = None", "m_K.weight.requires_grad_(False)",
    "m_K.load_state_dict({'weight': flow.ones(2, 2), 'bias': flow.zeros(2)})", "m_K = nn.Linear(2, 2)", "m_K.forward = lambda v: v * 2", "m_K.weight.data = flow.eye(2)",
    "m_K.zero_grad()", "m_K.requires_grad_(False)", "flow.to_torch(m_K.bias.detach()).add_(1)",
], graph=True, modules=["m_K"])  # fmt: skip
part("modules", "modes", "m_K = nn.Dropout(0.5)", "y = m_K(y)\nif m_K.training:\n    y = y * 2", ["m_K.eval()", "m_K.train()", "m_K.p = <<0.25|0.0>>", "m_K.inplace = False"], graph=True, modules=["m_K"])
part("modules", "a norm with statistics", "m_K = nn.BatchNorm1d(2, affine=False)", "y = y + m_K(flow.stack([x.detach(), x.detach() * 2, x.detach() + 1]))[0]",
    ["m_K.eval()", "m_K.train()", "m_K.reset_running_stats()", "m_K.momentum = 0.5", "m_K.running_mean.zero_()"], graph=True, modules=["m_K"])  # fmt: skip
part("modules", "a module with numbers", "class M_K(nn.Module):\n    scale = 2\n    def __init__(self):\n        super().__init__()\n        self.n = 2\n        self.sizes = [1, 2]\n    def forward(self, y):\n        return y * self.n + len(self.sizes) * self.scale\nm_K = M_K()",
    "y = m_K(y)", ["m_K.n = <<3|0.5|True>>", "m_K.sizes.append(3)", "M_K.scale = 3", "m_K.scale = 4", "M_K.forward = lambda self, y: y - self.n", "m_K.sizes = (1,)"], graph=True, modules=["m_K"])  # fmt: skip
part("modules", "a module that counts", "class M_K(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.n = 0\n    def forward(self, y):\n        self.n += 1\n        return y * self.n\nm_K = M_K()", "y = m_K(y)", ["m_K.n = 0", "m_K = M_K()"])
part("modules", "a module with a hidden state", "class M_K(nn.Module):\n    def __init__(self):\n        super().__init__()\n        <<self.h = flow.zeros(2)|self.register_buffer('h', flow.zeros(2))>>\n    def forward(self, y):\n        self.h = self.h * 0.5 + y.detach()\n        return y + self.h\nm_K = M_K()", "y = m_K(y)", ["m_K.h = flow.ones(2)", "m_K.h.zero_()"])
part("modules", "a buffer written in place", "class M_K(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.register_buffer('h', flow.zeros(2))\n    def forward(self, y):\n        self.h.<<mul_(0.5).add_(y.detach())|copy_(self.h + 1)|add_(1)>>\n        return y + self.h\nm_K = M_K()",
    "y = m_K(y)", ["m_K.h = flow.ones(2)", "m_K.h.zero_()", "m_K.load_state_dict({'h': flow.full((2,), 3.0)})", "m_K.h = None\nm_K.h = flow.zeros(2)"], graph=True, modules=["m_K"])  # fmt: skip
part("modules", "ActNorm", "class M_K(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.loc, self.ready = nn.Parameter(flow.zeros(2)), False\n    def forward(self, y):\n        if not self.ready:\n            with flow.no_grad(): self.loc.copy_(-y)\n            self.ready = True\n        return y + self.loc\nm_K = M_K()", "y = m_K(y)", ["m_K.ready = False"])
part("modules", "a lazy parameter", "m_K = nn.Module()", "if not hasattr(m_K, 'w'):\n    m_K.w = nn.Parameter(flow.ones(x.shape[-1]))\ny = y * m_K.w", ["del m_K.w", "m_K.w.data.mul_(2)"])
part("modules", "submodules", "m_K = nn.Sequential(nn.Linear(2, 2), nn.ReLU())", "y = m_K(y)", ["m_K[1] = nn.Identity()", "m_K.append(nn.Tanh())", "m_K[0] = nn.Linear(2, 2, bias=False)", "del m_K[1]\nm_K.append(nn.ReLU())"], graph=True, modules=["m_K"])
part("modules", "a list of modules", "m_K = nn.ModuleList([nn.Linear(2, 2), nn.Identity()])\nuse_K = [0, 1]", "for i in use_K:\n    y = m_K[i](y)", ["use_K.reverse()", "use_K[:] = [1]", "m_K.append(nn.ReLU())\nuse_K.append(2)", "m_K[0] = nn.Tanh()"], graph=True, modules=["m_K"])
part("modules", "a dict of modules", "m_K = nn.ModuleDict({'a': nn.Linear(2, 2), 'b': nn.Identity()})\nkey_K = 'a'", "y = m_K[key_K](y)", ["key_K = <<'b'|'a'>>", "m_K['b'] = nn.ReLU()"], graph=True, modules=["m_K"])
part("modules", "module hooks", "m_K = nn.Identity()\nn_K = {'n': 2}\nhandles_K = []", "y = m_K(y) * 1", [
    "handles_K.append(m_K.register_forward_hook(lambda m, i, o: o * n_K['n']))", "handles_K.append(m_K.register_forward_pre_hook(lambda m, i: (i[0] + n_K['n'],)))",
    "handles_K.pop().remove() if handles_K else None", "n_K['n'] = <<3|0.5>>",
], graph=True, modules=["m_K"])  # fmt: skip
part("modules", "a module hook that counts", "m_K = nn.Identity()\nn_K = [0]\ndef hook_K(m, i, o):\n    n_K[0] += 1\n    return o * n_K[0]\nh_K = m_K.register_forward_hook(hook_K)", "y = m_K(y)", ["n_K[0] = 0", "h_K.remove()"])
part("modules", "a module hook that keeps", "m_K = nn.Linear(2, 2)\nkept_K = {}\nh_K = m_K.register_forward_hook(lambda m, i, o: kept_K.update(o=o.detach()))", "y = m_K(y)", ["kept_K.clear()", "h_K.remove()"])
part("modules", "hooks of all modules", "m_K = nn.Identity()\nhandles_K = []\nn_K = [2]", "y = m_K(y) * 1",
    ["handles_K.append(nn.modules.module.register_module_forward_hook(lambda m, i, o: o * n_K[0]))\ncleanup.append(handles_K[-1].remove)", "handles_K.pop().remove() if handles_K else None", "n_K[0] = 3"])  # fmt: skip
part("modules", "a backward hook", "m_K = nn.Linear(2, 2)\nn_K = [1]\nhandles_K = []", "y = m_K(y)", ["handles_K.append(m_K.register_full_backward_hook(lambda m, gi, go: n_K.append(1)))", "handles_K.append(m_K.register_full_backward_hook(lambda m, gi, go: (gi[0] * len(n_K),)))", "handles_K.pop().remove() if handles_K else None", "n_K.append(1)"])
part("modules", "a computed attribute name", "m_K = nn.Module()\nm_K.a_w, m_K.b_w = nn.Parameter(flow.ones(2)), nn.Parameter(flow.zeros(2))\nname_K = 'a'", "y = y + getattr(m_K, f'{name_K}_w')", ["name_K = <<'b'|'a'>>", "m_K.b_w.data.add_(1)"], graph=True, modules=["m_K"])
part("modules", "parameters in a loop", "m_K = nn.Linear(2, 2)", "for name_K, p_K in m_K.named_parameters():\n    y = y + p_K.sum() * (2 if 'bias' in name_K else 1)", ["m_K.register_parameter('extra', nn.Parameter(flow.ones(2)))", "m_K.bias = None", "m_K.bias = nn.Parameter(flow.ones(2))"], graph=True, modules=["m_K"])
part("modules", "a shared weight", "a_K, b_K = nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False)\nb_K.weight = a_K.weight", "y = b_K(a_K(y))", ["b_K.weight = nn.Parameter(flow.ones(2, 2))", "a_K.weight.data.mul_(0.5)", "b_K.weight = a_K.weight"], graph=True, modules=["a_K", "b_K"])
part("modules", "a parameter written in the step", "m_K = nn.Linear(2, 2)", "with flow.no_grad():\n    m_K.weight.<<mul_(0.5)|add_(1)|data.add_(1)|copy_(flow.ones(2, 2))>>\ny = m_K(y)", ["m_K.weight.data.fill_(1.0)"])
part("modules", "a parameter replaced in the step", "m_K = nn.Module()\nm_K.w = nn.Parameter(flow.ones(2))", "m_K.w = nn.Parameter(m_K.w.detach() * 2)\ny = y + m_K.w.detach()", ["m_K.w = nn.Parameter(flow.ones(2))"])
part("modules", "an exponential average", "m_K, ema_K = nn.Linear(2, 2), {}", "with flow.no_grad():\n    for n, p in m_K.named_parameters():\n        ema_K[n] = p.detach().clone() if n not in ema_K else ema_K[n] * 0.5 + p * 0.5\ny = m_K(y) + ema_K['bias']", ["ema_K.clear()", "m_K.bias.data.add_(1)"])
part("modules", "a mode set in the step", "m_K = nn.Dropout(0.5)", "m_K.<<train(not m_K.training)|eval()>>\ny = m_K(y)", ["m_K.train()"])
part("modules", "requires_grad is read", "p_K = nn.Parameter(flow.ones(2))", "y = y * 2 if p_K.requires_grad else y + p_K", ["p_K.requires_grad_(not p_K.requires_grad)"], graph=True)
part("modules", "a compiled module inside", "m_K = wrap(nn.Linear(2, 2)) if wrap.__name__ != 'as_graph' else nn.Linear(2, 2)", "y = m_K(y)", ["m_K.weight.data.mul_(0.5)"])
part("modules", "weight norm", "m_K = nn.utils.weight_norm(nn.Linear(2, 2))", "y = m_K(y)", ["m_K.weight_g.data.mul_(2)"], graph=True, modules=["m_K"])
part("modules", "all modules in a loop", "m_K = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))", "for name_K, each_K in m_K.named_modules():\n    if isinstance(each_K, <<nn.Linear|nn.Dropout>>):\n        y = y * 2 + len(name_K) + each_K.training\ny = m_K(y)", ["m_K.eval()", "m_K.append(nn.Linear(2, 2))", "m_K.append(nn.Dropout(0.0))"], graph=True, modules=["m_K"])
part("modules", "apply in the step", "m_K = nn.Linear(2, 2)\nseen_K = []", "m_K.apply(lambda m: seen_K.append(type(m).__name__))\ny = m_K(y) + len(seen_K)", ["seen_K.clear()"])
part("modules", "a copy of a module", "m_K = nn.Linear(2, 2)\nc_K = None", "global c_K\nif c_K is None:\n    c_K = copy.deepcopy(m_K)\ny = c_K(y)", ["c_K = None", "m_K.weight.data.mul_(2)"])
part("modules", "a buffer registered in the step", "m_K = nn.Module()", "if 'h' not in m_K._buffers:\n    m_K.register_buffer('h', x.detach() * 2)\ny = y + m_K.h", ["del m_K.h", "m_K.h.add_(1)"])
part("modules", "a module made in the step", "", "m_K = nn.<<ReLU|Tanh|Identity>>()\ny = m_K(y)", graph=True)
part("modules", "a list of parameters", "m_K = nn.ParameterList([nn.Parameter(flow.ones(2)), nn.Parameter(flow.zeros(2))])", "for p_K in m_K:\n    y = y + p_K", ["m_K.append(nn.Parameter(flow.ones(2)))", "m_K[0] = nn.Parameter(flow.zeros(2))", "m_K[1].data.add_(1)"], graph=True, modules=["m_K"])
part("modules", "extra state and attributes by name", "m_K = nn.Linear(2, 2)\nm_K.calls = 0", "m_K.calls += 1\ny = m_K(y) * m_K.calls", ["m_K.calls = 0", "del m_K.calls\nm_K.calls = 2"])
