namespace Shop.Tools;

public static class Checks
{
    public static void Check(int n) { Desk.Equals(n, n); }
}

public class Crate
{
    public void Open() { new Item(1).Sell(); } //: calls Shop.cs::Item, Shop.cs::Item.Item, Shop.cs::Item.Sell
}
