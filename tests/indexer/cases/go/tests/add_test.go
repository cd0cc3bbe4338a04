package sum

import "testing"

func TestAdd(t *testing.T) {
	check(t, Add(1, 2)) //: calls check, add.go::Add; tests add.go::Add
	t.Run("x", func(t *testing.T) {
		Add(2, 3) //: tests add.go::Add
	})
}

func check(t *testing.T, n int) {}
