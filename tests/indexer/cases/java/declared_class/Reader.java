class Reader {
    void begin() {}
}

class TreeReader extends Reader {
    @Override
    void begin() {}
}

abstract class Source {
    abstract void open();
}

class FileSource extends Source {
    @Override
    void open() {}
}

class Use {
    void made() {
        Reader reader = new Reader();
        reader.begin(); //: calls Reader.begin; calls? Reader.begin, TreeReader.begin
    }

    void given(Reader reader) {
        reader.begin(); //: calls Reader.begin; calls? Reader.begin, TreeReader.begin
    }

    void hidden(Source source) {
        source.open(); //: calls Source.open, FileSource.open
    }
}
