"""`torch.backends.cpu`."""


def get_cpu_capability() -> str:
    """Kernels are compiled for the CPU that is there. torchvision asks by this name whether pictures of bytes can be resized."""
    return "AVX2"
