"""Programs that eager mode and captured functions run beside one another, by theme."""
