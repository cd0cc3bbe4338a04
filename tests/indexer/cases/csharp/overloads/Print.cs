public class Shape {}
public class Square : Shape {}
public class Box<T> { public void Fill(T t) {} }
public class Box { public void Close() {} }

public class Print
{
    void Out(string s) {}
    void Out(int n) {}
    void Out(object o) {}
    void Out(string s, int n, bool b = false) {}
    void Out(string s, params object[] rest) {}
    void Draw(Shape s) {}
    void Draw(Square s) {}

    void Use(string text, int? boxed, Shape shape, Square square, Box plain, Box<int> full)
    {
        Out("x");              //: calls Print.Out
        Out(3);                //: calls Print.Out#2
        Out(shape);            //: calls Print.Out#3
        Out(text, 1);          //: calls Print.Out#4
        Out(text, n: 1);       //: calls Print.Out#4
        Out(text, 1, 2, 3);    //: calls Print.Out#5
        Out(text.Length > 2 ? "a" : text); //: calls Print.Out
        Draw(shape);           //: calls Print.Draw
        Draw(square);          //: calls Print.Draw#2
        plain.Close();         //: calls Box#2.Close
        full.Fill(1);          //: calls Box.Fill
    }
}
