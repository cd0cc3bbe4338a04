package shop.tools

class Checks {
    static boolean check(String text) { return text?.length() > 1 && known(text) } //: calls Checks.known
    static boolean known(String text) { return true }
    static void log(String text) {}
}
