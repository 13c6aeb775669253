"""Boxing: moves a consistent tensor from one placement and sbp to another."""
