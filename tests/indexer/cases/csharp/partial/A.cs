namespace P;

public partial class Reader
{
    public void Read() { Skip(); Close(); } //: calls B.cs::Reader.Skip, B.cs::Base.Close
}

public class User
{
    public void Use(Reader r) { r.Skip(); r.Read(); r.Close(); } //: calls B.cs::Reader.Skip, Reader.Read, B.cs::Base.Close
}
