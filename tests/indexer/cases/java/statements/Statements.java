import java.util.List;
import java.util.Map;

class File implements AutoCloseable {
    void read() {}

    public void close() {}
}

class Trouble extends Exception {
    void tell() {}
}

class Statements {
    File open() throws Trouble {
        return new File(); //: calls File
    }

    void loops(List<File> files, File[] array, Map<String, File> named) {
        for (File file : files) {
            file.read(); //: calls File.read
        }
        for (var file : array) {
            file.read(); //: calls File.read
        }
        for (var entry : named.entrySet()) {
            entry.getValue().read(); //: calls File.read
        }
        for (int i = 0, n = files.size(); i < n; i++) {
            files.get(i).read(); //: calls File.read
        }
        do {
            array[0].read(); //: calls File.read
        } while (files.isEmpty());
    }

    void failing() {
        try (File file = open()) { //: calls Statements.open
            file.read(); //: calls File.read
        } catch (Trouble trouble) {
            trouble.tell(); //: calls Trouble.tell
        } finally {
            done(); //: calls Statements.done
        }
        synchronized (this) {
            done(); //: calls Statements.done
        }
    }

    void choice(int number) {
        switch (number) {
            case 1:
                done(); //: calls Statements.done
                break;
            default:
                throw new IllegalStateException();
        }
        outer:
        while (true) {
            done(); //: calls Statements.done
            break outer;
        }
        assert number > 0 : number;
        File chosen = number > 1 ? new File() : null; //: calls File
        chosen.read(); //: calls File.read
    }

    void done() {}
}
