/* Branches of #if that open what only another branch closes. */
static int first(int a);
static int second(int a);
static int third(void);

#ifdef WIDE
int grow(int a, int b) {
#else
int grow(int a) {
#endif
  return first(a);  //: calls first#2
}

int choose(int a) {
#ifdef CHECKED
  if (third()) {  //: calls third#2
#endif
  a = second(a);  //: calls second#2
#ifdef CHECKED
  }
#endif
#if 0
  while (a) {
#else
  for (;;) {
#endif
    first(a);  //: calls first#2
  }
  return third();  //: calls third#2
}

int expression(int a) {
  return first(a)  //: calls first#2
#ifdef MORE
    + second(a)    //: calls second#2
#else
    - second(a)
#endif
    + third();  //: calls third#2
}

int both(int a) {
#ifdef ONE
  return first(a);   //: calls first#2
#else
  return second(a);  //: calls second#2
#endif
}

static int first(int a) { return a; }
static int second(int a) { return a; }
static int third(void) { return 3; }
