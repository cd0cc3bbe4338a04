namespace P;

public class Base
{
    public void Close() {}
}

public partial class Reader : Base
{
    public void Skip() { Read(); new Reader().Read(); } //: calls A.cs::Reader.Read, A.cs::Reader
}
