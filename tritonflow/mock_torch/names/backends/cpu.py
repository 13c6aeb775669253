"""`torch.backends.cpu`."""


def get_cpu_capability() -> str:
    """Kernels are compiled for the CPU that is there, whichever it is."""
    return "DEFAULT"
