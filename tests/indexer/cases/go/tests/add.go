package sum

func Add(a, b int) int { return a + b }

type fake struct{}
