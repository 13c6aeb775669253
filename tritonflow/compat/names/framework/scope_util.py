"""Programs import it, and take nothing from it."""
