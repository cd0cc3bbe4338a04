package p

type Item struct{}

func (Item) Run() {}

type Fault struct{}

func (*Fault) Tell() {}

func find() (*Item, *Fault) { return nil, nil }
func named() (it Item, ok bool) { return }

func use() {
	item, fault := find() //: calls find
	item.Run()   //: calls Item.Run
	fault.Tell() //: calls Fault.Tell
	if it, ok := named(); ok { //: calls named
		it.Run() //: calls Item.Run
	}
	var again Item
	again, _ = named()
	again.Run() //: calls Item.Run
}
