package p

func good() { helper() } //: calls helper

func bad() {
	x := helper( + )
	if {
}

func helper() {}

func after() { good() } //: calls good
