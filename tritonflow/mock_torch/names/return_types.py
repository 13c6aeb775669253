"""`torch.return_types`: the named tuples of ops with several outputs."""

from tritonflow._C import return_types as _return_types

all_return_types = [kind for kind in vars(_return_types).values() if isinstance(kind, type)]
globals().update((kind.__name__, kind) for kind in all_return_types)
