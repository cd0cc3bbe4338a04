template <typename T>
T largest(T a, T b) { return a; }

template <class T>
class Box {
 public:
  void put(T value) { check(); } //: calls Box.check
  void check() {}
};

struct Item { void ping() {} };

void use() {
  largest<int>(1, 2); //: calls largest
  largest(1, 2); //: calls largest
  Box<int> box;
  box.put(3); //: calls Box.put
  using Ints = Box<int>;
  Ints more;
  more.check(); //: calls Box.check
  static_cast<Item*>(nullptr)->ping(); //: calls Item.ping
}
