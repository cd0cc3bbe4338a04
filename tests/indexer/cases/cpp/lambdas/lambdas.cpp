void target() {}
void each(void (*f)()) { f(); } //: calls target

void use() {
  auto run = [](int n) { target(); }; //: calls target
  run(1);
  each(target); //: calls each; references target
}
