enum Level {
    LOW(1), HIGH(2) { //: calls Level, Level.Level
        int weight() { return help(); } //: calls Level.help
    };

    private final int n;

    Level(int n) { this.n = n; }

    int weight() { return n; }

    int help() { return 0; }

    static void use(Level level) {
        switch (level) {
            case LOW: //: references Level.LOW
                HIGH.weight(); //: calls Level.weight; references Level.HIGH
                break;
            default:
        }
        int x = switch (level) {
            case HIGH -> level.weight(); //: calls Level.weight; references Level.HIGH
            default -> 0;
        };
    }
}
