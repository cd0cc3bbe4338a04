package statements

type File struct{ next *File }

func (f *File) Read() {}

type Shape interface{ Draw() }

type Circle struct{}

func (c *Circle) Draw() {}
func (c *Circle) Roll() {}

func open() (*File, error) { return &File{}, nil }

func loops(files []*File, named map[string]*File, queue chan *File) {
	for _, file := range files {
		file.Read() //: calls File.Read
	}
	for _, file := range named {
		file.Read() //: calls File.Read
	}
	for file := range queue {
		file.Read() //: calls File.Read
	}
	for i := 0; i < len(files); i++ {
		files[i].Read() //: calls File.Read
	}
	for file := files[0]; file != nil; file = file.next {
		file.Read() //: calls File.Read
	}
	(<-queue).Read() //: calls File.Read
	select {
	case file := <-queue:
		file.Read() //: calls File.Read
	default:
		open() //: calls open
	}
}

func patterns(shape Shape, value any) {
	if circle, ok := shape.(*Circle); ok {
		circle.Roll() //: calls Circle.Roll
	}
	switch thing := value.(type) {
	case *Circle:
		thing.Roll() //: calls Circle.Roll
	case *File:
		thing.Read() //: calls File.Read
	}
	if file, err := open(); err == nil { //: calls open
		file.Read() //: calls File.Read
	}
	switch file, _ := open(); { //: calls open
	case file != nil:
		file.Read() //: calls File.Read
	}
	defer func() {
		open() //: calls open
	}()
	go open() //: calls open
	var file, _ = open() //: calls open
	file.Read() //: calls File.Read
	read := file.Read
	read() //: calls File.Read
	made := map[string]*File{"a": {}}
	made["a"].Read() //: calls File.Read
	new(File).Read() //: calls File.Read
}
