"""From a graph to one instruction: memory, schedule, tuning and the executable."""
