LEFT_OUT = {}
def looked_at(): return 0
