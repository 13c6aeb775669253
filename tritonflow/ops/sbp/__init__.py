"""How each op may lie over ranks: signatures by sbp, and what becomes of attributes that hold sizes or positions."""
