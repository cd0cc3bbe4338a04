struct Text {};
void show(int n) {}
void show(const Text& t) {}
void show(int n, int width) {}
void show(const char* s, int a, int b = 2) {}

struct Printer {
  void out(int n) {}
  void out(const char* s) {}
  void out(Text t, int n = 1) {}
};

void use(Printer p, Text t) {
  show(1); //: calls show
  show(t); //: calls show#2
  show(1, 2); //: calls show#3
  show("a", 1, 2); //: calls show#4
  p.out(3); //: calls Printer.out
  p.out("x"); //: calls Printer.out#2
  p.out(t); //: calls Printer.out#3
  p.out(t, 2); //: calls Printer.out#3
}
