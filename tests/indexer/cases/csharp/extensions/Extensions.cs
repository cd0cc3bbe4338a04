namespace E.Tools;

public static class Extensions
{
    public static string Shorten(this string s, int n) { return s; }
    public static void Paint(this Wall w) { w.Wash(); } //: calls Wall.Wash
}

public class Wall
{
    public void Wash() {}
}
