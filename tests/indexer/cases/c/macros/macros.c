int helper(int x) { return x; }
#define TWICE(x) (helper(x) + helper(x)) //: calls helper
#define LIMIT 3
#define LISTED(V) V(1) V(2)

int use(void) {
  return TWICE(LIMIT); //: calls TWICE; references LIMIT
}

#define API
API static int visible(int x) { return helper(x); } //: calls helper
int later(void) { return visible(1); } //: calls visible
