package currency

func New(x int) int { return x }
