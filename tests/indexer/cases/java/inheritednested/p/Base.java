package p;

public class Base {
    public static class Part {
        public void turn() {}
    }

    protected Part part = new Part(); //: calls Base.Part
}
