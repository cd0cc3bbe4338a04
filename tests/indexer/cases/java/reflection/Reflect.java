class Target {
    public void run() {}
}

class Reflect {
    public static void own() {}

    void f(Class<?> c) throws Exception {
        Target.class.getMethod("run"); //: calls Target.run
        c.getMethod("own"); //: calls Reflect.own
        c.getMethod("missing"); //: calls -
    }
}
