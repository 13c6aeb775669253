"""What an op becomes where a kernel does not do: of complex numbers, under `vmap`, and where a split dimension is reduced."""
