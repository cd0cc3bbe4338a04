using System;
using System.Collections.Generic;
using System.Threading.Tasks;

class Trouble : Exception
{
    public void Tell() { }
}

class File : IDisposable
{
    public void Read() { }

    public void Dispose() { }
}

abstract class Shape { }

class Circle : Shape
{
    public File Ink;

    public void Roll() { }
}

class Square : Shape
{
    public void Stack() { }
}

class Statements
{
    File Open()
    {
        return new File(); //: calls File
    }

    async Task<File> OpenLater()
    {
        await Task.Delay(1);
        return Open(); //: calls Statements.Open
    }

    async Task Loops(List<File> files, File[] array, Dictionary<string, File> named)
    {
        foreach (var file in files)
        {
            file.Read(); //: calls File.Read
        }
        foreach (File file in array)
        {
            file.Read(); //: calls File.Read
        }
        for (int i = 0; i < files.Count; i++)
        {
            files[i].Read(); //: calls File.Read
        }
        do
        {
            array[0].Read(); //: calls File.Read
        } while (files.Count > 0);
        named["a"].Read(); //: calls File.Read
        var late = await OpenLater(); //: calls Statements.OpenLater
        late.Read(); //: calls File.Read
    }

    void Failing()
    {
        try
        {
            using (var file = Open()) //: calls Statements.Open
            {
                file.Read(); //: calls File.Read
            }
        }
        catch (Trouble trouble) when (Ready())  //: calls Statements.Ready
        {
            trouble.Tell(); //: calls Trouble.Tell
        }
        finally
        {
            Done(); //: calls Statements.Done
        }
        using var other = Open(); //: calls Statements.Open
        other.Read(); //: calls File.Read
        lock (this)
        {
            Done(); //: calls Statements.Done
        }
    }

    void Patterns(Shape shape, object thing)
    {
        if (shape is Circle circle)
        {
            circle.Roll(); //: calls Circle.Roll
        }
        switch (shape)
        {
            case Square square:
                square.Stack(); //: calls Square.Stack
                break;
            default:
                Done(); //: calls Statements.Done
                break;
        }
        var name = shape switch
        {
            Circle round => Name(round), //: calls Statements.Name
            _ => null,
        };
        (thing as Circle).Roll(); //: calls Circle.Roll
        ((Square)thing).Stack(); //: calls Square.Stack
        (thing as Circle)?.Ink.Read(); //: calls File.Read
        var chosen = thing as Circle ?? new Circle(); //: calls Circle
        chosen.Roll(); //: calls Circle.Roll
    }

    string Name(Circle circle) => circle.ToString();

    bool Ready() => true;

    void Done()
    {
        void Inner() { }
        Inner(); //: calls Statements.Done.Inner
        Action again = Inner;
        again(); //: calls Statements.Done.Inner
        Func<File> make = () => new File(); //: calls File
        make().Read(); //: calls File.Read
        throw new Trouble(); //: calls Trouble
    }
}
