void one(void) {}
void two(void) {}

#if defined(A)
void pick(void) { one(); } //: calls one
#elif defined(B)
void pick(void) { two(); } //: calls two
#endif

void use(int x) {
  pick(); //: calls pick, pick#2
#ifdef A
  one(); //: calls one
#else
  two(); //: calls two
#endif
  switch (x) {
    case 1: one(); break; //: calls one
    default: two(); //: calls two
  }
  goto end;
end:
  one(); //: calls one
}
