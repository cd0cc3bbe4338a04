using System;
using System.Collections.Generic;
using static Shop.Tools.Checks;
using Box = Shop.Tools.Crate;

namespace Shop
{
    public interface IStore
    {
        Item Find(string id);
    }

    public class Store : IStore //: implements IStore
    {
        private readonly Dictionary<string, Item> _items = new();
        public Item Find(string id) { return _items[id]; } //: overrides IStore.Find
    }

    public class Item
    {
        public Item(int price) { Price = price; }
        public int Price { get; set; }
        public Item Twin => Copy(); //: calls Item.Copy
        public Item Copy() { return new Item(Price); } //: calls Item, Item.Item
        public void Sell() {}
        public static Item Cheap { get { return new Item(1); } } //: calls Item, Item.Item
    }

    public class Gift : Item //: inherits Item
    {
        public Gift() : base(3) {} //: calls Item.Item
        public void Wrap() { base.Sell(); this.Tie(); Sell(); } //: calls Item.Sell, Gift.Tie
        private void Tie() {}
    }

    public class Desk
    {
        private readonly IStore store;
        public event Action<Item> Sold;
        public Desk(IStore store) { this.store = store; }

        public void Run(List<Gift> gifts, object o)
        {
            store.Find("a").Sell(); //: calls IStore.Find, Store.Find, Item.Sell
            Item item = new(2); //: calls Item, Item.Item
            item.Twin.Sell(); //: calls Item.Sell
            Item.Cheap.Sell(); //: calls Item.Sell
            gifts.ForEach(g => g.Wrap()); //: calls Gift.Wrap
            foreach (var gift in gifts) gift.Wrap(); //: calls Gift.Wrap
            if (o is Gift found && found.Price > 1) found.Wrap(); //: calls Gift.Wrap
            switch (o) { case Item each: each.Sell(); break; } //: calls Item.Sell
            Sold += OnSold; //: calls Desk.OnSold
            Sold?.Invoke(item); //: calls Desk.OnSold
            Check(1); //: calls Tools.cs::Checks.Check
            new Box().Open(); //: calls Tools.cs::Crate, Tools.cs::Crate.Open
            Shop.Tools.Checks.Check(2); //: calls Tools.cs::Checks.Check
            int Double(int n) => Add(n, n); //: calls Desk.Add
            Double(2); //: calls Desk.Run.Double
            (o as Item)?.Sell(); //: calls Item.Sell
        }

        private void OnSold(Item item) {}
        private static int Add(int a, int b) => a + b;
    }
}
