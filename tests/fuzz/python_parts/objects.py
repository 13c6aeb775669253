"""Objects: attributes, properties, slots, descriptors, `__getattr__`, class attributes, inheritance, methods that are replaced."""

from tests.fuzz.python_parts.grammar import part

part("objects", "an attribute of the step's object", "me.n_K = <<2|0.5>>", "y = y * me.n_K", ["me.n_K = <<3|True|1.5>>", "me.n_K += 1"], graph=True)
part("objects", "a counter of the step's object", "me.n_K = 0", "me.n_K += 1\ny = y * <<me.n_K|min(1.0, me.n_K / 4)>>", ["me.n_K = <<0|6>>"])
part("objects", "a flag of the step's object", "me.on_K = False", "me.on_K = not me.on_K\ny = y if me.on_K else -y", ["me.on_K = True"])
part("objects", "a hidden state of the step's object", "me.h_K = flow.zeros(2)", "me.h_K = me.h_K * 0.5 + x.detach()\ny = y + me.h_K",
    ["me.h_K = flow.ones(2)", "me.h_K.zero_()"])  # fmt: skip
part("objects", "prepared at the first call", "me.ready_K = False\nme.loc_K = flow.zeros(2)", """
    if not me.ready_K:
        me.loc_K.copy_(x.detach() * -1)
        me.ready_K = True
    y = y + me.loc_K
    """, ["me.ready_K = False"])
part("objects", "a result left on the object", "me.aux_K = None", "me.aux_K = <<y.detach()|y.shape|y.sum().detach()|x>>\ny = y * 2", ["me.aux_K = None"])
part("objects", "an attribute that may be missing", "o_K = types.SimpleNamespace()", "y = y * getattr(o_K, 'n', 2)\nif hasattr(o_K, 'm'):\n    y = y + 1",
    ["o_K.n = <<3|0.5>>", "o_K.m = None", "vars(o_K).clear()"], graph=True)  # fmt: skip
part("objects", "a config two levels deep", "o_K = types.SimpleNamespace(a=types.SimpleNamespace(n=2))", "y = y * o_K.a.n",
    ["o_K.a.n = <<3|4>>", "o_K.a = types.SimpleNamespace(n=<<5|6>>)"], graph=True)  # fmt: skip
part("objects", "an object that a helper gets", "o_K = types.SimpleNamespace(n=2)\ndef scaled_K(v, o):\n    return v * o.n", "y = scaled_K(y, o_K)", ["o_K.n = <<3|0.5>>"], graph=True)
part("objects", "an object that a call returns", "o_K = types.SimpleNamespace(n=2)\ndef config_K():\n    return o_K", "y = y * config_K().n", ["o_K.n = <<3|0.5>>"], graph=True)
part("objects", "a property", """
    class P_K:
        def __init__(self): self._n = 2
        @property
        def n(self): return self._n * 2
        @n.setter
        def n(self, v): self._n = v
    p_K = P_K()
    """, "y = y * p_K.n", ["p_K.n = <<3|0.5>>", "p_K._n = 7", "P_K.n = 3"], graph=True)
part("objects", "a property that counts", """
    class P_K:
        reads = 0
        @property
        def n(self):
            self.reads += 1
            return self.reads
    p_K = P_K()
    """, "y = y * p_K.n", ["p_K.reads = 0"])
part("objects", "a setter that counts", """
    class P_K:
        sets, _v = 0, 1
        @property
        def v(self): return self._v
        @v.setter
        def v(self, v):
            self.sets += 1
            self._v = v
    p_K = P_K()
    """, "p_K.v = <<p_K.v + 1|y.shape[0]>>\ny = y * p_K.sets", ["p_K.sets = 0"])
part("objects", "slots", """
    class S_K:
        __slots__ = ('n', 't')
    s_K = S_K()
    s_K.n, s_K.t = 1, flow.zeros(2)
    """, "s_K.n += 1\ns_K.t = s_K.t + x.detach()\ny = y * s_K.n + s_K.t", ["s_K.n = 0", "s_K.t = flow.ones(2)", "s_K.t.add_(1)"])
part("objects", "slots that are read", """
    class S_K:
        __slots__ = ('n',)
        def __init__(self, n): self.n = n
    s_K = S_K(2)
    """, "y = y * s_K.n", ["s_K.n = <<3|0.5>>", "s_K = S_K(4)"], graph=True)
part("objects", "a descriptor", """
    class D_K:
        def __get__(self, o, owner=None): return o.__dict__.get('v', 2)
        def __set__(self, o, v): o.__dict__['v'] = v * 2
    class O_K:
        n = D_K()
    o_K = O_K()
    """, "y = y * o_K.n\n<<pass|o_K.n = 1>>", ["o_K.n = <<3|4>>", "o_K.__dict__['v'] = 5", "D_K.__get__ = lambda self, o, owner=None: 6"])
part("objects", "__getattr__", """
    class A_K:
        def __init__(self): self.d = {'n': 2}
        def __getattr__(self, name):
            if name == 'd': raise AttributeError(name)
            return self.d[name]
    a_K = A_K()
    """, "y = y * a_K.n", ["a_K.d['n'] = <<3|0.5>>", "a_K.n = 4", "a_K.d = {'n': 5}"], graph=True)
