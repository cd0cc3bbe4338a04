package store

type Store struct{ sold int }

func Open() *Store { return &Store{} } //: references Store

func (s *Store) Sell(price int) {
	s.sold += round(price) //: calls store/prices.go::round
}
