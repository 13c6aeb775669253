"""Whether a graph is being captured."""

from tritonflow.thread_state import thread_state


class lazy_mode:
    """Asked by modules whether a graph is being captured."""

    @staticmethod
    def is_enabled() -> bool:
        """Whether this thread captures one."""
        return thread_state.observer.is_capturing
