package store

const Rebate = 3

func round(x int) int { return x }