part("objects", "__getattribute__ that counts", """
    class A_K:
        n = 0
        def __getattribute__(self, name):
            if name == 'v':
                A_K.n += 1
                return A_K.n
            return object.__getattribute__(self, name)
    a_K = A_K()
    """, "y = y * a_K.v", ["A_K.n = 0"])
part("objects", "__setattr__", """
    class A_K:
        log = []
        def __setattr__(self, name, v):
            A_K.log.append(name)
            object.__setattr__(self, name, v)
    a_K = A_K()
    a_K.n = 0
    """, "a_K.n += 1\ny = y * len(A_K.log)", ["A_K.log.clear()", "a_K.m = 1"])
part("objects", "a class attribute", "class C_K:\n    n = 2\nc_K = C_K()", "y = y * c_K.n", ["C_K.n = <<3|0.5>>", "c_K.n = 4", "del c_K.n"], graph=True)
part("objects", "a counter of the class", "class C_K:\n    n = 0\n    def f(self, y):\n        <<C_K|type(self)|self>>.n += 1\n        return y * self.n\nc_K = C_K()", "y = c_K.f(y)", ["C_K.n = 0"])
part("objects", "inheritance", """
    class A_K:
        n = 2
        def f(self, y): return y * self.n
    class B_K(A_K):
        def f(self, y): return super().f(y) + 1
    b_K = B_K()
    """, "y = b_K.f(y)", ["A_K.n = <<3|4>>", "B_K.n = 5", "A_K.f = lambda self, y: y - self.n", "b_K.f = lambda y: y * 7", "B_K.__bases__ = (type('Z_K', (), {'f': lambda self, y: y}),)", "b_K.__class__ = A_K"])
part("objects", "a method that is replaced", "class C_K:\n    def f(self, y): return y * 2\nc_K = C_K()", "y = c_K.f(y)", ["C_K.f = lambda self, y: y * 3", "c_K.f = lambda y: y + 1", "C_K.f.__defaults__ = None"], graph=True)
part("objects", "the code of a function", "def f_K(y): return y * 2\ndef g_K(y): return y * 3", "y = f_K(y)", ["f_K.__code__, g_K.__code__ = g_K.__code__, f_K.__code__", "f_K = g_K"], graph=True)
part("objects", "static and class methods", """
    class C_K:
        n = 2
        @classmethod
        def c(cls, y): return y * cls.n
        @staticmethod
        def s(y): return y + 1
    """, "y = C_K.s(C_K.c(y))", ["C_K.n = <<3|0.5>>", "C_K.s = staticmethod(lambda y: y - 1)"], graph=True)
part("objects", "a callable object", "class F_K:\n    def __init__(self, n): self.n = n\n    def __call__(self, y): return y * self.n\nf_K = F_K(2)", "y = f_K(y)",
    ["f_K.n = <<3|0.5>>", "F_K.__call__ = lambda self, y: y + self.n", "f_K = F_K(4)"], graph=True)  # fmt: skip
part("objects", "a callable object that counts", "class F_K:\n    n = 0\n    def __call__(self, y):\n        self.n += 1\n        return y * self.n\nf_K = F_K()", "y = f_K(y)", ["f_K.n = 0", "f_K = F_K()"])
part("objects", "operators of its own", """
    class V_K:
        def __init__(self, t): self.t = t
        def __add__(self, o): return V_K(self.t + o * V_K.n)
        def __len__(self): return V_K.n
        def __bool__(self): return V_K.n > 2
        def __getitem__(self, i): return self.t * i
        def __contains__(self, i): return i == V_K.n
        def __iter__(self): return iter([self.t] * V_K.n)
        n = 2
    """, "y = <<(V_K(y) + 1).t|y * len(V_K(y))|(y if V_K(y) else -y)|V_K(y)[3]|(y if 2 in V_K(y) else -y)|sum(V_K(y), y)>>", ["V_K.n = <<1|3>>"], graph=True)
part("objects", "a dataclass", "@dataclasses.dataclass\nclass D_K:\n    n: float = 2\n    ts: list = dataclasses.field(default_factory=list)\nd_K = D_K()",
    "y = y * d_K.n + len(d_K.ts)\n<<pass|d_K.ts.append(y.detach())|d_K.n += 1|y = y * dataclasses.replace(d_K, n=3).n>>",
    ["d_K.n = <<3|0.5>>", "d_K.ts.append(1)", "d_K = D_K(4)", "d_K.ts = []"])  # fmt: skip
part("objects", "a frozen dataclass", "@dataclasses.dataclass(frozen=True)\nclass D_K:\n    n: float = 2\nd_K = D_K()", "y = y * d_K.n",
    ["d_K = D_K(<<3|0.5>>)", "object.__setattr__(d_K, 'n', 4)", "d_K = dataclasses.replace(d_K, n=5)"], graph=True)  # fmt: skip
