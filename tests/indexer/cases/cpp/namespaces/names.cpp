namespace outer {
void shared() {}
namespace inner {
void shared() {}
void own() {
  shared(); //: calls outer.inner.shared
  outer::shared(); //: calls outer.shared
}
}  // namespace inner
void use() {
  inner::own(); //: calls outer.inner.own
  shared(); //: calls outer.shared
}
}  // namespace outer

void shared() {}

namespace alias = outer::inner;
using outer::use;

int main() {
  shared(); //: calls shared
  ::shared(); //: calls shared
  alias::own(); //: calls outer.inner.own
  use(); //: calls outer.use
}
