package p

type List[T any] struct{ items []T }

func (l *List[T]) Push(x T)  { l.items = append(l.items, x) }
func (l *List[T]) First() T  { return l.items[0] }

type Job struct{}

func (Job) Start() {}

func Map[T, U any](xs []T, f func(T) U) []U { return nil }

type Starter interface{ Start() }

func startAll[S Starter](all []S) {
	for _, s := range all {
		s.Start() //: calls Starter.Start, Job.Start
	}
}

func name(j Job) string { return "" }

func use(jobs []Job) {
	l := &List[Job]{}
	l.Push(Job{}) //: calls List.Push
	Map(jobs, name) //: calls Map
	Map[Job, string](jobs, name) //: calls Map
	startAll(jobs) //: calls startAll
}
