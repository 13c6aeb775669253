"""`torch.__future__`: settings of `Module.to` and `load_state_dict`; parameters are always changed in place here."""


def set_overwrite_module_params_on_conversion(value: bool) -> None:
    """Accepted if False, which is the default."""
    if value:
        raise NotImplementedError(
            "set_overwrite_module_params_on_conversion(True): parameters are changed in place here"
        )


def get_overwrite_module_params_on_conversion() -> bool:
    """No."""
    return False


def set_swap_module_params_on_conversion(value: bool) -> None:
    """Accepted if False, which is the default."""
    if value:
        raise NotImplementedError("set_swap_module_params_on_conversion(True): parameters are changed in place here")


def get_swap_module_params_on_conversion() -> bool:
    """No."""
    return False
