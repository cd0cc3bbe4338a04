package p;

class Calc {
    int add(int a, int b) { return a + b; }
}
