package p

type Event struct{}

func (Event) Fire() {}

func use(in chan Event, done <-chan Event) {
	e := <-in
	e.Fire() //: calls Event.Fire
	for e := range in {
		e.Fire() //: calls Event.Fire
	}
	select {
	case d := <-done:
		d.Fire() //: calls Event.Fire
	case in <- Event{}:
	}
}
