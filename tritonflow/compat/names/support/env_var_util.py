"""Environment variables that say yes or no."""

import os


def parse_boolean_from_env(env_var: str, default: bool) -> bool:
    """Whether an environment variable says yes; `default` where it is not set."""
    text = os.environ.get(env_var)
    return default if text is None else text.lower() in ("1", "true", "yes", "on", "y")
