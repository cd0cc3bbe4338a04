struct ops {
  int (*open)(int);
  int (*close)(int);
};

static int my_open(int x) { return x; }
static int my_close(int x) { return x; }
static int other_open(int x) { return x; }

static const struct ops named = { .open = my_open, .close = my_close };
static const struct ops ordered = { other_open, my_close };
static int (*table[])(int) = { my_open, other_open };

int use(struct ops* o, int i) {
  o->close(1); //: calls my_close
  o->open(1); //: calls my_open, other_open
  table[i](2); //: calls my_open, other_open
  int (*f)(int) = my_close;
  f(3); //: calls my_close
  return named.close(4); //: calls my_close
}
