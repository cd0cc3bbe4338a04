package p

type Reader interface{ Read() int }
type Closer interface{ Close() error }
type ReadCloser interface { //: inherits Reader, Closer
	Reader
	Closer
}

type File struct{} //: implements Reader, Closer, ReadCloser

func (*File) Read() int    { return 0 }
func (*File) Close() error { return nil }

type Half struct{} //: implements Reader

func (*Half) Read() int { return 0 }

func use(rc ReadCloser) {
	rc.Close() //: calls Closer.Close, File.Close
	defer rc.Read() //: calls Reader.Read, File.Read
}