part("objects", "a frozen dataclass that is compared", "@dataclasses.dataclass(frozen=True)\nclass D_K:\n    n: int\nd_K, e_K = D_K(1), D_K(1)", "y = y * 2 if d_K == e_K else y", ["d_K = D_K(<<1|2>>)"], graph=True)
part("objects", "a named tuple", "N_K = collections.namedtuple('N_K', 'a b')\nn_K = N_K(2, flow.ones(2))", "y = y * n_K.a + n_K.b\nalso.append(n_K._replace(b=y.detach()))", ["n_K = N_K(<<3|0.5>>, flow.zeros(2))", "n_K.b.add_(1)"])
part("objects", "an enum", "class E_K(enum.Enum):\n    A = 1\n    B = 2\ne_K = E_K.A", "y = y * e_K.value if e_K is E_K.<<A|B>> else y + 1", ["e_K = E_K.B", "e_K = E_K['A']"], graph=True)
part("objects", "weak references", "class O_K: n = 2\no_K = O_K()\nr_K = weakref.ref(o_K)", "y = y * r_K().n if r_K() is not None else -y", ["o_K.n = <<3|4>>", "o_K = None"])
part("objects", "an object made in the step", "class T_K:\n    made = 0\n    def __init__(self, t):\n        T_K.made += 1\n        self.t = t\nlast_K = None", "o_K = T_K(y)\nif T_K.made > 2:\n    y = o_K.t * 2", ["T_K.made = 0"])
part("objects", "identity", "a_K = object()\nb_K = a_K", "y = y * 2 if a_K is b_K else y", ["b_K = object()", "b_K = a_K"], graph=True)
part("objects", "an attribute deleted in the step", "o_K = types.SimpleNamespace(n=1)", "if hasattr(o_K, 'n'):\n    del o_K.n\n    y = y * 2", ["o_K.n = 1"])
part("objects", "vars()", "o_K = types.SimpleNamespace(n=1)", "vars(o_K)['n'] = vars(o_K)['n'] + 1\ny = y * o_K.n", ["o_K.n = 0"])
part("objects", "a class made by the step", "n_K = 2", "class C_K:\n    n = n_K\ny = y * C_K().n", ["n_K = <<3|4>>"], graph=True)
part("objects", "a cached property", "class C_K:\n    base = 2\n    @functools.cached_property\n    def n(self): return self.base * 2\nc_K = C_K()", "y = y * c_K.n", ["c_K.base = 3", "vars(c_K).pop('n', None)", "c_K.n = 9", "c_K = C_K()"])
part("objects", "whether it trains", "me.training = True", "y = y * 2 if me.training else y", ["me.training = False", "me.training = True"], graph=True)
part("objects", "a singleton", "class S_K:\n    only = None\n    def __new__(cls):\n        if cls.only is None:\n            cls.only = object.__new__(cls)\n            cls.only.n = 0\n        return cls.only", "S_K().n += 1\ny = y * S_K().n", ["S_K.only = None", "S_K().n = 5"])
part("objects", "a registry", "registry_K = {}\ndef register_K(name):\n    def wrap(f):\n        registry_K[name] = f\n        return f\n    return wrap\n@register_K('a')\ndef a_K(y): return y * 2\nkey_K = 'a'", "y = registry_K[key_K](y)", ["register_K('a')(lambda y: y * 3)", "register_K('b')(lambda y: y + 1)\nkey_K = 'b'"], graph=True)
part("objects", "a metaclass", "class M_K(type):\n    n = 2\n    def __call__(cls, *a): return type.__call__(cls, *a)\n    def __len__(cls): return M_K.n\nclass C_K(metaclass=M_K): pass", "y = y * len(C_K)", ["M_K.n = <<3|4>>"], graph=True)
part("objects", "equality of its own", "class E_K:\n    n = 2\n    def __eq__(self, o): return o == E_K.n\n    def __hash__(self): return 1\n    def __lt__(self, o): return E_K.n < o\ne_K = E_K()", "y = y * 2 if <<e_K == 2|e_K < 3|2 in [e_K]|not e_K == 3>> else y + 1", ["E_K.n = <<3|4>>"], graph=True)
part("objects", "a weak dictionary", "m_K = nn.Identity()\nd_K = weakref.WeakKeyDictionary()", "d_K[m_K] = d_K.get(m_K, 0) + 1\ny = y * d_K[m_K]", ["d_K.clear()", "m_K = nn.Identity()"])
part("objects", "two objects of one class", "class C_K:\n    def __init__(self, n): self.n = n\n    def f(self, y):\n        self.n += 1\n        return y * self.n\na_K, b_K = C_K(0), C_K(1)", "y = a_K.f(b_K.f(y))", ["a_K, b_K = b_K, a_K", "a_K = b_K", "a_K.n = 0"])
part("objects", "a linked list", "class N_K:\n    def __init__(self, v, rest): self.v, self.rest = v, rest\nhead_K = N_K(2, N_K(3, None))", "node_K = head_K\nwhile node_K is not None:\n    y = y + node_K.v\n    node_K = node_K.rest\n<<pass|head_K.rest = None>>", ["head_K.rest = N_K(5, None)", "head_K.v = 7", "head_K = N_K(1, head_K)"])
