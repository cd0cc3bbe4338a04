class Event {
    void consume() {}
}

interface Handler<T> {
    void handle(Event event, T source);

    default void log() {}
}

class Bus {
    void on(String name, Handler<String> handler) {
        handler.handle(new Event(), name); //: calls Event, Handler.handle
    }

    static void each(Handler<String> handler) {}

    void use() {
        on("x", (event, source) -> event.consume()); //: calls Bus.on, Event.consume
        Bus.each((e, s) -> { e.consume(); }); //: calls Bus.each, Event.consume
    }
}
