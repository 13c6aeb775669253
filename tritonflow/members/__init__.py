"""What `Tensor` and the package have besides ops: methods, indexing, storages, printing, torch's names of types and switches."""
