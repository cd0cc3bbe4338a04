package sum_test

import (
	"testing"

	"example.org/sum"
)

func ExampleAdd() {
	sum.Add(1, 2) //: calls add.go::Add
}
