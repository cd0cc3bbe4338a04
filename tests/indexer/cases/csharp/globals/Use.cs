namespace Shop.Core;

class Cart
{
    void Add(string item)
    {
        Guard.NotNull(item); //: calls Guard.cs::Guard.NotNull
    }
}
