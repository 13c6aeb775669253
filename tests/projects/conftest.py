collect_ignore_glob = ["programs/*"]
