module example.org/sum
