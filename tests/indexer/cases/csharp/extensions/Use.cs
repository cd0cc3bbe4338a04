using E.Tools;

namespace E.App;

public class Use
{
    public void Run(string text, Wall wall)
    {
        text.Shorten(3); //: calls Extensions.cs::Extensions.Shorten
        wall.Paint(); //: calls Extensions.cs::Extensions.Paint
        Extensions.Paint(wall); //: calls Extensions.cs::Extensions.Paint
        text.Trim(); //: calls -
    }
}
