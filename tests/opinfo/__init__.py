"""torch's own samples of ops (torch.testing._internal.common_methods_invocations) against this project.

`python -m tests.opinfo add sort` prints how many samples of these ops agree; without names, of every op.
"""
