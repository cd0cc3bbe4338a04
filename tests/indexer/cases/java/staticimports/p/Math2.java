package p;

public class Math2 {
    public static final int LIMIT = 3;
    public static int twice(int x) { return x; }
    public static int thrice(int x) { return x; }
}
