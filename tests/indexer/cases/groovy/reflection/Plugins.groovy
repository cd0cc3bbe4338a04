class Plugins {
    def start(String name) {
        return name
    }

    def unknown(Object plugin) {
        return plugin.invokeMethod("start", ["a"]) //: calls Plugins.start
    }

    def known(Audio audio) {
        return audio.invokeMethod("play", []) //: calls Audio.play
    }

    def other(Object plugin, String name) {
        return plugin.invokeMethod(name, []) //: calls -
    }
}

class Audio {
    def play() {
        return 1
    }
}
