void open(int n) {}
