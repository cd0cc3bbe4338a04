import java.util.*;

class Node {
    void visit() {}
}

class Box<T extends Node> {
    T value;

    void open() {
        value.visit(); //: calls Node.visit
    }

    <U extends Node> void each(List<U> all) {
        for (U u : all) {
            u.visit(); //: calls Node.visit
        }
    }
}

class Use {
    Map<String, List<Node>> groups = new HashMap<>();

    void f(Optional<Node> first, Iterator<Node> it, Node[] array) {
        groups.get("x").get(0).visit(); //: calls Node.visit
        for (List<Node> group : groups.values()) {
            for (var node : group) {
                node.visit(); //: calls Node.visit
            }
        }
        first.get().visit(); //: calls Node.visit
        it.next().visit(); //: calls Node.visit
        array[0].visit(); //: calls Node.visit
        new Box<Node>().open(); //: calls Box, Box.open
    }
}

class Entries {
    void f(Map<String, Node> nodes) {
        for (Map.Entry<String, Node> entry : nodes.entrySet()) {
            entry.getValue().visit(); //: calls Node.visit
        }
        nodes.values().forEach(n -> n.visit()); //: calls Node.visit
    }
}
