let valid x = x > 0 && x < 10
