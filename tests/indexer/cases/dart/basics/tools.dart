bool check(int n) => n > 1;
