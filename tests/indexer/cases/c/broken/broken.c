int before(void) { return 1; }
int ) broken ( {
int after(void) { return before(); } //: calls before
